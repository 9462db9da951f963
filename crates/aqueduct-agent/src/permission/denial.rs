//! What the model gets in place of a result where a call was denied and the user was not asked.
//!
//! Hosts recognise these denials by the first sentence, which has the form that the reference CLI uses, and offer their
//! users to allow the call. The reason follows.

use aqueduct_tools::{FileUse, OfferedTool};
use serde_json::Value;

/// A call that needs approval where the host can't be asked.
pub(super) fn ungranted(tool: &OfferedTool, input: &Value, reason: &str) -> String {
    let own = tool.own();
    let action = match (own.and_then(|own| own.facts.files), own.and_then(|own| own.path(input))) {
        (Some(FileUse::Change), Some(path)) => format!("write to {path}"),
        (Some(FileUse::Read | FileUse::Search), Some(path)) => format!("read from {path}"),
        _ => format!("use {}", tool.name()),
    };
    format!("Claude requested permissions to {action}, but you haven't granted it yet. Reason: {reason}")
}

/// A call that a rule or a mode denies.
pub(super) fn forbidden(tool: &str, input: &Value, reason: &str) -> String {
    let command = match input.get("command").and_then(Value::as_str) {
        Some(command) => format!(" with command {command}"),
        None => String::new(),
    };
    format!("Permission to use {tool}{command} has been denied. Reason: {reason}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use aqueduct_tools::BuiltInTool;

    #[test]
    fn denials_begin_as_hosts_expect() {
        for (tool, input, expected) in [
            ("Write", json!({ "file_path": "/p/a" }), "write to /p/a"),
            ("NotebookEdit", json!({ "notebook_path": "/p/b" }), "write to /p/b"),
            ("Grep", json!({ "pattern": "x", "path": "/p" }), "read from /p"),
            ("Grep", json!({ "pattern": "x" }), "use Grep"),
            ("Bash", json!({ "command": "touch a" }), "use Bash"),
        ] {
            let tool = OfferedTool::Own(BuiltInTool::called(tool).unwrap());
            assert_eq!(
                ungranted(&tool, &input, "why"),
                format!(
                    "Claude requested permissions to {expected}, but you haven't granted it yet. Reason: why"
                )
            );
        }
        let denied = forbidden("Bash", &json!({ "command": "touch a" }), "why");
        assert_eq!(denied, "Permission to use Bash with command touch a has been denied. Reason: why");
        let denied = forbidden("WebFetch", &json!({}), "why");
        assert_eq!(denied, "Permission to use WebFetch has been denied. Reason: why");
    }
}
