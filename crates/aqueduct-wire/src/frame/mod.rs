//! Frames: one JSON object a line, from the agent or to it.

mod conversation;
mod kept;
pub(crate) mod line;
mod notice;
mod result;

pub use conversation::{
    AbandonedBlocks, AssistantFrame, LocalCommandOutcome, LocalCommandRun, Priority, StreamEventFrame,
    ToolDecision, ToolDecisionKind, ToolResultMeta, ToolUseMeta, UserFrame,
};
pub use kept::FrameWithLine;
pub use notice::{
    ActiveGoal, AuthStatus, AutocompactState, BareControl, CommandLifecycle, CommandState, ConversationReset,
    ErrorFrame, Goal, KeepAlive, PromptSuggestion, RateLimitEvent, ResetTrigger, StreamlinedText,
    StreamlinedToolUseSummary, SubagentRetry, ToolProgress, ToolUseSummary, TranscriptMirror,
    UpdateEnvironment, WakeupSource,
};
pub use result::{
    DeferredToolUse, InvalidConfigFile, PermissionDenial, ResultFrame, ResultSubtype, StartupFailureReason,
    SubagentStats, SubagentsKilled, SubagentsRefused, SubagentsRequested, TerminalReason,
};

use crate::control::{AgentRequestFrame, ControlCancelFrame, ControlResponseFrame, HostRequestFrame};
use crate::system::SystemFrame;
use crate::table::union;

union! {
    /// A frame on the agent's stdout.
    FromAgent<'a> by "type" {
        "stream_event" => StreamEvent(Box<StreamEventFrame<'a>>) since "2.1.37",
        "assistant" => Assistant(Box<AssistantFrame<'a>>) since "2.1.37",
        "user" => User(Box<UserFrame<'a>>) since "2.1.37",
        "system" => System(SystemFrame<'a>) since "2.1.37",
        "result" => Result(Box<ResultFrame<'a>>) since "2.1.37",
        "control_request" => ControlRequest(Box<AgentRequestFrame<'a>>) since "2.1.37",
        "control_response" => ControlResponse(Box<ControlResponseFrame<'a>>) since "2.1.37",
        "control_cancel_request" => ControlCancelRequest(ControlCancelFrame<'a>) since "2.1.37",
        "tool_progress" => ToolProgress(Box<ToolProgress<'a>>) since "2.1.50",
        "tool_use_summary" => ToolUseSummary(Box<ToolUseSummary<'a>>) since "2.1.50",
        "auth_status" => AuthStatus(Box<AuthStatus<'a>>) since "2.1.37",
        "rate_limit_event" => RateLimitEvent(Box<RateLimitEvent<'a>>) since "2.1.50",
        "prompt_suggestion" => PromptSuggestion(Box<PromptSuggestion<'a>>) since "2.1.50",
        "conversation_reset" => ConversationReset(Box<ConversationReset<'a>>) since "2.1.325",
        "active_goal" => ActiveGoal(Box<ActiveGoal<'a>>) since "2.1.325",
        "command_lifecycle" => CommandLifecycle(Box<CommandLifecycle<'a>>) since "2.1.325",
        "transcript_mirror" => TranscriptMirror(Box<TranscriptMirror<'a>>) since "2.1.325",
        "autocompact_state" => AutocompactState(Box<AutocompactState<'a>>) since "2.1.325",
        "keep_alive" => KeepAlive(Box<KeepAlive<'a>>) since "2.1.50",
        "streamlined_text" => StreamlinedText(Box<StreamlinedText<'a>>) since "2.1.37",
        "streamlined_tool_use_summary" => StreamlinedToolUseSummary(Box<StreamlinedToolUseSummary<'a>>) since "2.1.37",
        "error" => Error(Box<ErrorFrame<'a>>) since "2.1.37",
    }
}

union! {
    /// A frame on the agent's stdin.
    ToAgent<'a> by "type" {
        "user" => User(Box<UserFrame<'a>>) since "2.1.37",
        "control_request" => ControlRequest(Box<HostRequestFrame<'a>>) since "2.1.37",
        "control_response" => ControlResponse(Box<ControlResponseFrame<'a>>) since "2.1.37",
        "control_cancel_request" => ControlCancelRequest(ControlCancelFrame<'a>) since "2.1.37",
        "keep_alive" => KeepAlive(Box<KeepAlive<'a>>) since "2.1.37",
        "update_environment_variables" => UpdateEnvironment(Box<UpdateEnvironment<'a>>) since "2.1.37",
        "control" => Control(Box<BareControl<'a>>) since "2.1.37",
    }
}

line::frame!(FromAgent);
line::frame!(ToAgent);
