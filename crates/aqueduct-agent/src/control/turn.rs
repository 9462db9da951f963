//! Requests about the running turn and the prompts that wait.

use aqueduct_wire::control::{
    Acknowledgement, CancelAsyncMessageReply, CancelAsyncMessageRequest, InterruptReply, InterruptRequest,
    StopTaskRequest,
};
use aqueduct_wire::frame::CommandState;
use tokio_util::sync::CancellationToken;

use super::{ControlAnswer, reply};
use crate::session::AgentSession;

/// What runs when a request comes, for an interrupt to stop.
#[derive(Clone, Copy)]
pub(crate) enum RunningWork<'r> {
    /// Nothing.
    Nothing,
    /// The hooks of the session's beginning. Prompts wait for them.
    Start(&'r CancellationToken),
    /// A turn.
    Turn(&'r CancellationToken),
}

/// Stops the running turn and subagents in the background. The answer acknowledges the request: the result is sent
/// when the turn has ended.
pub(super) async fn interrupt(
    session: &AgentSession,
    request: &InterruptRequest<'_>,
    running: RunningWork<'_>,
) -> ControlAnswer {
    session.tool_context.subagents.pool.stop_all();
    if let RunningWork::Start(_) = running {
        // The turn of the prompts that wait ends as an interrupted turn.
        session.prompts.interrupt();
    }
    stop(session, running).await;
    let mut answer = InterruptReply::new();
    if request.cancel_queued == Some(true) {
        let cancelled = session.cancel_prompts();
        for prompt in &cancelled {
            session.send_lifecycle(prompt, CommandState::Cancelled).await;
        }
        answer.cancelled = Some(cancelled.into_iter().map(|prompt| prompt.uuid.into()).collect());
    }
    answer.still_queued = Some(session.prompts.named().into_iter().map(Into::into).collect());
    reply(&answer)
}

/// Stops what runs, and withdraws its open requests.
pub(super) async fn stop(session: &AgentSession, running: RunningWork<'_>) {
    if let RunningWork::Start(cancel) | RunningWork::Turn(cancel) = running {
        cancel.cancel();
        session.host.withdraw().await;
    }
}

/// Cancels a prompt that waits.
pub(super) async fn cancel_message(
    session: &AgentSession,
    request: &CancelAsyncMessageRequest<'_>,
) -> ControlAnswer {
    let cancelled = session.prompts.cancel(&request.message_uuid);
    if let Some(prompt) = &cancelled {
        session.send_lifecycle(prompt, CommandState::Cancelled).await;
    }
    let mut answer = CancelAsyncMessageReply::new();
    answer.cancelled = Some(cancelled.is_some());
    reply(&answer)
}

/// Stops a command or a subagent in the background. It is not an error if it has ended.
pub(super) async fn stop_task(session: &AgentSession, request: &StopTaskRequest<'_>) -> ControlAnswer {
    if let Some(task) = session.tool_context.commands.background.find(&request.task_id) {
        task.stop().await;
        session.finish_command(&task.report(&[])).await;
    }
    if let Some(member) = session.tool_context.subagents.pool.find(&request.task_id) {
        member.stop();
    }
    reply(&Acknowledgement::new())
}
