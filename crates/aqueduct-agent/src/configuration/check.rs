//! Errors in a settings file outside permissions and hooks, which are checked where they are read.

use aqueduct_rules::settings::{PathStep, line_of, repeated};
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::effort::EFFORTS;

/// What a member must be.
#[derive(Debug, Clone, Copy)]
pub(super) enum MemberKind {
    Any,
    Number,
    Text,
    Switch,
    Texts,
    List,
    Object,
    /// One of these texts.
    OneOf(&'static [&'static str]),
}

/// The members that mean something here.
pub(super) const MEMBERS: &[(&str, MemberKind)] = &[
    ("permissions", MemberKind::Object),
    ("hooks", MemberKind::Object),
    ("env", MemberKind::Object),
    ("model", MemberKind::Text),
    ("outputStyle", MemberKind::Text),
    ("agent", MemberKind::Text),
    ("effortLevel", MemberKind::OneOf(EFFORTS)),
    ("alwaysThinkingEnabled", MemberKind::Switch),
    ("disableAllHooks", MemberKind::Switch),
    ("allowManagedHooksOnly", MemberKind::Switch),
    ("allowManagedPermissionRulesOnly", MemberKind::Switch),
    ("mcpServers", MemberKind::Object),
    ("enableAllProjectMcpServers", MemberKind::Switch),
    ("enabledMcpjsonServers", MemberKind::Texts),
    ("disabledMcpjsonServers", MemberKind::Texts),
    ("allowedMcpServers", MemberKind::List),
    ("deniedMcpServers", MemberKind::List),
    ("sandbox", MemberKind::Object),
    ("apiKeyHelper", MemberKind::Text),
];

/// Members that are checked where they are read.
const CHECKED_ELSEWHERE: &[&str] =
    &["permissions", "hooks", "mcpServers", "sandbox", "allowManagedPermissionRulesOnly"];

/// The members of `permissions`.
pub(super) const PERMISSIONS: &[&str] =
    &["allow", "ask", "deny", "defaultMode", "additionalDirectories", "disableBypassPermissionsMode"];

/// Reports the errors of a settings file in order, each with file and line. `value` is the parsed `text`. Other
/// programs keep settings in the same file: an unknown key is an error only if it resembles a known one.
pub(super) fn check(file: &str, text: &str, value: &Value) -> Vec<Diagnostic> {
    let mut wrong: Vec<Diagnostic> = repeated(text).into_iter().map(Diagnostic::from).collect();
    let known: Vec<&str> = MEMBERS.iter().map(|(name, _)| *name).collect();
    for (name, value) in value.as_object().into_iter().flatten() {
        let line = || line_of(text, &[PathStep::Member(name)]);
        match MEMBERS.iter().find(|(known, _)| known == name) {
            None => wrong.extend(meant(name, &known).map(|meant| unknown(name, meant).at_line(line()))),
            Some((_, kind)) if !CHECKED_ELSEWHERE.contains(&name.as_str()) => {
                if let Some(must) = kind.refuses(value) {
                    wrong.push(ignored(format!("{name} must be {must}")).at_line(line()));
                }
            }
            Some(_) => (),
        }
    }
    for (name, _) in value.get("permissions").and_then(Value::as_object).into_iter().flatten() {
        if let Some(meant) = meant(name, PERMISSIONS) {
            let line = line_of(text, &[PathStep::Member("permissions"), PathStep::Member(name)]);
            wrong.push(unknown(&format!("permissions.{name}"), meant).at_line(line));
        }
    }
    for (name, value) in value.get("env").and_then(Value::as_object).into_iter().flatten() {
        let line = || line_of(text, &[PathStep::Member("env"), PathStep::Member(name)]);
        if !matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_)) {
            wrong.push(ignored(format!("env.{name} must be a text")).at_line(line()));
        } else if !is_variable(name) {
            wrong.push(ignored(format!("env.{name:?} is not a valid variable name")).at_line(line()));
        }
    }
    wrong.sort_by_key(Diagnostic::line);
    wrong.into_iter().map(|wrong| wrong.of(file)).collect()
}

