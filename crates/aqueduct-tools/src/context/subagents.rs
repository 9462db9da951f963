//! The subagents of a conversation.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::call::{CallOutput, ToolFailure};
use crate::subagent::{
    MAX_DEPTH, ParentSubagent, SubagentIdentity, SubagentPool, SubagentRequest, SubagentTask, SubagentTypes,
};

/// How a conversation starts subagents, and which there are.
pub struct Subagents {
    /// Running and ended subagents of the session.
    pub pool: Arc<SubagentPool>,
    /// The subagent whose conversation this is; `None` for that of the session.
    pub owner: Option<ParentSubagent>,
    pub(crate) types: Arc<dyn SubagentTypes>,
    tasks: mpsc::Sender<SubagentTask>,
    /// The folder with the conversations of subagents; `None` where the session stores nothing.
    sidechains: Option<PathBuf>,
}

impl Subagents {
    /// The subagents of a session. Its loop receives the tasks.
    pub fn new(
        types: Arc<dyn SubagentTypes>,
        tasks: mpsc::Sender<SubagentTask>,
        sidechains: Option<PathBuf>,
    ) -> Self {
        Subagents { pool: Arc::default(), owner: None, types, tasks, sidechains }
    }

    /// The same for a subagent.
    pub(super) fn for_subagent(&self, owner: ParentSubagent) -> Self {
        Subagents {
            pool: self.pool.clone(),
            owner: Some(owner),
            types: self.types.clone(),
            tasks: self.tasks.clone(),
            sidechains: self.sidechains.clone(),
        }
    }

    /// A subagent that has reported, in this process or an earlier one.
    pub(crate) fn earlier(&self, id: &str) -> Option<SubagentIdentity> {
        if let Some(member) = self.pool.find(id) {
            return Some(SubagentIdentity::clone(&member.identity));
        }
        self.sidechains.as_ref().and_then(|folder| SubagentIdentity::read(folder, id))
    }

    /// Sends a task. Returns the report of the subagent, or that it has started if the task is for the background.
    pub async fn send(
        &self,
        order: SubagentRequest,
        cancel: &CancellationToken,
    ) -> Result<CallOutput, ToolFailure> {
        if order.sender.as_ref().is_some_and(|sender| sender.identity.depth >= MAX_DEPTH) {
            return Err(ToolFailure::Rejected(format!(
                "Subagents can't be nested more than {MAX_DEPTH} levels deep: do the task yourself."
            )));
        }
        if !self.pool.has_room() {
            let what = "Too many subagents are running. Wait until one is done, or stop one with TaskStop.";
            return Err(ToolFailure::Rejected(what.to_owned()));
        }
        let (reply, answer) = oneshot::channel();
        let gone = || ToolFailure::Interrupted(String::new());
        self.tasks.send(SubagentTask { order, cancel: cancel.clone(), reply }).await.map_err(|_| gone())?;
        // An interruption reaches the subagent, which then reports its progress.
        answer.await.unwrap_or_else(|_| Err(gone()))
    }
}
