//! How to allow what was denied because no user could be asked.

use aqueduct_rules::{Call, Context, decide};
use aqueduct_wire::json::Raw;
use aqueduct_wire::permission::PermissionUpdate;

/// The option that would have allowed a call.
pub(super) fn allow(tool: &str, input: Option<&Raw<'_>>, cwd: Option<&str>) -> String {
    let input = input.and_then(|input| input.to::<serde_json::Value>().ok()).unwrap_or_default();
    let decision = decide(&Context::new(cwd.unwrap_or("/")), &Call::new(tool, &input).in_any_repository());
    let rule = decision.suggestions.iter().find_map(|update| match update {
        PermissionUpdate::AddRules(update) => update.rules.first().map(ToString::to_string),
        _ => None,
    });
    match (rule, tool) {
        (Some(rule), _) if !rule.contains('\'') => format!("--allowed-tools '{rule}' would allow it"),
        (_, "Edit" | "Write" | "NotebookEdit") => "--permission-mode acceptEdits would allow it".to_owned(),
        _ => format!("--allowed-tools {tool} would allow all its calls"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(tool: &str, input: &str) -> String {
        allow(tool, Some(&Raw::parse(input).unwrap()), Some("/proj"))
    }

    #[test]
    fn the_narrowest_rule_is_named() {
        assert_eq!(
            hint("Bash", r#"{"command":"npm run build"}"#),
            "--allowed-tools 'Bash(npm run *)' would allow it"
        );
        assert_eq!(
            hint("Write", r#"{"file_path":"/proj/a"}"#),
            "--permission-mode acceptEdits would allow it"
        );
        assert_eq!(hint("mcp__x__y", "{}"), "--allowed-tools 'mcp__x__y' would allow it");
    }
}
