//! Who a subagent is.

use std::path::Path;

use serde_json::Value;

use crate::id::fresh_run_id;

/// What kind of task a subagent is.
pub const TASK_TYPE: &str = "local_agent";

/// How deep subagents may be nested.
pub const MAX_DEPTH: u32 = 4;

/// The identity of a subagent, for frames, hooks and the subagents that it starts itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubagentIdentity {
    /// Its id, which is the task's too.
    pub id: String,
    /// Distinguishes the runs of one task.
    pub run_id: String,
    /// Its kind.
    pub kind: String,
    /// The task in a few words, for people.
    pub description: String,
    /// The name given by the agent that started it.
    pub name: Option<String>,
    /// The call that started it, or that continues it.
    pub tool_use_id: String,
    /// The call that started it first. Hosts show its messages there.
    pub shown_under: String,
    /// 1 for one that the agent itself has started.
    pub depth: u32,
    /// The subagent that started it, if one did.
    pub parent: Option<String>,
    /// It runs in the background: no call waits for it.
    pub is_background: bool,
    /// It works in a worktree of its own.
    pub is_isolated: bool,
    /// It verifies something for a hook: hosts don't see it, and no model judges what it does.
    pub is_verifier: bool,
}

impl SubagentIdentity {
    /// The subagent of an id whose conversation is kept in `folder`.
    pub fn read(folder: &Path, id: &str) -> Option<Self> {
        // The id becomes a file's name.
        if id.is_empty() || !id.bytes().all(|letter| letter.is_ascii_alphanumeric()) {
            return None;
        }
        let file = |ending: &str| folder.join(format!("agent-{id}.{ending}"));
        let about = std::fs::read(file("meta.json")).ok()?;
        let about: Value = serde_json::from_slice(&about).ok()?;
        let text = |name: &str| about.get(name).and_then(Value::as_str).map(str::to_owned);
        let tool_use_id = text("toolUseId").unwrap_or_default();
        let depth =
            about.get("spawnDepth").and_then(Value::as_u64).and_then(|depth| u32::try_from(depth).ok());
        file("jsonl").is_file().then_some(SubagentIdentity {
            id: id.to_owned(),
            run_id: fresh_run_id(),
            kind: text("agentType")?,
            description: text("description").unwrap_or_default(),
            name: text("name"),
            shown_under: tool_use_id.clone(),
            tool_use_id,
            depth: depth.unwrap_or(1),
            parent: text("parentAgentId"),
            is_background: true,
            is_isolated: text("worktreePath").is_some(),
            is_verifier: false,
        })
    }

    /// Its id as the model reads it.
    pub fn describe(&self, can_continue: bool) -> String {
        match can_continue {
            true => {
                format!("agentId: {id} (SendMessage with to: '{id}' continues this subagent)", id = self.id)
            }
            false => format!("agentId: {}", self.id),
        }
    }

    /// A fresh id.
    pub fn fresh_id() -> String {
        format!("a{:016x}", fastrand::u64(..))
    }

    /// Whether hosts receive its messages. Of the subagents that it starts, hosts see only that they are running.
    pub fn is_shown(&self) -> bool {
        self.depth == 1 && !self.is_verifier
    }
}
