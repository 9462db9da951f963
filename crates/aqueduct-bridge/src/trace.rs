//! The events that the bridge writes to the operator's log, besides those of [`failures`](crate::failures).
//!
//! Spans have the session and the request of a client that an event belongs to. They are written from the level `debug`
//! on; events of higher levels name their session themselves.

use std::fmt::Arguments;

use tracing::{Span, debug_span};

aqueduct_tracing::events! {
    /// The events of the bridge, without failures.
    pub const BRIDGE_EVENTS = "aqueduct::bridge";

    /// A device or a program was paired.
    pub(crate) fn device_paired(device_id: &str, name: &str, peer: Arguments<'_>) = INFO "device.paired": "a device was paired; it has access";
    /// A token for a program was created.
    pub(crate) fn token_created(device_id: &str, name: &str) = INFO "token.created": "a token for a program was created";
    /// Access was revoked.
    pub(crate) fn device_revoked(device_id: &str) = INFO "device.revoked": "access was revoked; its connections were closed";
    /// A device has another name.
    pub(crate) fn device_renamed(device_id: &str, name: &str) = INFO "device.renamed": "a device was renamed";

    /// A session was created.
    pub(crate) fn session_created(session_id: &str, agent: &str) = INFO "session.created": "a session was created";
    /// A session was deleted.
    pub(crate) fn session_deleted(session_id: &str) = INFO "session.deleted": "a session was deleted; its agent was ended";
    /// An agent was started.
    pub(crate) fn agent_started(session_id: &str, agent: &str, resumed: bool) = INFO "agent.started": "an agent was started for the session";
    /// An agent could not be started: the whole message.
    pub(crate) fn agent_not_started(session_id: &str, reason: &str) = DEBUG "agent.not_started": "details of a failed start";
    /// A bridge has attached to a keeper.
    pub(crate) fn keeper_attached(session_id: &str, agent_pid: u64, offset: u64) = DEBUG "keeper.attached": "the bridge has attached to the keeper of the session's agent";
    /// An agent ended as it was asked to.
    pub(crate) fn agent_ended(session_id: &str, ended: &str) = INFO "agent.ended": "the agent ended as requested";
    /// The end of what an agent wrote to stderr.
    pub(crate) fn agent_stderr(session_id: &str, stderr: &str) = DEBUG "agent.stderr": "the last lines that the agent wrote to stderr";
    /// A turn began.
    pub(crate) fn turn_begun(session_id: &str, input_id: &str) = DEBUG "turn.begun": "the agent has begun with an input";
    /// A turn ended.
    pub(crate) fn turn_ended(session_id: &str, is_error: bool) = DEBUG "turn.ended": "the agent has ended a turn; its result is stored";
    /// The agent asks for a decision.
    pub(crate) fn decision_asked(session_id: &str) = DEBUG "decision.asked": "the agent waits for a decision";
    /// A session that could not be stored, or whose keeper could not be used, was read again.
    pub(crate) fn session_reread(session_id: &str) = DEBUG "session.reread": "the session was read again from the event log, and continues";

    /// A client has connected.
    pub(crate) fn client_connected(client: u64, device_id: &str) = DEBUG "client.connected": "a client has connected";
    /// A client has disconnected.
    pub(crate) fn client_disconnected(client: u64, device_id: &str) = DEBUG "client.disconnected": "a client has disconnected; sessions continue";

    /// Traces or metrics are delivered after a failure.
    pub fn telemetry_recovered(signal: &str) = INFO "telemetry.recovered": "traces or metrics are delivered again";
}

/// The span of a session: everything that its actor does. It may begin in a request, and lives longer.
pub(crate) fn session_span(session_id: &str) -> Span {
    debug_span!(target: "aqueduct::bridge", parent: None, "session", session_id)
}

/// The span of a turn: from the agent's first line of it to its result.
pub(crate) fn turn_span(session_id: &str, input_id: &str) -> Span {
    debug_span!(target: "aqueduct::bridge", "turn", session_id, input_id)
}

/// The span of a client's request.
pub(crate) fn request_span(message: &str, device_id: &str) -> Span {
    debug_span!(target: "aqueduct::bridge", "request", message, device_id)
}
