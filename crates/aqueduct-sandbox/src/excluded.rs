//! Commands that settings leave outside of the sandbox.

use aqueduct_rules::{Behavior, Call, Context, Decision, Source, Stage, decide};
use serde_json::json;

/// Whether every command of a text is one of those that are left outside. The patterns are those of rules for Bash,
/// and the text is read as those read it: one part that matches takes no other part along, and what can't be seen
/// before it runs stays inside.
pub(super) fn covers(patterns: &[String], command: &str) -> bool {
    if patterns.is_empty() {
        return false;
    }
    // Which files it touches is another question, which is asked when it is to run.
    let mut rules = Context::new("/").with_open_prefixes();
    // A pattern that makes no rule leaves nothing outside.
    let _ = rules.add_rules(
        Source::UserSettings,
        Behavior::Allow,
        patterns.iter().map(|pattern| format!("Bash({pattern})")),
    );
    let decided = |command: &str| {
        let input = json!({ "command": command });
        decide(&rules, &Call::new("Bash", &input).in_any_repository())
    };
    let by_rule = |decision: &Decision| {
        decision.behavior == Behavior::Allow
            && decision.trace.iter().any(|step| step.step == Stage::Allow && step.rule.is_some())
    };
    let whole = decided(command);
    whole.behavior == Behavior::Allow
        && !whole.parts.is_empty()
        && whole.parts.iter().all(|part| !part.inside && by_rule(&decided(&part.command)))
}

#[cfg(test)]
mod tests {
    use super::covers;

    #[test]
    fn every_part_needs_its_own_pattern() {
        let patterns: Vec<String> = ["docker *", "make", "kubectl get:*"].map(str::to_owned).to_vec();
        let is_out = |command: &str| covers(&patterns, command);
        for command in [
            "docker ps",
            "docker run -v a:b x",
            "make",
            "docker ps && make",
            "docker cp ../a b",
            "kubectl get pods | docker x",
        ] {
            assert!(is_out(command), "{command}");
        }
        for command in [
            "docker ps; rm -rf ~",
            "docker $(rm x)",
            "docker x > /etc/passwd",
            "make install",
            "ls && docker ps",
            "docker ps | sh",
            "cd / && docker ps",
            "echo docker ps",
            "ls",
            "dockerx ps",
            "docker x &",
            "",
            "docker ps <<EOF\n$(rm x)\nEOF",
        ] {
            assert!(!is_out(command), "{command}");
        }
        assert!(!covers(&[], "docker ps"));
    }
}
