//! How members are compared, and which frames have no place in the order. Tables only: a rule that
//! is not here is that members are equal.

use super::frame::Frame;

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    Equal,
    /// The same JSON type, both empty or both not; objects have the same members.
    Shape,
    /// Texts that each program words itself: both are there and not empty.
    Prose,
    /// Numbers that are the same up to rounding.
    Near,
}

struct FieldRule {
    /// A pattern: `*` matches anything.
    kind: &'static str,
    field: &'static str,
    rule: Rule,
}

const fn rule(kind: &'static str, field: &'static str, rule: Rule) -> FieldRule {
    FieldRule { kind, field, rule }
}

/// The first that fits counts.
const RULES: &[FieldRule] = &[
    // Which run it was, when, and how long it took.
    rule("*", "uuid", Rule::Shape),
    rule("*", "timestamp", Rule::Shape),
    rule("*", "*_ms", Rule::Shape),
    rule("system/task_updated", "patch.end_time", Rule::Shape),
    rule("assistant/*", "request_id", Rule::Shape),
    rule("system/init", "messaging_socket_path", Rule::Shape),
    rule("control_response", "response.response.pid", Rule::Shape),
    rule("*", "*.durationMs", Rule::Shape),
    rule("*", "*.totalDurationMs", Rule::Shape),
    rule("*", "*.durationSeconds", Rule::Shape),
    // New cells and kept outputs get names of their own.
    rule("*", "*.cell_id", Rule::Shape),
    rule("*", "*.persistedOutputPath", Rule::Shape),
    rule("control_request/hook_callback", "request.input.agent_transcript_path", Rule::Shape),
    rule("user/tool_result", "tool_use_result.outputFile", Rule::Shape),
    rule("system/task_notification", "output_file", Rule::Shape),
    rule("system/task_progress", "usage.total_tokens", Rule::Shape),
    rule("*", "*.cost_usd", Rule::Near),
    rule("*", "total_cost_usd", Rule::Near),
    rule("*", "*.costUSD", Rule::Near),
    // What a program is and brings with it.
    rule("system/init", "claude_code_version", Rule::Shape),
    rule("system/init", "tools", Rule::Shape),
    rule("system/init", "slash_commands", Rule::Shape),
    rule("system/init", "terminal_slash_commands", Rule::Shape),
    rule("system/init", "agents", Rule::Shape),
    rule("system/init", "skills", Rule::Shape),
    rule("system/init", "plugins", Rule::Shape),
    rule("system/init", "capabilities", Rule::Shape),
    rule("control_response", "response.response.commands", Rule::Shape),
    rule("system/commands_changed", "commands", Rule::Shape),
    rule("control_response", "response.response.agents", Rule::Shape),
    rule("control_response", "response.response.models", Rule::Shape),
    rule("control_response", "response.response.available_output_styles", Rule::Shape),
    // What get_context_usage and get_settings count and name is each program's own.
    rule("control_response", "response.response.categories", Rule::Shape),
    rule("control_response", "response.response.gridRows", Rule::Shape),
    rule("control_response", "response.response.totalTokens", Rule::Shape),
    rule("control_response", "response.response.percentage", Rule::Shape),
    rule("control_response", "response.response.*tokens", Rule::Shape),
    rule("control_response", "response.response.*Tokens", Rule::Shape),
    // Texts for people, in each program's own words.
    rule("control_response", "response.error", Rule::Prose),
    rule("user/tool_result", "message.content[].content", Rule::Prose),
    rule("user/tool_result", "message.content[].content[].text", Rule::Prose),
    rule("user/tool_result", "tool_use_result", Rule::Prose),
    rule("user/tool_result", "tool_use_result.message", Rule::Prose),
    rule("control_request/hook_callback", "request.input.error", Rule::Prose),
    rule("control_request/hook_callback", "request.input.tool_calls[].tool_response", Rule::Prose),
    rule("control_request/hook_callback", "request.input.reason", Rule::Prose),
    rule("result", "errors[]", Rule::Prose),
    rule("system/permission_denied", "message", Rule::Prose),
    rule("system/permission_denied", "decision_reason", Rule::Prose),
    rule("control_request/can_use_tool", "request.description", Rule::Prose),
    rule("control_request/can_use_tool", "request.decision_reason", Rule::Prose),
    rule("system/informational", "content", Rule::Prose),
    rule("system/model_fallback", "content", Rule::Prose),
    rule("assistant/text", "local_command_source", Rule::Prose),
    rule("user/replay", "message.content", Rule::Prose),
    rule("assistant/text", "context_usage.*okens", Rule::Shape),
    rule("assistant/text", "context_usage.categories", Rule::Shape),
    rule("system/compact_boundary", "compact_metadata.*_tokens", Rule::Shape),
    rule("context_user", "content[].content", Rule::Prose),
    rule("context_user", "content[].content[].text", Rule::Prose),
    rule("transcript_user", "content[].content[].text", Rule::Prose),
    rule("error", "*", Rule::Prose),
    rule("text", "text", Rule::Prose),
];

