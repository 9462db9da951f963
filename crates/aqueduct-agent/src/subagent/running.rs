//! A running subagent.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use aqueduct_os::private_dir::make_private;
use aqueduct_tools::subagent::{MAX_DEPTH, PoolMember, SubagentIdentity};
use aqueduct_tools::worktree::Worktree;
use aqueduct_tools::{AnswerForm, Audience, OfferedTool, ToolContext};
use serde_json::{Value, json};

use super::definition::{DefinitionOwner, SubagentDefinition};

/// A running subagent.
pub(crate) struct RunningSubagent {
    /// Who it is.
    pub(crate) identity: Arc<SubagentIdentity>,
    /// What it is.
    pub(crate) definition: Arc<SubagentDefinition>,
    /// What its tools share.
    pub(crate) tool_context: ToolContext,
    /// How often its model may be called.
    pub(crate) max_turns: Option<u32>,
    /// What others see of it, where they see anything.
    pub(crate) member: Option<Arc<PoolMember>>,
    /// It has a conversation already.
    pub(crate) is_continued: bool,
    /// Where its conversation is kept.
    pub(crate) transcript: PathBuf,
    /// The worktree that it works in.
    pub(crate) worktree: Option<Worktree>,
    /// The form that its answer must have.
    pub(crate) form: Option<Arc<AnswerForm>>,
    pub(crate) model: Mutex<String>,
}

impl RunningSubagent {
    /// Its model.
    pub(crate) fn model(&self) -> String {
        self.model.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Continues with another model.
    pub(crate) fn switch_model(&self, model: String) {
        *self.model.lock().unwrap_or_else(PoisonError::into_inner) = model;
    }

    /// Its identity, for readers of its conversation.
    pub(crate) fn about(&self) -> Value {
        let identity = &self.identity;
        let mut about = json!({
            "agentType": identity.kind,
            "isBuiltIn": self.definition.whose == DefinitionOwner::BuiltIn,
            "description": identity.description,
            "toolUseId": identity.shown_under,
            "spawnDepth": identity.depth,
        });
        if let Some(name) = &identity.name {
            about["name"] = name.as_str().into();
        }
        if let Some(worktree) = &self.worktree {
            about["worktreePath"] = worktree.path.display().to_string().into();
        }
        if let Some(parent) = &identity.parent {
            about["parentAgentId"] = parent.as_str().into();
        }
        about
    }

    /// Stores its identity beside its conversation. A failure is ignored, because the conversation does not depend on
    /// it.
    pub(crate) fn describe(&self) {
        let Some(folder) = self.transcript.parent() else { return };
        let file = self.transcript.with_extension("meta.json");
        let _ = make_private(folder).and_then(|()| std::fs::write(file, self.about().to_string()));
    }

    /// Whether it has a tool.
    pub(crate) fn has(&self, tool: &OfferedTool) -> bool {
        let name = tool.name();
        !tool.is_form()
            && !tool.is(|facts| facts.audience == Audience::MainAgent)
            && (!tool.is(|facts| facts.starts_subagents) || self.identity.depth < MAX_DEPTH)
            && match tool.served() {
                Some(served) => self.definition.has_served(name, &served.server),
                None => self.definition.has(name),
            }
    }
}
