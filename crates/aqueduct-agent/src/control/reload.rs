//! Requests that read files again, and that say what the host has read itself.

use std::time::{Duration, UNIX_EPOCH};

use aqueduct_wire::control::{ReloadPluginsReply, ReloadSkillsReply, SeedReadStateRequest};
use aqueduct_wire::json::Raw;
use aqueduct_wire::machine::{ControlError, INVALID_REQUEST};

use super::{ControlAnswer, done, initialize, reply};
use crate::session::AgentSession;

/// Reads skills, commands and subagents again. Plugins themselves are read when a session starts.
pub(super) async fn plugins(session: &AgentSession) -> ControlAnswer {
    session.refresh_custom_commands().await;
    let mut answer = ReloadPluginsReply::new();
    answer.commands = Some(session.commands());
    answer.agents = Some(initialize::agents(session));
    answer.plugins = Some(session.listed_plugins().iter().map(Raw::written).collect());
    answer.mcp_servers = Some(session.tool_context.mcp.status());
    answer.error_count = Some((session.plugins.diagnostics().len() as u64).into());
    reply(&answer)
}

/// Reads skills and commands again.
pub(super) async fn skills(session: &AgentSession) -> ControlAnswer {
    session.refresh_custom_commands().await;
    let mut answer = ReloadSkillsReply::new();
    answer.skills = Some(session.listed_skills().iter().map(Raw::written).collect());
    reply(&answer)
}

/// Notes that the host has read a file when it was last changed at `mtime`, so that the model may edit it.
pub(super) fn seed_read_state(session: &AgentSession, request: &SeedReadStateRequest<'_>) -> ControlAnswer {
    let Some(changed) = request.mtime.as_ref().map(|time| time.as_f64()).filter(|time| *time >= 0.0) else {
        let message = "seed_read_state: mtime must be a number of milliseconds";
        return Err(ControlError::new(INVALID_REQUEST, message));
    };
    let path = session.tool_context.workspace.cwd().join(request.path.as_str());
    // Hosts leave out what is less than a millisecond.
    let read = Duration::try_from_secs_f64((changed.floor() + 1.0) / 1000.0)
        .ok()
        .and_then(|since| UNIX_EPOCH.checked_add(since - Duration::from_nanos(1)));
    if let Some(read) = read {
        session.tool_context.files.read_state.note_read(&path, read);
    }
    done()
}
