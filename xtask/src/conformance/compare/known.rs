//! Differences that are meant. The list in docs/conformance.md is written from this table.

use super::finding::{Finding, What};
use super::rules::fits;

pub(in crate::conformance) struct Known {
    /// Patterns: `*` stands for anything.
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

/// A difference in the answers of slash commands.
const fn commands(what: What, kind: &'static str, field: &'static str) -> Known {
    Known { scenario: "commands-built-in", kind, field, what, reason: TEXT_OF_COMMANDS }
}

const NO_SUCH_FEATURE: &str = "tells of a feature of the reference that the agent does not have";
const STATISTICS: &str = "statistics of the reference about itself; no host reads them";
const OWN_LISTS: &str = "each program has its own commands, agents, skills and plugins";
const GOES_ON: &str = "bad input is answered with an `error` frame and the conversation goes on; the reference \
    ends or says nothing";
const SUGGESTIONS: &str = "what is suggested is narrower, and a folder that is open already is not suggested";
const REASONS: &str = "the host is told why it is asked, also where the reference keeps it to itself";
const NO_CLASSIFIER: &str =
    "there is no classifier: what plan mode does not allow is asked or denied by rules";
const PLAN: &str = "the plan comes with the call, and is kept in a file named after the session";

const MORE_TOOLS: &str =
    "Grep, Glob and TodoWrite are tools here; the reference has them only where asked for";
const KEPT_COST: &str = "what was spent before a kill is counted; the reference forgets it";

const TEXT_OF_COMMANDS: &str = "commands of the agent answer in its own words, and some that need a terminal there \
    answer here";
const SUMMARY: &str = "a summary is made in one call of the model, in words of its own";
const SKILL_AGAIN: &str =
    "a skill is told in full each time; the reference adds a line when it was told before";

const WHEN_IT_ENDS: &str = "how much of a subagent's work a result counts depends on when it comes";

const BUDGET: &str =
    "a call that has started when the budget is spent gets its result; the reference drops it";

const VERIFIER: &str =
    "the last answer of an agent that verifies for a hook is counted; the reference may not count it";

const REPORTS: &str = "a report is what the subagent said; the reference puts notes of its own before it";

const OWN_NAME: &str = "MCP servers are told who is there, and this is another program";

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
        scenario: "subagent-in-background",
        kind: "result",
        field: "*odel*",
        what: What::Differs,
        reason: WHEN_IT_ENDS,
    },
    Known {
        scenario: "subagent-in-background",
        kind: "result",
        field: "total_cost_usd",
        what: What::Differs,
        reason: WHEN_IT_ENDS,
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
        "the prompts that wait are counted; the reference was only seen to say 0",
    ),
    Known {
        scenario: "max-budget",
        kind: "result",
        field: "usage.*",
        what: What::Differs,
        reason: "what was spent is told, also where the turn ends because of it",
    },
    Known { scenario: "max-budget", kind: "user/tool_result", field: "", what: What::Extra, reason: BUDGET },
    Known { scenario: "max-budget", kind: "result", field: "num_turns", what: What::Differs, reason: BUDGET },
    Known {
        scenario: "hook-prompt",
        kind: "system/informational",
        field: "",
        what: What::Extra,
        reason: "a hook that ends a turn is named",
    },
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
        "a call is told as the model made it",
    ),
    extra("control_request/can_use_tool", "request.decision_reason*", REASONS),
    extra("system/permission_denied", "decision_reason_type", REASONS),
    differs("control_request/can_use_tool", "request.permission_suggestions*", SUGGESTIONS),
    missing("control_request/can_use_tool", "request.permission_suggestions*", SUGGESTIONS),
    extra("control_request/can_use_tool", "request.permission_suggestions*", SUGGESTIONS),
    missing("control_request/can_use_tool", "request.server_policy_ask_only", NO_SUCH_FEATURE),
    missing("control_request/can_use_tool", "request.description", "only a tool's own description is told"),
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
        scenario: "commands-built-in",
        kind: "user/text",
        field: "message.content",
        what: What::Differs,
        reason: SUMMARY,
    },
    Known {
        scenario: "commands-built-in",
        kind: "result",
        field: "model*sage*",
        what: What::Differs,
        reason: SUMMARY,
    },
    Known {
        scenario: "commands-built-in",
        kind: "result",
        field: "total_cost_usd",
        what: What::Differs,
        reason: SUMMARY,
    },
    Known { scenario: "resume-killed", kind: "result", field: "*", what: What::Differs, reason: KEPT_COST },
    Known { scenario: "input-*", kind: "error", field: "", what: What::Extra, reason: GOES_ON },
    Known { scenario: "input-*", kind: "*", field: "", what: What::Extra, reason: GOES_ON },
    Known { scenario: "input-*", kind: "exit", field: "code", what: What::Differs, reason: GOES_ON },
    Known { scenario: "input-*", kind: "exit", field: "stderr", what: What::Differs, reason: GOES_ON },
];

pub(super) fn explain(scenario: &str, finding: &Finding) -> Option<&'static Known> {
    KNOWN.iter().find(|known| {
        known.what == finding.what
            && fits(known.scenario, scenario)
            && fits(known.kind, &finding.kind)
            && fits(known.field, &finding.field)
    })
}
