//! Requests about the turn that runs and the prompts that wait.

use aqueduct_wire::control::{
    Acknowledgement, CancelAsyncMessageReply, CancelAsyncMessageRequest, InterruptReply, InterruptRequest,
    StopTaskRequest,
};
use aqueduct_wire::frame::CommandState;
use tokio_util::sync::CancellationToken;

use super::{Answer, reply};
use crate::session::Session;

/// What runs when a request comes, for an interrupt to stop.
#[derive(Clone, Copy)]
pub(crate) enum Running<'r> {
    /// Nothing.
    Nothing,
    /// The hooks of the session's beginning. Prompts wait for them.
    Start(&'r CancellationToken),
    /// A turn.
    Turn(&'r CancellationToken),
}

/// Stops the turn that runs, and subagents in the background. The answer means that it was heard: the result
/// comes when the turn has ended.
pub(super) async fn interrupt(
    session: &Session,
    request: &InterruptRequest<'_>,
    running: Running<'_>,
) -> Answer {
    session.tool_context.subagents.pool.stop_all();
    if let Running::Start(_) = running {
        // For the user it is their turn that waits: it ends as an interrupted turn does.
        let prompts = session.dequeue();
        session.state().interrupted.extend(prompts);
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
    answer.still_queued = Some(session.queue().named().into_iter().map(Into::into).collect());
    reply(&answer)
}

/// Stops what runs, and takes its open questions back.
pub(super) async fn stop(session: &Session, running: Running<'_>) {
    if let Running::Start(cancel) | Running::Turn(cancel) = running {
        cancel.cancel();
        session.host.withdraw().await;
    }
}

/// Takes a prompt back that waits.
pub(super) async fn cancel_message(session: &Session, request: &CancelAsyncMessageRequest<'_>) -> Answer {
    let cancelled = session.cancel_prompt(&request.message_uuid);
    if let Some(prompt) = &cancelled {
        session.send_lifecycle(prompt, CommandState::Cancelled).await;
    }
    let mut answer = CancelAsyncMessageReply::new();
    answer.cancelled = Some(cancelled.is_some());
    reply(&answer)
}

/// Stops a command or a subagent in the background. One that is not there has ended, which is what was
/// wanted.
pub(super) async fn stop_task(session: &Session, request: &StopTaskRequest<'_>) -> Answer {
    if let Some(task) = session.tool_context.commands.background.find(&request.task_id) {
        task.stop().await;
        session.finish_command(&task.report(&[])).await;
    }
    if let Some(member) = session.tool_context.subagents.pool.find(&request.task_id) {
        member.stop();
    }
    reply(&Acknowledgement::new())
}