/// The names of the members that mean something here.
#[cfg(test)]
pub(super) fn known_members() -> impl Iterator<Item = &'static str> {
    MEMBERS.iter().map(|(name, _)| *name)
}

/// Whether a variable can have this name.
pub(super) fn is_variable(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}

impl MemberKind {
    /// What a value must be that is something else.
    pub(super) fn refuses(self, value: &Value) -> Option<String> {
        let is_text = |value: &Value| value.is_string();
        let (fits, must) = match (self, value) {
            (_, Value::Null) => return None,
            (MemberKind::Any, _) => return None,
            (MemberKind::Number, value) => (value.is_number(), "a number".to_owned()),
            (MemberKind::Text, value) => (is_text(value), "a text".to_owned()),
            (MemberKind::Switch, value) => (value.is_boolean(), "true or false".to_owned()),
            (MemberKind::List, value) => (value.is_array(), "a list".to_owned()),
            (MemberKind::Object, value) => (value.is_object(), "an object".to_owned()),
            (MemberKind::Texts, value) => (
                value.as_array().is_some_and(|items| items.iter().all(is_text)),
                "a list of texts".to_owned(),
            ),
            (MemberKind::OneOf(names), value) => {
                let is_named = value.as_str().is_some_and(|text| names.contains(&text));
                (is_named, format!("one of {}", names.join(", ")))
            }
        };
        (!fits).then_some(must)
    }
}

fn ignored(message: String) -> Diagnostic {
    Diagnostic::problem(message).ignored()
}

fn unknown(name: &str, meant: &str) -> Diagnostic {
    Diagnostic::problem(format!("{name} is not known here and is ignored"))
        .clause(format!("do you mean {meant}?"))
}

/// The known key that an unknown key resembles.
pub(super) fn meant<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    if known.contains(&name) {
        return None;
    }
    let (name, is_short) = (name.to_lowercase(), name.len() < 5);
    let near = |known: &&&str| distance(&name, &known.to_lowercase()) <= if is_short { 1 } else { 2 };
    known.iter().find(near).copied()
}

/// How many letters have to be added, taken away or changed to make one word of another.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.chars().enumerate() {
        let mut corner = row[0];
        row[0] = index + 1;
        for (column, same) in other.iter().enumerate() {
            let changed = corner + usize::from(*same != letter);
            corner = row[column + 1];
            row[column + 1] = changed.min(corner + 1).min(row[column] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_is_reported_with_its_line() {
        let text = r#"{
  "permissons": {},
  "permissions": { "alow": [], "deny": [] },
  "model": 5,
  "outputStyle": false,
  "effortLevel": "huge",
  "alwaysThinkingEnabled": "yes",
  "enabledMcpjsonServers": ["a", 3],
  "env": { "A": "a",
    "B": null,
    "C=D": "x" },
  "statusLine": { "of": "another program" },
  "hooks": {},
  "hooks": {}
}"#;
        let wrong = check("settings.json", text, &serde_json::from_str(text).unwrap());
        let shown: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(shown.join("\n"), @r#"
        settings.json:2: permissons is not known here and is ignored; do you mean permissions?
        settings.json:3: permissions.alow is not known here and is ignored; do you mean allow?
        settings.json:4: model must be a text; it is ignored
        settings.json:5: outputStyle must be a text; it is ignored
        settings.json:6: effortLevel must be one of low, medium, high, xhigh, max; it is ignored
        settings.json:7: alwaysThinkingEnabled must be true or false; it is ignored
        settings.json:8: enabledMcpjsonServers must be a list of texts; it is ignored
        settings.json:10: env.B must be a text; it is ignored
        settings.json:11: env."C=D" is not a valid variable name; it is ignored
        settings.json:13: hooks is defined twice: here and on line 14; the last definition is used
        "#);
    }

    #[test]
    fn words_are_as_far_apart_as_letters_differ() {
        assert_eq!(distance("permissons", "permissions"), 1);
        assert_eq!(distance("alow", "allow"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("theme", "env"), 4);
    }
}
