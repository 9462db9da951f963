//! The events that the agent writes to its log, where one is asked for: none hold prompts, answers, inputs of tools or
//! results. Spans have the session, the turn, the request to the model and the call that an event belongs to; they are
//! written from the level `debug` on, so that events of higher levels name their session themselves.

use std::fmt::Arguments;

use tracing::{Span, debug_span};

aqueduct_tracing::events! {
    /// The events of the agent.
    pub const AGENT_EVENTS = "aqueduct::agent";

    /// A session has begun.
    pub(crate) fn session_started(session_id: &str, version: &str) = INFO "session.started": "the session takes prompts";
    /// A session can't begin.
    pub(crate) fn session_not_started() = ERROR "session.not_started": "the session can't begin; the message on stderr has the reason, and the agent ends";
    /// A session has ended.
    pub(crate) fn session_ended(session_id: &str, exit_code: u64) = INFO "session.ended": "the session has ended; its transcript is stored";
    /// A turn has ended.
    pub(crate) fn turn_ended(session_id: &str, end: &str, is_error: bool, requests: u64, duration_ms: u64) = INFO "turn.ended": "the turn has ended; its result was sent";
    /// A turn could not be stored.
    pub(crate) fn turn_unsaved(session_id: &str) = ERROR "turn.unsaved": "the transcript can't be written; the turn was taken back, and the host received an error";
    /// A hook ended a turn.
    pub(crate) fn turn_halted(reason: &str) = DEBUG "turn.halted": "a hook ended the turn";
    /// A request goes to the model.
    pub(crate) fn model_requested(model: &str, messages: u64, tools: u64) = DEBUG "model.requested": "a request is sent to the model";
    /// The model has answered.
    pub(crate) fn model_answered(duration_ms: u64, blocks: u64, stop_reason: Option<&str>) = DEBUG "model.answered": "the model's answer is complete";
    /// An attempt failed, and another one follows.
    pub(crate) fn model_retried(session_id: &str, error: &str, status: Option<u64>, attempt: u64, delay_ms: u64) = WARN "model.retried": "a request to the model failed; it is repeated after the delay";
    /// The model could not be called.
    pub(crate) fn model_failed(session_id: &str, error: &str, status: Option<u64>, request_id: Option<&str>) = WARN "model.failed": "the model could not be called; the turn ends with an error";
    /// A call was decided about.
    pub(crate) fn call_decided(tool: &str, decision: &str, reason: Arguments<'_>) = DEBUG "call.decided": "rules and mode were applied to a call";
    /// A call is done.
    pub(crate) fn call_ended(tool: &str, call_id: &str, is_error: bool) = DEBUG "call.ended": "a call has its result";
    /// The host's answer has an update of permissions that is not valid.
    pub(crate) fn permission_update_invalid(error: Arguments<'_>) = DEBUG "permission.update_invalid": "an update of permissions is not valid and was left out";
    /// The host's answer names a suggestion that there is not.
    pub(crate) fn suggestion_unknown(index: u64) = DEBUG "permission.suggestion_unknown": "the host chose a suggestion that does not exist; it was left out";
    /// Hooks run for an event.
    pub(crate) fn hooks_fired(event: &str, hooks: u64) = DEBUG "hooks.fired": "hooks run for an event";
    /// No title was made.
    pub(crate) fn title_not_made(error: Arguments<'_>) = DEBUG "title.not_made": "the model gave no title; the session keeps the one that it has";
    /// No suggestion was made.
    pub(crate) fn prompt_not_suggested(error: Arguments<'_>) = DEBUG "prompt.not_suggested": "no next prompt is suggested";
}

/// The span of a session.
pub(crate) fn session_span(session_id: &str) -> Span {
    debug_span!(target: "aqueduct::agent", "session", session_id)
}

/// The span of a turn.
pub(crate) fn turn_span(turn_id: &str) -> Span {
    debug_span!(target: "aqueduct::agent", "turn", turn_id)
}

/// The span of a request to the model.
pub(crate) fn request_span(model: &str) -> Span {
    debug_span!(target: "aqueduct::agent", "request", model)
}

/// The span of a call of a tool in a turn.
pub(crate) fn call_span(turn: &Span, tool: &str, call_id: &str) -> Span {
    debug_span!(target: "aqueduct::agent", parent: turn, "call", tool, call_id)
}
