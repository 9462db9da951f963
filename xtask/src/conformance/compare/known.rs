//! Differences that are meant. The list in docs/conformance.md is written from this table.

use super::finding::{Finding, What};
use super::rules::fits;

pub(in crate::conformance) struct Known {
    /// Patterns, in which `*` matches anything. Of scenarios there may be several, with spaces between them.
    pub(in crate::conformance) scenario: &'static str,
    pub(in crate::conformance) kind: &'static str,
    /// Empty: the frame as a whole.
    pub(in crate::conformance) field: &'static str,
    pub(in crate::conformance) what: What,
    pub(in crate::conformance) reason: &'static str,
}

/// A member that the reference has and the agent has not, in all scenarios.
const fn missing(kind: &'static str, field: &'static str, reason: &'static str) -> Known {
    Known { scenario: "*", kind, field, what: What::Missing, reason }
}

/// A member that the agent has and the reference has not, in all scenarios.
const fn extra(kind: &'static str, field: &'static str, reason: &'static str) -> Known {
    Known { scenario: "*", kind, field, what: What::Extra, reason }
}

/// A member that both have, with another value, in all scenarios.
const fn differs(kind: &'static str, field: &'static str, reason: &'static str) -> Known {
    Known { scenario: "*", kind, field, what: What::Differs, reason }
}

/// A difference in some scenarios.
const fn within(
    scenario: &'static str,
    what: What,
    kind: &'static str,
    field: &'static str,
    reason: &'static str,
) -> Known {
    Known { scenario, kind, field, what, reason }
}

/// A difference in the answers of slash commands.
const fn commands(what: What, kind: &'static str, field: &'static str) -> Known {
    Known { scenario: "commands-built-in", kind, field, what, reason: TEXT_OF_COMMANDS }
}

const INVALID_FIRST: &str = "the result of an invalid call is sent at once; the reference asks about the next call \
    first";
const REPEATED: &str = "the scripted model repeats the result of the call, whose text is the program's own";
const DENIED_TOKENS: &str = "the newest answer of the subagent counts; where a hook denies its call, the reference counts \
    the one before";
const NO_SUCH_FEATURE: &str = "reports a feature of the reference that the agent does not have";
const STATISTICS: &str = "statistics of the reference about itself; no host reads them";
const OWN_LISTS: &str = "each program has its own commands, agents, skills and plugins";
const CONTINUES: &str = "bad input is answered with an `error` frame and the conversation continues; the reference \
    ends or sends nothing";
const SUGGESTIONS: &str = "what is suggested is narrower, and a folder that is open already is not suggested";
const REASONS: &str = "the host receives the reason for a question, also where the reference omits it";
const NO_CLASSIFIER: &str = "no classifier exists: what plan mode does not allow is asked or denied by rules";
const PLAN: &str = "the plan comes with the call, and is kept in a file named after the session";

const MORE_TOOLS: &str =
    "Grep, Glob and TodoWrite are tools here; the reference has them only where asked for";
const KEPT_COST: &str = "what was spent before a kill is counted; the reference forgets it";

const TEXT_OF_COMMANDS: &str = "commands of the agent answer in its own words, and some that need a terminal there \
    answer here";
/// Scenarios in which `/cost` or `/usage` answers.
const COSTS: &str = "slash-cost slash-usage slash-while-busy";
const SUMMARY: &str = "a summary is made in one call of the model, in words of its own";
const SKILL_AGAIN: &str =
    "a skill is reported in full each time; the reference adds a line when it was reported before";

const WHEN_IT_ENDS: &str = "how much of a subagent's work a result counts depends on when it comes";

const BUDGET: &str =
    "a call that has started when the budget is spent gets its result; the reference drops it";

const VERIFIER: &str =
    "the last answer of an agent that verifies for a hook is counted; the reference may not count it";

const REPORTS: &str = "a report is the subagent's text; the reference puts notes of its own before it";