pub(super) fn rule_for(kind: &str, field: &str) -> Rule {
    let fits = |rule: &&FieldRule| fits(rule.kind, kind) && fits(rule.field, field);
    RULES.iter().find(fits).map_or(Rule::Equal, |rule| rule.rule)
}

/// Whether a pattern in which `*` matches anything matches a text.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|text| {
            let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            rest.is_empty() || ends.into_iter().any(|at| fits(rest, &text[at..]))
        }),
    }
}

/// Scenarios in which a text is cut off somewhere: one is the beginning of the other.
const CUT: &[&str] =
    &["interrupt-text", "signal-interrupt", "signal-terminate", "resume-killed", "form-priority-now"];

pub(super) fn is_cut(scenario: &str) -> bool {
    CUT.contains(&scenario)
}

/// What is done with frames that come at no fixed place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::conformance) enum Treatment {
    /// Compared with their kind, at any position.
    Loose,
    LeftOut,
}

/// In place of a kind: any frame of a subagent.
const OF_A_SUBAGENT: &str = "messages of a subagent";

/// Kinds of frames that come when they come, with the reason.
pub(in crate::conformance) const AT_ANY_TIME: &[(&str, Treatment, &str)] = &[
    ("rate_limit_event", Treatment::LeftOut, "is sent when the service reports it, at any time"),
    (
        "system/session_title_changed",
        Treatment::LeftOut,
        "a title is made beside the conversation, or not at all",
    ),
    ("system/notification", Treatment::LeftOut, "news about the program itself"),
    ("system/thinking_tokens", Treatment::LeftOut, "an estimate, as often as the clock allows"),
    ("system/hook_*", Treatment::Loose, "a call's hooks may begin while its message still ends"),
    (OF_A_SUBAGENT, Treatment::Loose, "it works beside the conversation"),
    ("system/task_*", Treatment::Loose, "a task ends when it ends"),
    ("system/background_tasks_changed", Treatment::Loose, "tasks begin and end beside the turn"),
    ("keep_alive", Treatment::LeftOut, "a sign of life after a pause"),
];

/// The frames of a session whose order counts, and the others.
pub(super) struct Divided {
    pub(super) ordered: Vec<Frame>,
    pub(super) loose: Vec<Frame>,
}

pub(super) fn divide(frames: Vec<Frame>) -> Divided {
    let mut divided = Divided { ordered: Vec::new(), loose: Vec::new() };
    for frame in frames {
        let is_subagents = frame.is_of_a_subagent();
        let treatment = AT_ANY_TIME
            .iter()
            .find(|(kind, ..)| (*kind == OF_A_SUBAGENT && is_subagents) || fits(kind, &frame.kind));
        match treatment.map(|(_, treatment, _)| treatment) {
            None => divided.ordered.push(frame),
            Some(Treatment::Loose) => divided.loose.push(frame),
            Some(Treatment::LeftOut) => {}
        }
    }
    divided
}
