//! What a subagent is sent for.

use std::sync::Arc;

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::identity::Identity;
use crate::tool::{Failure, Output};

/// What a subagent is to do.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    /// The name of the subagent type that is to do it.
    pub(crate) kind: String,
    /// The task.
    pub(crate) prompt: String,
    /// The task in a few words, for people.
    pub(crate) description: String,
    /// What it is called by, beside its id.
    pub(crate) name: Option<String>,
    /// A model in place of the definition's.
    pub(crate) model: Option<String>,
    /// How often the model may be called, in place of what the definition says.
    pub(crate) max_turns: Option<u32>,
    /// Nobody waits for it.
    pub(crate) is_background: bool,
    /// It works in a worktree of its own.
    pub(crate) is_isolated: bool,
    /// The call that wants it done.
    pub(crate) tool_use_id: String,
    /// The subagent that does it with the conversation it has; a new one, where there is none.
    pub(crate) continues: Option<Identity>,
    /// The subagent that wants it done, and the model that it has; neither, where it is the agent itself.
    pub(crate) sender: Option<Sender>,
}

/// A subagent that sends another one.
#[derive(Debug, Clone)]
pub(crate) struct Sender {
    /// Who it is.
    pub(crate) identity: Arc<Identity>,
    /// Its model.
    pub(crate) model: String,
}

/// An order on its way to the session's loop.
pub(crate) struct SubagentTask {
    /// What is to be done.
    pub(crate) order: Order,
    /// Ends it when the user interrupts whoever waits.
    pub(crate) cancel: CancellationToken,
    /// Where the result of the call goes.
    pub(crate) reply: oneshot::Sender<Result<Output, Failure>>,
}
