//! Commands to a session.

use std::sync::Arc;

use aqueduct_wire::control::{HostRequest, InitializeReply};
use aqueduct_wire::json::Raw;
use tokio::sync::oneshot;

use super::watchers::Watcher;
use crate::failure::Failure;
use crate::message::Scope;
use crate::message::bridge::{Actor, InputAck, SessionSnapshot};
use crate::message::client::{
    AnswerQuestion, Approve, ApproveAlways, InputImage, InputPriority, Reject, SendInput,
};

/// The channel for the reply to a command.
pub(crate) type ReplySender<T> = oneshot::Sender<Result<T, Failure>>;

/// A command to a session.
#[derive(Debug)]
pub(crate) enum SessionCommand {
    /// Watch the session: first what `watch` names, then everything.
    Watch { watcher: Watcher, watch: WatchStart, reply: ReplySender<()> },
    /// Stop watching.
    Unwatch { client: u64 },
    /// Its current status.
    Snapshot { reply: ReplySender<SessionSnapshot<'static>> },
    /// Queue an input for the agent.
    Input {
        input: Box<SendInput<'static>>,
        client: Option<u64>,
        by: Actor<'static>,
        reply: ReplySender<InputAck<'static>>,
    },
    /// Change an input that waits.
    UpdateQueued {
        id: String,
        text: String,
        images: Option<Vec<InputImage<'static>>>,
        reply: ReplySender<()>,
    },
    /// Remove an input from the queue.
    CancelQueued { id: String, reply: ReplySender<()> },
    /// Move an input in the queue.
    MoveQueued { id: String, position: usize, reply: ReplySender<()> },
    /// Send a queued input to the agent now.
    SendQueued { id: String, priority: InputPriority<'static>, by: Actor<'static>, reply: ReplySender<()> },
    /// Decide an open request.
    Decide {
        decision: ClientDecision,
        /// The scope of the deciding credential.
        scope: Scope,
        by: Actor<'static>,
        reply: ReplySender<()>,
    },
    /// Stop the turn; with `hard` the agent is ended.
    Interrupt { hard: bool, by: Actor<'static>, reply: ReplySender<()> },
    /// End the agent.
    Stop { reply: ReplySender<()> },
    /// Send a control request to the agent, if it runs.
    Request { request: Box<HostRequest<'static>>, reply: ReplySender<Raw<'static>> },
    /// Change the permission mode.
    SetMode { mode: String, by: Actor<'static>, reply: ReplySender<()> },
    /// Change the model.
    SetModel { model: String, by: Actor<'static>, reply: ReplySender<()> },
    /// Rename it; without a name the generated title is used.
    Rename { title: Option<String>, by: Actor<'static>, reply: ReplySender<()> },
    /// Change the budget.
    SetBudget { budget: Option<f64>, reply: ReplySender<()> },
    /// Archive it, or restore it.
    Archive { archived: bool, reply: ReplySender<()> },
    /// Resume it, with another agent, model or mode if given.
    Resume {
        agent: Option<String>,
        model: Option<String>,
        mode: Option<String>,
        by: Actor<'static>,
        reply: ReplySender<()>,
    },
    /// What the agent reported when it was initialized, if it runs.
    Initialized { reply: ReplySender<Option<Arc<InitializeReply<'static>>>> },
    /// Close the actor: the session is deleted, or the bridge shuts down.
    Close { end_agent: bool, reply: oneshot::Sender<()> },
}

/// What a client receives first.
#[derive(Debug, Clone)]
pub(crate) enum WatchStart {
    /// The current status: for a client that watches all sessions.
    Now,
    /// Messages stored after this position; with a limit only the newest. `None` for no old messages.
    Since { seq: Option<u64>, limit: Option<u64>, request_id: Option<String>, plain: bool },
    /// The client fell behind: what it missed since this position.
    Again(u64),
}

/// A client's decision about an open request: the message that has it.
#[derive(Debug, Clone)]
pub(crate) enum ClientDecision {
    Approve(Box<Approve<'static>>),
    /// Its `updates` are there unless the narrowest suggestion is meant: `rules` count no more.
    ApproveAlways(Box<ApproveAlways<'static>>),
    Reject(Box<Reject<'static>>),
    Answer(Box<AnswerQuestion<'static>>),
}

impl ClientDecision {
    /// The request's id, or that of its tool call.
    pub(crate) fn id(&self) -> &str {
        match self {
            ClientDecision::Approve(message) => &message.id,
            ClientDecision::ApproveAlways(message) => &message.id,
            ClientDecision::Reject(message) => &message.id,
            ClientDecision::Answer(message) => &message.tool_use_id,
        }
    }

    /// The request's session, if it is named.
    pub(crate) fn session(&self) -> Option<&str> {
        match self {
            ClientDecision::Approve(message) => message.session_id.as_deref(),
            ClientDecision::ApproveAlways(message) => message.session_id.as_deref(),
            ClientDecision::Reject(message) => message.session_id.as_deref(),
            ClientDecision::Answer(message) => message.session_id.as_deref(),
        }
    }

    /// The hash of the input that the decision is about, if it is named.
    pub(crate) fn input_hash(&self) -> Option<&str> {
        match self {
            ClientDecision::Approve(message) => message.input_hash.as_deref(),
            ClientDecision::ApproveAlways(message) => message.input_hash.as_deref(),
            ClientDecision::Reject(message) => message.input_hash.as_deref(),
            ClientDecision::Answer(message) => message.input_hash.as_deref(),
        }
    }

    /// The reason of the rejection, if given.
    pub(super) fn rejection(&self) -> Option<&str> {
        match self {
            ClientDecision::Reject(message) => {
                message.message.as_deref().filter(|why| !why.trim().is_empty())
            }
            _ => None,
        }
    }

    /// Whether it allows what was asked for.
    pub(super) fn approves(&self) -> bool {
        matches!(self, ClientDecision::Approve(_) | ClientDecision::ApproveAlways(_))
    }
}
