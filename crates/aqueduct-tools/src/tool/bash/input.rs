//! What the model wants to run, checked.

use aqueduct_wire::json::Raw;
use aqueduct_wire::tool::BashInput;

use crate::tool::ToolFailure;

/// How long a command may be: Linux takes no longer argument than 128 KiB, and ours has a frame around it.
const MAX_COMMAND: usize = 120 * 1024;

/// What the model wants to run.
#[derive(Debug)]
pub(super) struct BashRequest {
    /// The command.
    pub(super) command: String,
    /// How long it may take, in milliseconds.
    pub(super) timeout: Option<u64>,
    /// What it does, for people.
    pub(super) description: Option<String>,
    /// Whether the model continues while the command runs.
    pub(super) background: bool,
    /// Whether the model wants it outside of the sandbox.
    pub(super) leaves: bool,
}

impl BashRequest {
    /// Checks a call's input.
    pub(super) fn read(input: &Raw<'_>) -> Result<BashRequest, ToolFailure> {
        let Some(input) = input.view::<BashInput<'_>>() else {
            return Err(rejected("Bash needs `command`, a string."));
        };
        let mut timeout = None;
        if let Some(number) = &input.timeout {
            timeout = Some(number.as_f64());
        }
        let mut background = input.run_in_background.unwrap_or(false);
        let mut leaves = input.dangerously_disable_sandbox.unwrap_or(false);
        for (name, value) in input.extra.iter() {
            // Models write numbers and booleans as strings now and then; what is meant is plain.
            match (name, value.as_str().trim_matches('"')) {
                ("timeout", text) if text.parse::<f64>().is_ok() => timeout = text.parse().ok(),
                ("run_in_background", "true") => background = true,
                ("dangerouslyDisableSandbox", "true") => leaves = true,
                ("run_in_background" | "dangerouslyDisableSandbox", "false") => {}
                ("timeout", _) => return Err(rejected("`timeout` must be a number of milliseconds.")),
                ("description", _) => return Err(rejected("`description` must be a string.")),
                ("run_in_background" | "dangerouslyDisableSandbox", _) => {
                    return Err(rejected(format!("`{name}` must be true or false.")));
                }
                _ => return Err(rejected(format!("Bash has no parameter `{name}`."))),
            }
        }
        // Models write 0 for no limit of their own.
        let timeout = timeout.filter(|time| *time >= 1.0).map(|time| time as u64);
        Ok(BashRequest {
            command: checked(input.command.into_string())?,
            timeout,
            description: input.description.map(|text| text.into_string()).filter(|text| !text.is_empty()),
            background,
            leaves,
        })
    }

    /// What the command does, in one line for people.
    pub(super) fn title(&self) -> &str {
        self.description.as_deref().unwrap_or(&self.command)
    }
}

/// A command that can be run, and that people saw as it is when they allowed it.
fn checked(command: String) -> Result<String, ToolFailure> {
    if let Some(bad) = command.chars().find(|char| char.is_control() && !matches!(char, '\n' | '\t')) {
        return Err(rejected(format!(
            "The command contains the control character U+{:04X}, which is invisible in a permission request. \
             Write it as an escape, such as $'\\x1b'.",
            u32::from(bad)
        )));
    }
    if command.len() > MAX_COMMAND {
        return Err(rejected(format!(
            "The command is {} bytes long; the system accepts at most {MAX_COMMAND}. Write it to a file and \
             run the file.",
            command.len()
        )));
    }
    Ok(command)
}

fn rejected(text: impl Into<String>) -> ToolFailure {
    ToolFailure::Rejected(format!("InputValidationError: {}", text.into()))
}

#[cfg(test)]
mod tests {
    use super::{BashRequest, MAX_COMMAND};
    use crate::tool::ToolFailure;
    use aqueduct_wire::json::Raw;

    fn read(json: &str) -> Result<BashRequest, String> {
        BashRequest::read(&Raw::parse(json).unwrap()).map_err(|failure| match failure {
            ToolFailure::Rejected(text) => text,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn numbers_and_booleans_may_be_strings() {
        let request =
            read(r#"{"command":"ls","timeout":"1500","run_in_background":"true","description":""}"#).unwrap();
        assert_eq!((request.timeout, request.background, request.title()), (Some(1500), true, "ls"));
    }

    #[test]
    fn a_timeout_below_a_millisecond_is_none() {
        for timeout in ["0", "-5", "0.2"] {
            let request = read(&format!(r#"{{"command":"ls","timeout":{timeout}}}"#)).unwrap();
            assert_eq!(request.timeout, None, "{timeout}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for (input, expected) in [
            (r#"{}"#, "command"),
            (r#"{"command":7}"#, "command"),
            (r#"{"command":"ls","timeout":"soon"}"#, "timeout"),
            (r#"{"command":"ls","run_in_background":3}"#, "run_in_background"),
            (r#"{"command":"ls","cwd":"/"}"#, "cwd"),
            (r#"{"command":"a\u0000b"}"#, "U+0000"),
            (r#"{"command":"a\rb"}"#, "U+000D"),
            (r#"{"command":"a\u009bb"}"#, "U+009B"),
        ] {
            let error = read(input).unwrap_err();
            assert!(error.contains(expected), "{input}: {error}");
        }
    }

    #[test]
    fn a_command_that_the_system_cannot_take_is_refused() {
        let input = format!(r#"{{"command":"{}"}}"#, "x".repeat(MAX_COMMAND + 1));
        assert!(read(&input).unwrap_err().contains("Write it to a file"));
    }
}
