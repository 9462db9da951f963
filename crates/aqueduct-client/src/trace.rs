//! The events that the SDK emits through `tracing`, for programs that install a subscriber. None hold what was said.

use std::fmt::Arguments;

use tracing::{Span, debug_span};

aqueduct_tracing::events! {
    /// The events of the SDK.
    pub const CLIENT_EVENTS = "aqueduct::client";

    /// An agent has ended, and all its output was read.
    pub(crate) fn agent_exited(status: Arguments<'_>) = DEBUG "agent.exited": "the agent has ended; callers that waited were notified";
    /// The agent takes no more input.
    pub(crate) fn input_lost(error: &str) = WARN "agent.input_lost": "the agent closed its input; what was not written fails, unless it ends within a second";
    /// The agent closed its output, and did not end.
    pub(crate) fn output_lost() = WARN "agent.output_lost": "the agent closed its output; it is ended if it does not end soon";
    /// The agent did not answer a request.
    pub(crate) fn request_timed_out(request: &str, after_ms: u64) = WARN "request.timed_out": "the agent did not answer a request in time; the caller received an error";
    /// The agent refused a request.
    pub(crate) fn request_refused(request: &str) = DEBUG "request.refused": "the agent refused a request; the caller received its error";
    /// A line of the agent is not a frame.
    pub(crate) fn line_unreadable() = DEBUG "line.unreadable": "a line of the agent is not a frame; it was passed on as noise";
    /// The agent has more open requests than are served.
    pub(crate) fn request_turned_away() = WARN "request.turned_away": "the agent has too many open requests; it received an error";
    /// A run has ended.
    pub(crate) fn run_ended() = DEBUG "run.ended": "the agent has ended a run";
}

/// The span of a session: everything that its driver does.
pub(crate) fn session_span(agent_pid: Option<u64>) -> Span {
    debug_span!(target: "aqueduct::client", "session", agent_pid)
}