const HOOK_SUGGESTIONS: &str = "hooks get the same suggestions as the host, which are narrower";

const AS_WRITTEN: &str = "a call is reported as the model made it";

const WHOLE_PATH: &str = "results name the file by its whole path, which hooks and host get too";

const NOTEBOOK_BYTES: &str =
    "a notebook keeps its formatting where it is not changed; the reference writes it anew";

const MISNAMED: &str =
    "an answer under the name of another event counts as a refusal; the reference ignores it";

const EVERY_DENIAL: &str = "PermissionDenied hooks run for every denial without a question; the reference runs them for its classifier";

const NOT_PARSED: &str = "a command that cannot be parsed is asked about";

const TRUST_GIVEN: &str =
    "a rule that the user adds to the project counts at once; the reference needs trust in the folder";

const STDERR: &str = "the reference reports answers that are not valid on stderr, too";

const NOT_VALID: &str = "the frame of a hook shows what the hook printed; why that is not valid is on stderr, in words of our own";

const NO_PATTERN: &str = "a matcher that is not a pattern is reported to the user";

const ALL_RECEIVED: &str =
    "all hooks of a prompt are awaited; the reference does not await those behind the first refusal";

const RESUMED_ID: &str =
    "hooks of a resumed session have its id; the reference gives them another one, which it drops";

const ZEROS: &str = "a text file with NUL bytes is not read: models can't use it";

const KEPT_USAGE: &str = "usage that is kept from an earlier process names model and provider, too";

const ADVICE: &str = "a failure begins with the same words; what to do about it follows in words of our own";
/// Scenarios in which the model is asked to continue.
const CONTINUED: &str = "stream-error-always stream-cut-after-text stream-without-* stream-empty-text stream-blank-text \
    stop-max-tokens stop-max-tokens-always stop-max-tokens-without-content stop-refusal* \
    stop-tool-use-without-tool* stop-without-content* stop-context-window";
const ASKED: &str = "the model is asked to continue in words of our own";
/// The scenario in which every stream is empty.
const NEVER_STREAMED: &str = "stream-again-without-events-ever";
const STREAMS_AGAIN: &str = "a stream that failed is asked for again as a stream; the reference asks for the whole \
    message at once";

const NEWER_FLAGS: &str =
    "a flag that is not known is ignored with a warning: hosts of newer versions pass it";
const SENT_AGAIN: &str = "a host that sends a prompt again learns that it was answered";
const BLANK: &str = "a blank text is not part of the transcript";
const OPEN_REASON: &str = "an answer that did not end has no reason for its end";
const RETRACTED: &str = "an answer that is taken back is named on the prompt that asks for another one, and stays in \
    the transcript";
const INTERRUPTED_INSIDE: &str =
    "the calls of a subagent that the user interrupts get results, and what it used is counted";

const OWN_NAME: &str = "MCP servers receive the name of the program, which differs";

