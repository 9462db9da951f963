//! The input of hooks.

use std::sync::Arc;

use aqueduct_tools::subagent::SubagentIdentity;
use aqueduct_wire::agent_definition::EffortLevel;
use aqueduct_wire::hook::HookEffort;
use aqueduct_wire::json::Str;
use aqueduct_wire::permission::PermissionMode;

use crate::session::AgentSession;
use crate::transcript::Project;

/// The members that the input of every hook has.
#[derive(Debug, Clone)]
pub(crate) struct HookInputBase {
    pub(super) session_id: String,
    pub(super) transcript_path: String,
    pub(super) cwd: String,
    pub(super) prompt_id: Option<String>,
    pub(super) mode: PermissionMode<'static>,
    pub(super) effort: Option<String>,
    /// The subagent that it is about, or in which it happens.
    pub(super) agent: Option<Arc<SubagentIdentity>>,
}

impl AgentSession {
    /// The common members, as they are now.
    pub(super) fn hook_base(&self, agent: Option<Arc<SubagentIdentity>>) -> HookInputBase {
        let id = self.id();
        let project = Project::of(&self.environment.config, &self.environment.cwd);
        let path = project.file(&id).map(|path| path.display().to_string()).unwrap_or_default();
        let prompt_id = self.conversation.prompt_id();
        HookInputBase {
            transcript_path: path,
            cwd: self.tool_context.workspace.cwd().display().to_string(),
            prompt_id,
            mode: self.permissions.wire_mode(),
            effort: self.effort(),
            session_id: id,
            agent,
        }
    }
}

impl HookInputBase {
    /// How hard the model thinks.
    pub(super) fn effort(&self) -> Option<HookEffort<'static>> {
        let level = EffortLevel::from(Str::from(self.effort.clone()?));
        let mut effort = HookEffort::new();
        effort.level = Some(level);
        Some(effort)
    }
}

/// Fills in the common members. `in a turn`: mode and effort too, for events that belong to a turn.
macro_rules! reported {
    ($base:ident, $kind:ident($input:expr)) => {{
        let mut input = $input;
        input.session_id = Some($base.session_id.clone().into());
        input.transcript_path = Some($base.transcript_path.clone().into());
        input.cwd = Some($base.cwd.clone().into());
        input.prompt_id = $base.prompt_id.clone().map(Into::into);
        if let Some(agent) = &$base.agent {
            input.agent_id = Some(agent.id.clone().into());
            input.agent_type = Some(agent.kind.clone().into());
        }
        aqueduct_wire::hook::HookInput::$kind(Box::new(input))
    }};
    ($base:ident, in a turn, $kind:ident($input:expr)) => {{
        let mut input = $input;
        input.permission_mode = Some($base.mode.clone());
        input.effort = $base.effort();
        $crate::hook::input::reported!($base, $kind(input))
    }};
}

pub(super) use reported;
