//! Secrets in a JSON text.

use std::borrow::Cow;

use super::{REDACTED, is_secret, text};
use crate::json_text::string_end;

/// Takes the secrets out of a valid JSON text. Only the insides of strings change, so it stays the JSON it
/// was, with every number and every space.
pub(crate) fn json(line: &str) -> Cow<'_, str> {
    let bytes = line.as_bytes();
    let mut out = String::new();
    let mut done = 0;
    // Whether each open bracket is under a secret's name.
    let mut open: Vec<bool> = Vec::new();
    let mut is_named = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => {
                let start = at;
                let end = string_end(bytes, start);
                at = end + 1;
                let Some(token) = line.get(start..end) else { break };
                if next_is_colon(bytes, at) {
                    is_named = is_secret(token);
                    continue;
                }
                let is_secret = is_named || open.last() == Some(&true);
                is_named = false;
                let kept = match is_secret && !token.is_empty() {
                    true => Cow::Borrowed(REDACTED),
                    false => inside(token),
                };
                if kept != token {
                    out.push_str(&line[done..start]);
                    out.push_str(&kept);
                    done = end;
                }
            }
            b'{' | b'[' => {
                let is_under = is_named || open.last() == Some(&true);
                open.push(is_under && !(byte == b'{' && is_schema(bytes, at)));
                is_named = false;
            }
            b'}' | b']' => {
                open.pop();
            }
            b',' => is_named = false,
            _ => {}
        }
    }
    if done == 0 {
        return Cow::Borrowed(line);
    }
    out.push_str(&line[done..]);
    Cow::Owned(out)
}

/// The inside of a string without its secrets. Escapes may hide them, and the string may hold JSON of its own.
fn inside(token: &str) -> Cow<'_, str> {
    let decoded =
        token.contains('\\').then(|| serde_json::from_str::<String>(&format!("\"{token}\"")).ok()).flatten();
    let Some(decoded) = decoded else { return text(token) };
    let is_json = decoded.starts_with(['{', '[']) && aqueduct_wire::peek(&decoded).is_ok();
    let kept = if is_json { json(&decoded) } else { text(&decoded) };
    match kept {
        // What is only known by its escapes.
        Cow::Borrowed(_) => text(token),
        Cow::Owned(kept) => {
            let encoded = serde_json::Value::String(kept).to_string();
            Cow::Owned(encoded[1..encoded.len() - 1].to_owned())
        }
    }
}

fn next_is_colon(bytes: &[u8], at: usize) -> bool {
    bytes[at.min(bytes.len())..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

/// Whether the object that opened before `at` describes a value in place of holding one: `password` in the
/// schema of a tool's input is not a secret.
fn is_schema(bytes: &[u8], at: usize) -> bool {
    let rest = bytes[at.min(bytes.len())..].trim_ascii_start();
    ["type", "$ref", "description", "title", "enum", "anyOf", "oneOf", "allOf"]
        .iter()
        .any(|name| rest.get(1..).is_some_and(|rest| rest.starts_with(name.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_under_a_secrets_name_are_taken_out() {
        for (given, kept) in [
            (r#"{"api_key": "abc", "n": 1e2}"#, r#"{"api_key": "[redacted]", "n": 1e2}"#),
            (
                r#"{"headers":{"Authorization":["x","y"]}}"#,
                r#"{"headers":{"Authorization":["[redacted]","[redacted]"]}}"#,
            ),
            (r#"{"env":{"MY_TOKEN":"a","PATH":"b"}}"#, r#"{"env":{"MY_TOKEN":"[redacted]","PATH":"b"}}"#),
            (r#"{"cookies":{"sid":{"v":"q"}},"a":"b"}"#, r#"{"cookies":{"sid":{"v":"[redacted]"}},"a":"b"}"#),
            (r#"{"a":"sk-ant\u002dabcdefgh1, \u006byes"}"#, r#"{"a":"[redacted], kyes"}"#),
            (
                r#"{"a":"https:\/\/hooks.slack.com\/services\/T0000\/B0000\/abcdefghijkl"}"#,
                r#"{"a":"https://[redacted]"}"#,
            ),
            (r#"{"a":"x?password\u003dhunter\u0026y=1"}"#, r#"{"a":"x?password=[redacted]&y=1"}"#),
            (
                r#"{"a":"{\"cookies\":{\"sid\":\"q\"},\"n\":1}"}"#,
                r#"{"a":"{\"cookies\":{\"sid\":\"[redacted]\"},\"n\":1}"}"#,
            ),
            (
                r#"{"a":"say {\\\"password\\\": \\\"hunter\\\"}"}"#,
                r#"{"a":"say {\\\"password\\\": \\\"[redacted]\\\"}"}"#,
            ),
            (r#"{"a":"use sk-ant-abcdefgh1 \"now\""}"#, r#"{"a":"use [redacted] \"now\""}"#),
        ] {
            assert_eq!(json(given), kept);
        }
    }

    #[test]
    fn everything_else_stays() {
        for kept in [
            r#"{"usage":{"input_tokens":5,"max_tokens":9},"apiKeySource":"ANTHROPIC_API_KEY"}"#,
            r#"{"token":null,"password":"","secret":7}"#,
            r#"{"properties":{"password":{"type":"string","description":"of the user"}}}"#,
            r#"{"a":"\"token\"","b":["token","x"]}"#,
            r#"{"a":"\/ \u0041 \ud800 \u00e9\n"}"#,
        ] {
            assert_eq!(json(kept), kept);
        }
    }
}