pub(in crate::conformance) static KNOWN: &[Known] = &[
    missing("control_request/mcp_message", "request.message.params.clientInfo.*", OWN_NAME),
    differs("control_request/mcp_message", "request.message.params.clientInfo.*", OWN_NAME),
    missing("system/init", "messaging_socket_path", NO_SUCH_FEATURE),
    missing("system/init", "terminal_slash_commands", NO_SUCH_FEATURE),
    missing("system/init", "ultrathink_*", NO_SUCH_FEATURE),
    missing("system/init", "per_turn_effort_active", NO_SUCH_FEATURE),
    missing("system/init", "view_mode", NO_SUCH_FEATURE),
    missing("system/init", "fast_mode_disabled_reason", NO_SUCH_FEATURE),
    missing("system/init", "memory_paths", NO_SUCH_FEATURE),
    differs("system/init", "skills", OWN_LISTS),
    differs("system/init", "plugins", OWN_LISTS),
    differs("control_response", "response.response.commands[].argumentHint", OWN_LISTS),
    differs("control_response", "response.response.capabilities*", "only what is honoured is listed"),
    missing("control_response", "response.response.fast_mode_disabled_reason", NO_SUCH_FEATURE),
    missing("control_response", "response.response.feedback_mode", NO_SUCH_FEATURE),
    missing("control_response", "response.response.ide_rc_auto_enable_gate", NO_SUCH_FEATURE),
    missing("control_response", "response.response.remote_control_*", NO_SUCH_FEATURE),
    missing("control_response", "response.response.user_output_styles_dir", NO_SUCH_FEATURE),
    missing("control_response", "response.response.models[].supportsAutoMode", NO_SUCH_FEATURE),
    differs("control_response", "response.response.applied.ultracodeAvailable", NO_SUCH_FEATURE),
    missing("control_response", "response.response.skills", NO_SUCH_FEATURE),
    missing("control_response", "response.response.slashCommands", NO_SUCH_FEATURE),
    missing("control_response", "response.response.mcpInstructions", NO_SUCH_FEATURE),
    missing("control_response", "response.response.messageBreakdown", STATISTICS),
    missing("control_response", "response.response.auto*", STATISTICS),
    differs("control_response", "response.response.gridRows", "a picture for terminals; left empty"),
    Known {
        scenario: "controls",
        kind: "control_response",
        field: "response.response.error",
        what: What::Differs,
        reason: "changes can always be undone; the reference must be asked to keep what files were",
    },
    missing("system/commands_changed", "commands[].builtin", OWN_LISTS),
    missing("system/background_tasks_changed", "", "comes at no fixed time"),
    missing("result", "fast_mode_disabled_reason", NO_SUCH_FEATURE),
    Known {
        scenario: "subagent*",
        kind: "result",
        field: "*odel*",
        what: What::Differs,
        reason: WHEN_IT_ENDS,
    },
    Known {
        scenario: "subagent*",
        kind: "result",
        field: "total_cost_usd",
        what: What::Differs,
        reason: WHEN_IT_ENDS,
    },
    Known {
        scenario: "background-resumed",
        kind: "system/task_notification",
        field: "summary",
        what: What::Differs,
        reason: "what ended with an earlier process is reported in the program's own words",
    },
    missing("result", "safety_stops", STATISTICS),
    missing("result", "subagent_stats", STATISTICS),
    missing("user/tool_result", "tool_use_result.toolStats", STATISTICS),
    missing("user/tool_result", "tool_use_result.harness*", STATISTICS),
    Known {
        scenario: "skills-with-hooks",
        kind: "user/tool_result",
        field: "tool_use_result.content*",
        what: What::Differs,
        reason: REPORTS,
    },
    missing("stream_event/*", "thinking_display", NO_SUCH_FEATURE),
    missing("assistant/thinking", "thinking_display", NO_SUCH_FEATURE),
    differs(
        "result",
        "queued_turn_count",
        "the prompts that wait are counted; the reference was only seen to send 0",
    ),
    Known {
        scenario: "max-budget",
        kind: "result",
        field: "usage.*",
        what: What::Differs,
        reason: "what was spent is reported, also where the turn ends because of it",
    },
    Known { scenario: "max-budget", kind: "user/tool_result", field: "", what: What::Extra, reason: BUDGET },
    Known { scenario: "max-budget", kind: "result", field: "num_turns", what: What::Differs, reason: BUDGET },
    Known {
        scenario: "hook-agent",
        kind: "result",
        field: "*odel*sage*",
        what: What::Differs,
        reason: VERIFIER,
    },
    Known {
        scenario: "hook-agent",
        kind: "result",
        field: "total_cost_usd",
        what: What::Differs,
        reason: VERIFIER,
    },
    Known {
        scenario: "effort-and-fast-mode",
        kind: "control_response",
        field: "response.response.sources",
        what: What::Differs,
        reason: "settings of the host that were cleared are listed as empty",
    },
    missing(
        "assistant/tool_use",
        "message.content[].input.replace_all",
        "a call is reported as the model made it",
    ),
    extra("control_request/can_use_tool", "request.decision_reason*", REASONS),
    extra("control_request/can_use_tool", "request.explanation", REASONS),
    extra("system/permission_denied", "decision_reason_type", REASONS),
    differs("control_request/can_use_tool", "request.permission_suggestions*", SUGGESTIONS),
    missing("control_request/can_use_tool", "request.permission_suggestions*", SUGGESTIONS),
    extra("control_request/can_use_tool", "request.permission_suggestions*", SUGGESTIONS),
    missing("control_request/can_use_tool", "request.classifier_approvable", NO_SUCH_FEATURE),
    missing("assistant/tool_use", "tool_use_meta", NO_SUCH_FEATURE),
    differs("control_request/hook_callback", "request.input.permission_suggestions*", HOOK_SUGGESTIONS),
    missing("control_request/hook_callback", "request.input.permission_suggestions*", HOOK_SUGGESTIONS),
    extra("control_request/hook_callback", "request.input.permission_suggestions*", HOOK_SUGGESTIONS),
    missing("control_request/hook_callback", "request.input.tool_response.harness*", STATISTICS),
    missing("control_request/hook_callback", "request.input.tool_response.toolStats", STATISTICS),
    within("callback-subagent", What::Differs, "*", "*.content*", REPORTS),
    within(
        "callback-subagent",
        What::Differs,
        "control_request/hook_callback",
        "*.last_assistant_message",
        REPORTS,
    ),
    within("order-not-valid-among-valid", What::Missing, "control_request/can_use_tool", "", INVALID_FIRST),
    within("order-not-valid-among-valid", What::Extra, "control_request/can_use_tool", "", INVALID_FIRST),
    within("subagent*", What::Extra, "stream_event/content_block_delta/text_delta", "", REPEATED),
    within(
        "skills-with-hooks",
        What::Differs,
        "system/task_notification",
        "usage.total_tokens",
        DENIED_TOKENS,
    ),
    within("answer-subagent", What::Differs, "user/tool_result", "tool_use_result.content*", REPORTS),
    within("hook-event-subagent", What::Differs, "user/tool_result", "tool_use_result.content*", REPORTS),
    within("check-wrong-types", What::Differs, "assistant/tool_use", "message.content[].input.*", AS_WRITTEN),
    within("check-relative-paths", What::Differs, "*", "*ile*ath", WHOLE_PATH),
    within("check-notebook", What::Differs, "*", "*_file", NOTEBOOK_BYTES),
    within("*-misnamed", What::Differs, "user/tool_result", "message.content[].is_error", MISNAMED),
    within(
        "*-misnamed",
        What::Differs,
        "user/tool_result",
        "tool_result_meta[].permission_decision.*",
        MISNAMED,
    ),
    within("*-misnamed", What::Extra, "user/tool_result", "tool_result_meta[].non_execution_kind", MISNAMED),
    within("*-misnamed", What::Differs, "user/tool_result", "tool_use_result", MISNAMED),
    within("*-misnamed", What::Differs, "result", "permission_denials", MISNAMED),
    within(
        "callback-misnamed",
        What::Extra,
        "user/tool_result",
        "tool_result_meta[].permission_decision.reason_type",
        MISNAMED,
    ),
    within("callback-misnamed", What::Extra, "user/tool_result", "tool_result_meta", MISNAMED),
    within("callback-misnamed", What::Extra, "system/informational", "", MISNAMED),
    within("callback-misnamed", What::Missing, "control_request/can_use_tool", "", MISNAMED),
    within("callback-empty", What::Extra, "system/informational", "", MISNAMED),
    within("hook-answer-misnamed", What::Differs, "system/hook_response", "exit_code", NOT_VALID),
    within("hook-answer-misnamed", What::Differs, "system/hook_response", "output", NOT_VALID),
    within("hook-answer-misnamed", What::Differs, "system/hook_response", "stdout", NOT_VALID),
    within(
        "hook-answer-misnamed hook-answer-not-valid",
        What::Differs,
        "system/hook_response",
        "stderr",
        NOT_VALID,
    ),
    within("hook-answer-matchers", What::Extra, "system/informational", "", NO_PATTERN),
    within("hook-event-prompt-several", What::Extra, "system/hook_response", "", ALL_RECEIVED),
    within("hook-event-start-again", What::Differs, "system/hook_*", "session_id", RESUMED_ID),
    within("hook-answer-denied", What::Extra, "system/hook_*", "", EVERY_DENIAL),
    within("hook-answer-denied", What::Differs, "system/hook_*", "*", EVERY_DENIAL),
    within("check-bash-results", What::Extra, "control_request/can_use_tool", "", NOT_PARSED),
    within(
        "check-bash-results",
        What::Differs,
        "control_request/can_use_tool",
        "request.decision_reason_type",
        NOT_PARSED,
    ),
    within("check-bash-results", What::Differs, "control_request/hook_callback", "request_id", NOT_PARSED),
    within(
        "check-bash-results",
        What::Missing,
        "user/tool_result",
        "tool_result_meta[].permission_decision.reason_type",
        NOT_PARSED,
    ),
    within(
        "check-bash-results",
        What::Differs,
        "user/tool_result",
        "tool_result_meta[].permission_decision.source",
        NOT_PARSED,
    ),
    within("answer-updates-project", What::Missing, "control_request/can_use_tool", "", TRUST_GIVEN),
    within(
        "answer-updates-project",
        What::Differs,
        "control_request/can_use_tool",
        "request_id",
        TRUST_GIVEN,
    ),
    within(
        "answer-updates-project",
        What::Extra,
        "user/tool_result",
        "tool_result_meta[].permission_decision.reason_type",
        TRUST_GIVEN,
    ),
    within(
        "answer-updates-project",
        What::Differs,
        "user/tool_result",
        "tool_result_meta[].permission_decision.source",
        TRUST_GIVEN,
    ),
    within("answer-updates-project", What::Differs, "exit", "stderr", TRUST_GIVEN),
    within("check-read-zeros", What::Differs, "control_request/hook_callback", "request.callback_id", ZEROS),
    within(
        "check-read-zeros",
        What::Differs,
        "control_request/hook_callback",
        "request.input.hook_event_name",
        ZEROS,
    ),
    within(
        "check-read-zeros",
        What::Missing,
        "control_request/hook_callback",
        "request.input.tool_response",
        ZEROS,
    ),
    within("check-read-zeros", What::Extra, "control_request/hook_callback", "request.input.error", ZEROS),
    within(
        "check-read-zeros",
        What::Extra,
        "control_request/hook_callback",
        "request.input.is_interrupt",
        ZEROS,
    ),
    within("check-read-zeros", What::Extra, "user/tool_result", "message.content[].is_error", ZEROS),
    within("check-read-zeros", What::Differs, "user/tool_result", "tool_use_result", ZEROS),
    within("background-resumed", What::Extra, "result", "modelUsage.*.canonicalModel", KEPT_USAGE),
    within("background-resumed", What::Extra, "result", "modelUsage.*.costBasis", KEPT_USAGE),
    within("background-resumed", What::Extra, "result", "modelUsage.*.provider", KEPT_USAGE),
    within("callback-misnamed", What::Differs, "exit", "stderr", STDERR),
    within("callback-empty", What::Differs, "exit", "stderr", STDERR),
    within("callback-error", What::Differs, "exit", "stderr", STDERR),
    within("callback-not-valid", What::Differs, "exit", "stderr", STDERR),
    within("hook-answer-matchers", What::Differs, "exit", "stderr", STDERR),
    missing("control_request/can_use_tool", "request.server_policy_ask_only", NO_SUCH_FEATURE),
    missing(
        "control_request/can_use_tool",
        "request.description",
        "only a tool's own description is reported",
    ),
    missing("system/informational", "", NO_CLASSIFIER),
    missing("system/permission_denied", "decision_reason*", NO_CLASSIFIER),
    differs("system/permission_denied", "decision_reason_type", NO_CLASSIFIER),
    extra("control_request/can_use_tool", "request.input.plan", PLAN),
    differs("user/tool_result", "tool_use_result.plan", PLAN),
    differs("user/tool_result", "tool_use_result.filePath", PLAN),
    extra("control_request/can_use_tool", "request.blocked_path", REASONS),
    Known {
        scenario: "plan",
        kind: "user/tool_result",
        field: "tool_result_meta[]*",
        what: What::Differs,
        reason: NO_CLASSIFIER,
    },
    Known {
        scenario: "files",
        kind: "user/tool_result",
        field: "*",
        what: What::Differs,
        reason: MORE_TOOLS,
    },
    Known {
        scenario: "files",
        kind: "user/tool_result",
        field: "*",
        what: What::Missing,
        reason: MORE_TOOLS,
    },
    Known {
        scenario: "files",
        kind: "user/tool_result",
        field: "tool_result_meta",
        what: What::Extra,
        reason: MORE_TOOLS,
    },
    Known {
        scenario: "answers-in-a-form",
        kind: "user/text",
        field: "message.content[].text",
        what: What::Differs,
        reason: "the model is asked for the form in words of our own",
    },
    Known {
        scenario: "commands-of-the-project",
        kind: "user/text",
        field: "*",
        what: What::Differs,
        reason: SKILL_AGAIN,
    },
    Known {
        scenario: "commands-of-the-project",
        kind: "user/text",
        field: "",
        what: What::Missing,
        reason: SKILL_AGAIN,
    },
    Known {
        scenario: "commands-of-the-project",
        kind: "result",
        field: "num_turns",
        what: What::Differs,
        reason: SKILL_AGAIN,
    },
    commands(What::Differs, "assistant/text", "message.content[].text"),
    commands(What::Differs, "assistant/text", "local_command_run.command"),
    commands(What::Missing, "assistant/text", "local_command_outcome"),
    commands(What::Extra, "assistant/text", "local_command_run"),
    commands(What::Missing, "assistant/text", "context_usage.skills"),
    commands(What::Differs, "result", "result"),
    commands(What::Extra, "result", "local_command"),
    missing("system/compact_boundary", "compact_metadata.cumulative_dropped_tokens", STATISTICS),
    Known {
        scenario: "commands-built-in hook-event-compact",
        kind: "user/text",
        field: "message.content",
        what: What::Differs,
        reason: SUMMARY,
    },
    Known {
        scenario: "commands-built-in hook-event-compact",
        kind: "result",
        field: "model*sage*",
        what: What::Differs,
        reason: SUMMARY,
    },
    Known {
        scenario: "commands-built-in hook-event-compact",
        kind: "result",
        field: "total_cost_usd",
        what: What::Differs,
        reason: SUMMARY,
    },
    Known { scenario: "resume-killed", kind: "result", field: "*", what: What::Differs, reason: KEPT_COST },
    within("failure-advised-*", What::Differs, "assistant/text", "message.content[].text", ADVICE),
    within("failure-advised-*", What::Differs, "result", "result", ADVICE),
    within("failure-advised-*", What::Differs, "transcript_assistant", "content[].text", ADVICE),
    within(CONTINUED, What::Differs, "user/text", "message.content[].text", ASKED),
    within(CONTINUED, What::Differs, "context_user", "content[].text", ASKED),
    within(CONTINUED, What::Differs, "transcript_user", "content[].text", ASKED),
    within("stream-again-*", What::Extra, "stream_event/*", "", STREAMS_AGAIN),
    within("stream-again-*", What::Extra, "system/api_retry", "", STREAMS_AGAIN),
    within("stream-again-*", What::Differs, "assistant/text", "message.stop_reason", STREAMS_AGAIN),
    within("stream-again-*", What::Differs, "assistant/text", "message.usage.output_tokens", STREAMS_AGAIN),
    within("stream-again-*", What::Missing, "assistant/text", "message.usage.*", STREAMS_AGAIN),
    within("stream-again-*", What::Differs, "result", "*odel*sage*", STREAMS_AGAIN),
    within("stream-again-*", What::Differs, "result", "total_cost_usd", STREAMS_AGAIN),
    within("stream-again-*", What::Differs, "result", "usage.output_tokens", STREAMS_AGAIN),
    within("stream-again-*", What::Extra, "result", "*_ms", STREAMS_AGAIN),
    within(NEVER_STREAMED, What::Differs, "assistant/text", "error", STREAMS_AGAIN),
    within(NEVER_STREAMED, What::Extra, "assistant/text", "request_id", STREAMS_AGAIN),
    within(NEVER_STREAMED, What::Differs, "assistant/text", "message.content[].text", ADVICE),
    within(NEVER_STREAMED, What::Differs, "result", "result", ADVICE),
    within(NEVER_STREAMED, What::Differs, "transcript_assistant", "content[].text", ADVICE),
    within("stream-cut-after-tool", What::Differs, "assistant/text", "message.content[].text", ADVICE),
    within("stream-cut-after-tool", What::Differs, "transcript_assistant", "content[].text", ADVICE),
    within("stream-*-text", What::Missing, "transcript_assistant", "", BLANK),
    within("stream-*", What::Differs, "transcript_assistant", "stop_reason", OPEN_REASON),
    within("stop-refusal-*", What::Differs, "transcript_assistant", "stop_reason", OPEN_REASON),
    within("stop-tool-use-*", What::Missing, "assistant/text", "supersedes", RETRACTED),
    within("stop-tool-use-*", What::Extra, "transcript_assistant", "", RETRACTED),
    within(COSTS, What::Differs, "assistant/text", "message.content[].text", TEXT_OF_COMMANDS),
    within(COSTS, What::Differs, "result", "result", TEXT_OF_COMMANDS),
    within("flag-unknown", What::Extra, "*", "", NEWER_FLAGS),
    within("flag-unknown", What::Differs, "exit", "code", NEWER_FLAGS),
    within("form-blank-string", What::Differs, "result", "result", ADVICE),
    within("form-uuid-twice", What::Extra, "command_lifecycle", "", SENT_AGAIN),
    within("form-uuid-twice", What::Extra, "user/replay", "timestamp", "a prompt that comes back has a time"),
    within("interrupted-subagent", What::Extra, "user/*", "", INTERRUPTED_INSIDE),
    within("interrupted-subagent", What::Extra, "system/task_notification", "usage", INTERRUPTED_INSIDE),
    within("stop-*-always", What::Differs, "assistant/text", "message.content[].text", ADVICE),
    within("stop-*-always", What::Differs, "result", "result", ADVICE),
    within("stop-*-always", What::Differs, "transcript_assistant", "content[].text", ADVICE),
    Known { scenario: "input-*", kind: "error", field: "", what: What::Extra, reason: CONTINUES },
    Known { scenario: "input-*", kind: "*", field: "", what: What::Extra, reason: CONTINUES },
    Known { scenario: "input-*", kind: "exit", field: "code", what: What::Differs, reason: CONTINUES },
    Known { scenario: "input-*", kind: "exit", field: "stderr", what: What::Differs, reason: CONTINUES },
];

pub(super) fn explain(scenario: &str, finding: &Finding) -> Option<&'static Known> {
    KNOWN.iter().find(|known| {
        known.what == finding.what
            && known.scenario.split(' ').any(|pattern| fits(pattern, scenario))
            && fits(known.kind, &finding.kind)
            && fits(known.field, &finding.field)
    })
}
