//! The exact input of a tool call: the user decides about it.

use aqueduct_wire::json::{Map, Raw, Str};

use crate::terminal::exact;

/// How the lines of a value are moved to the right.
const INDENT: &str = "    ";

/// The member that is shown without its name, because it is what the tool is about.
const MAIN_MEMBERS: &[(&str, &str)] = &[("Bash", "command"), ("ExitPlanMode", "plan")];

/// The members of an input that describe it for people, and that no tool acts on.
const COMMENTS: &[(&str, &str)] = &[("Bash", "description")];

/// An input in lines, all of it. Invisible characters are made visible, and the result notes it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ShownInput {
    pub(super) lines: Vec<String>,
    /// Whether something had to be made visible.
    pub(super) has_hidden: bool,
}

/// Shows the input of a call.
pub(super) fn shown(tool: &str, input: &Raw<'_>) -> ShownInput {
    let mut shown = ShownInput::default();
    let Some(members) = input.view::<Map<'_, Raw<'_>>>() else {
        shown.text(input.as_str());
        return shown;
    };
    let is = |table: &[(&str, &str)], key: &str| table.contains(&(tool, key));
    let main = members.iter().filter(|(key, _)| is(MAIN_MEMBERS, key));
    let others = members.iter().filter(|(key, _)| !is(MAIN_MEMBERS, key) && !is(COMMENTS, key));
    for (_, value) in main {
        shown.text(&text(value));
    }
    for (key, value) in others {
        let text = text(value);
        match text.lines().count() {
            0 | 1 => shown.behind("  ", &format!("{key}: {text}")),
            _ => {
                shown.behind("  ", &format!("{key}:"));
                shown.text(&text);
            }
        }
    }
    shown
}

impl ShownInput {
    /// Appends a text.
    pub(super) fn text(&mut self, text: &str) {
        self.behind(INDENT, text);
    }

    /// Appends a text, each line behind the same blanks.
    fn behind(&mut self, indent: &str, text: &str) {
        // Every line of a script counts, empty ones too; what ends lines elsewhere stays visible.
        for line in text.split('\n') {
            let (line, has_hidden) = exact(line);
            self.has_hidden |= has_hidden;
            self.lines.push(format!("{indent}{line}").trim_end().to_owned());
        }
    }
}

/// A string's text as it is, or a value's JSON.
fn text(value: &Raw<'_>) -> String {
    match value.view::<Str<'_>>() {
        Some(text) => text.into_string(),
        None => value.as_str().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(tool: &str, input: &str) -> Vec<String> {
        shown(tool, &Raw::parse(input).unwrap()).lines
    }

    #[test]
    fn all_of_a_command_is_shown() {
        let input = r#"{"description":"harmless","command":"echo a\n\trm -rf /","timeout":5}"#;
        assert_eq!(lines("Bash", input), ["    echo a", "        rm -rf /", "  timeout: 5"]);
    }

    #[test]
    fn members_of_unknown_tools_are_all_shown() {
        let input = r#"{"a":"x","b":{"c":[1]},"text":"one\ntwo"}"#;
        assert_eq!(
            lines("mcp__a__b", input),
            ["  a: x", "  b: {\"c\":[1]}", "  text:", "    one", "    two"]
        );
        assert_eq!(lines("Odd", "[1,2]"), ["    [1,2]"]);
    }

    #[test]
    fn nothing_can_hide() {
        let shown = shown("Bash", &Raw::parse(r#"{"command":"ls\u001b[1A\u001b[2K\recho \u202e"}"#).unwrap());
        assert_eq!(shown.lines, [r"    ls\x1b[1A\x1b[2K\x0decho \u{202e}"]);
        assert!(shown.has_hidden);
        // A member's name can't be used for an injection either.
        let hostile = super::shown("T", &Raw::parse(r#"{"a\u001b[2J\nb":1}"#).unwrap());
        assert!(hostile.lines.iter().all(|line| !line.contains('\x1b')) && hostile.has_hidden);
    }
}
