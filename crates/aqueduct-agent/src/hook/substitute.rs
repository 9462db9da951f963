//! Substitution of values for references in hooks.

use serde_json::{Map, Value};

/// The placeholder for the input of the event in a prompt.
const ARGUMENTS: &str = "$ARGUMENTS";

/// A prompt with the input of the event substituted, or appended if the prompt has no placeholder.
pub(super) fn arguments(prompt: &str, input: &str) -> String {
    match prompt.contains(ARGUMENTS) {
        true => prompt.replace(ARGUMENTS, input),
        false => format!("{prompt}\n\nARGUMENTS: {input}"),
    }
}

/// The value of a header with its variables, written `$NAME` or `${NAME}`. One that `value` does not give is empty.
/// What could begin another header is taken out.
pub(super) fn variables(text: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('$') {
        out.push_str(&rest[..start]);
        let behind = &rest[start + 1..];
        let (name, length) = match behind.strip_prefix('{') {
            Some(inner) => {
                let name = variable(inner);
                let is_closed = inner[name.len()..].starts_with('}');
                (if is_closed { name } else { "" }, name.len() + 2)
            }
            None => (variable(behind), variable(behind).len()),
        };
        if name.is_empty() {
            out.push('$');
            rest = behind;
            continue;
        }
        out.push_str(&value(name).unwrap_or_default());
        rest = &behind[length..];
    }
    out.push_str(rest);
    out.retain(|letter| !matches!(letter, '\r' | '\n' | '\0'));
    out
}

/// The name of a variable that a text begins with.
fn variable(text: &str) -> &str {
    let is_first = |letter: char| letter.is_ascii_uppercase() || letter == '_';
    if !text.starts_with(is_first) {
        return "";
    }
    let end = text.find(|letter: char| !is_first(letter) && !letter.is_ascii_digit());
    &text[..end.unwrap_or(text.len())]
}

/// The arguments of a tool with members of the input of the event, written `${a.b}`. A member that is not there is
/// empty.
pub(super) fn members(arguments: &Map<String, Value>, input: &Value) -> Value {
    Value::Object(arguments.iter().map(|(name, value)| (name.clone(), filled(value, input))).collect())
}

fn filled(value: &Value, input: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(with_members(text, input)),
        Value::Array(items) => items.iter().map(|item| filled(item, input)).collect(),
        Value::Object(inner) => members(inner, input),
        value => value.clone(),
    }
}

fn with_members(text: &str, input: &Value) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        let inner = &rest[start + 2..];
        let end = inner.find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '.'));
        let path = &inner[..end.unwrap_or(inner.len())];
        let is_path = path.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        if !is_path || !inner[path.len()..].starts_with('}') {
            out.push_str(&rest[..start + 2]);
            rest = inner;
            continue;
        }
        out.push_str(&rest[..start]);
        out.push_str(&member(input, path));
        rest = &inner[path.len() + 1..];
    }
    out.push_str(rest);
    out
}

fn member(input: &Value, path: &str) -> String {
    match path.split('.').try_fold(input, |value, name| value.get(name)) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_prompt_names_its_input_or_is_followed_by_it() {
        assert_eq!(arguments("is $ARGUMENTS or $ARGUMENTS?", "{}"), "is {} or {}?");
        assert_eq!(
            arguments("is it?", "{\"a\":\"$ARGUMENTS\"}"),
            "is it?\n\nARGUMENTS: {\"a\":\"$ARGUMENTS\"}"
        );
    }

    #[test]
    fn headers_take_the_variables_that_are_given() {
        let given = |name: &str| (name == "KEY" || name == "_A1").then(|| "v\r\nX: 1\0".to_owned());
        let filled = |text: &str| variables(text, given);
        assert_eq!(filled("Bearer $KEY"), "Bearer vX: 1");
        assert_eq!(filled("${KEY}-$OTHER-${_A1}.$"), "vX: 1--vX: 1.$");
        assert_eq!(filled("$lower ${lower} ${KEY $$KEY"), "$lower ${lower} ${KEY $vX: 1");
        assert_eq!(filled("$KEYS"), "");
    }

    #[test]
    fn arguments_take_members_at_any_depth() {
        let input =
            json!({ "tool": "Bash", "tool_input": { "command": "ls ${tool}", "n": 3, "none": null } });
        let arguments = json!({
            "a": "${tool_input.command} ${nope} ${tool_input.none}|${tool_input.n}",
            "deep": { "list": ["${tool}", 7, true] },
            "${tool}": "${tool_input}",
            "odd": "${} ${1} ${a b} ${tool",
        });
        let expected = json!({
            "a": "ls ${tool}  |3",
            "deep": { "list": ["Bash", 7, true] },
            "${tool}": "{\"command\":\"ls ${tool}\",\"n\":3,\"none\":null}",
            "odd": "${} ${1} ${a b} ${tool",
        });
        assert_eq!(members(arguments.as_object().unwrap(), &input), expected);
    }

    proptest! {
        #[test]
        fn any_text_can_be_a_header_or_an_argument(text in ".*") {
            let header = variables(&text, |_| None);
            let is_odd = header.contains(['\r', '\n', '\0']);
            prop_assert!(!is_odd);
            let value = Value::String(text.clone());
            let filled = filled(&value, &Value::Null);
            prop_assert!(filled.is_string());
        }

        #[test]
        fn a_value_is_not_read_again(secret in "[$A-Z{}]{0,12}") {
            let header = variables("$KEY", |name| (name == "KEY").then(|| secret.clone()));
            prop_assert_eq!(header, secret);
        }
    }
}
