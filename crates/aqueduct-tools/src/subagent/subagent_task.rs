//! What a subagent is sent for.

use std::sync::Arc;

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::identity::SubagentIdentity;
use crate::call::{CallOutput, ToolFailure};

/// What a subagent is to do.
#[derive(Debug, Clone)]
pub struct SubagentRequest {
    /// The name of the subagent type that is to do it.
    pub kind: String,
    /// The task.
    pub prompt: String,
    /// The task in a few words, for people.
    pub description: String,
    /// A name for it, besides its id.
    pub name: Option<String>,
    /// A model in place of the definition's.
    pub model: Option<String>,
    /// How often the model may be called, in place of the definition's limit.
    pub max_turns: Option<u32>,
    /// It runs in the background: no call waits for it.
    pub is_background: bool,
    /// It works in a worktree of its own.
    pub is_isolated: bool,
    /// The call that wants it done.
    pub tool_use_id: String,
    /// The subagent that does it with the conversation it has; a new one, where there is none.
    pub continues: Option<SubagentIdentity>,
    /// The subagent that wants it done, and the model that it has; neither, where it is the agent itself.
    pub sender: Option<ParentSubagent>,
}

/// A subagent that starts another one.
#[derive(Debug, Clone)]
pub struct ParentSubagent {
    /// Who it is.
    pub identity: Arc<SubagentIdentity>,
    /// Its model.
    pub model: String,
}

/// An order on its way to the session's loop.
pub struct SubagentTask {
    /// What is to be done.
    pub order: SubagentRequest,
    /// Ends it when the user interrupts the agent that waits for it.
    pub cancel: CancellationToken,
    /// Where the result of the call goes.
    pub reply: oneshot::Sender<Result<CallOutput, ToolFailure>>,
}
