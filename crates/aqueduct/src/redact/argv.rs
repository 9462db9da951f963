//! Secrets in a command line.

use super::{REDACTED, is_secret, json, text};

/// Takes the secrets out of a program's arguments: `--api-key VALUE`, `--token=VALUE`, and whatever would be
/// found in text or JSON.
pub(crate) fn argv<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut is_named = false;
    arguments
        .into_iter()
        .map(|argument| {
            let is_value = std::mem::replace(&mut is_named, is_flag(argument) && is_secret(argument));
            if is_value && !is_flag(argument) {
                return REDACTED.to_owned();
            }
            match argument.split_once('=') {
                Some((name, value)) if is_word(name) && is_secret(name) && !value.is_empty() => {
                    format!("{name}={REDACTED}")
                }
                Some((name, value)) if is_word(name) && is_json(value) => format!("{name}={}", json(value)),
                _ if is_json(argument) => json(argument).into_owned(),
                _ => text(argument).into_owned(),
            }
        })
        .collect()
}

fn is_json(value: &str) -> bool {
    aqueduct_wire::peek(value).is_ok()
}

fn is_word(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn is_flag(argument: &str) -> bool {
    argument.starts_with('-') && argument.len() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_their_values() {
        let given = [
            "agent",
            "--api-key",
            "abc",
            "--token=x",
            "--max-tokens",
            "5",
            "--token",
            "--verbose",
            "KEY=1",
            r#"--settings={"env":{"A_SECRET":"b"}}"#,
            r#"{"env":{"A_SECRET":"b"}}"#,
        ];
        let kept = [
            "agent",
            "--api-key",
            "[redacted]",
            "--token=[redacted]",
            "--max-tokens",
            "5",
            "--token",
            "--verbose",
            "KEY=1",
            r#"--settings={"env":{"A_SECRET":"[redacted]"}}"#,
            r#"{"env":{"A_SECRET":"[redacted]"}}"#,
        ];
        assert_eq!(argv(given), kept);
    }
}
