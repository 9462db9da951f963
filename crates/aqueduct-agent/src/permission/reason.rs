//! What hosts know the reasons of decisions by.

use aqueduct_rules::{Decision, Mode};
use aqueduct_tools::{BASH, OfferedTool};
use aqueduct_wire::control::DecisionReasonType;
use serde_json::Value;

/// The reason of an allowance. That a tool is harmless is none, but a mode that allows all calls allows that one, too.
pub(super) fn of_allowance(mode: Mode, input: &Value, decision: &Decision) -> Option<&'static str> {
    match decision.reason_type {
        DecisionReasonType::OtherReason => (mode == Mode::BypassPermissions).then_some("mode"),
        _ if is_by_exact_rule(input, decision) => Some("rule"),
        _ => name(decision),
    }
}

/// The reason of a denial: commands are looked at part by part, unless a rule is for the whole.
pub(super) fn of_denial(tool: &OfferedTool, input: &Value, decision: &Decision) -> Option<&'static str> {
    match decision.reason_type {
        DecisionReasonType::Rule
            if tool.is(|facts| facts.runs_commands) && !is_by_exact_rule(input, decision) =>
        {
            DecisionReasonType::SubcommandResults.listed()
        }
        _ => name(decision),
    }
}

/// The reason of a question: where a command has one part, that there are parts is none.
pub(super) fn of_question(decision: &Decision) -> DecisionReasonType<'static> {
    match decision.reason_type {
        DecisionReasonType::SubcommandResults if decision.parts.len() == 1 => DecisionReasonType::OtherReason,
        _ => decision.reason_type.clone(),
    }
}

/// The name of a decision's reason.
pub(super) fn name(decision: &Decision) -> Option<&'static str> {
    decision.reason_type.listed()
}

/// Whether a rule for exactly this command decided.
fn is_by_exact_rule(input: &Value, decision: &Decision) -> bool {
    let Some(command) = input.get("command").and_then(Value::as_str) else { return false };
    let rule = format!("{BASH}({command})");
    decision.trace.iter().any(|step| step.behavior == decision.behavior && step.rule.as_ref() == Some(&rule))
}

#[cfg(test)]
mod tests {
    use aqueduct_rules::{Behavior, Call, Context, Source, decide};
    use serde_json::json;

    use super::*;
    use aqueduct_tools::BuiltInTool;

    fn decided(command: &str) -> (Value, Decision) {
        let mut context = Context::new("/project");
        let rules = |rules: &[&str]| rules.iter().map(|rule| (*rule).to_owned()).collect::<Vec<_>>();
        context
            .add_rules(Source::CliArg, Behavior::Allow, rules(&["Bash(touch a)", "Bash(mkdir:*)"]))
            .unwrap();
        context.add_rules(Source::CliArg, Behavior::Deny, rules(&["Bash(mkdir bad)", "Bash(rm:*)"])).unwrap();
        let input = json!({ "command": command });
        let decision = decide(&context, &Call::new(BASH, &input));
        (input, decision)
    }

    #[test]
    fn a_rule_for_the_whole_command_is_the_reason_and_otherwise_its_parts_are() {
        for (command, expected) in [
            ("touch a", "rule"),
            ("mkdir good", "subcommandResults"),
            ("mkdir x && touch a", "subcommandResults"),
        ] {
            let (input, decision) = decided(command);
            assert_eq!(of_allowance(Mode::Default, &input, &decision), Some(expected), "{command}");
        }
        let bash = OfferedTool::Own(BuiltInTool::called(BASH).unwrap());
        for (command, expected) in [
            ("mkdir bad", "rule"),
            ("rm x", "subcommandResults"),
            ("mkdir x && mkdir bad", "subcommandResults"),
        ] {
            let (input, decision) = decided(command);
            assert_eq!(of_denial(&bash, &input, &decision), Some(expected), "{command}");
        }
    }

    #[test]
    fn parts_are_the_reason_of_a_question_where_there_are_several() {
        assert_eq!(of_question(&decided("curl http://127.0.0.1").1), DecisionReasonType::OtherReason);
        assert_eq!(of_question(&decided("curl a; curl b").1), DecisionReasonType::SubcommandResults);
    }

    #[test]
    fn a_harmless_tool_is_allowed_for_a_reason_only_where_the_mode_allows_all() {
        let input = json!({});
        let decision = decide(&Context::new("/project"), &Call::new("TodoWrite", &input));
        assert_eq!(decision.behavior, Behavior::Allow);
        assert_eq!(of_allowance(Mode::Default, &input, &decision), None);
        assert_eq!(of_allowance(Mode::BypassPermissions, &input, &decision), Some("mode"));
    }
}
