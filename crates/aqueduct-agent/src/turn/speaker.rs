//! Who takes a turn: the agent itself, or a subagent.

use std::sync::Arc;

use aqueduct_rules::Mode;
use aqueduct_tools::subagent::SubagentIdentity;
use aqueduct_tools::{OfferedTool, ToolContext};
use aqueduct_wire::FromAgent;

use super::Turn;
use crate::session::AgentSession;
use crate::subagent::RunningSubagent;

impl Turn<'_> {
    /// The subagent that takes the turn, if one does.
    pub(super) fn agent(&self) -> Option<&Arc<SubagentIdentity>> {
        self.by.map(|by| &by.identity)
    }

    /// The model that answers.
    pub(super) fn model(&self) -> String {
        match (&self.fallback, self.by) {
            (Some(fallback), _) => fallback.clone(),
            (None, Some(by)) => by.model(),
            (None, None) => self.session.model(),
        }
    }

    /// How hard it thinks.
    pub(super) fn effort(&self) -> Option<String> {
        let own = self.by.and_then(|by| by.definition.effort.as_deref());
        self.session.effort_of(&self.model(), own)
    }

    /// The permission mode.
    pub(super) fn mode(&self) -> Mode {
        self.by.and_then(|by| self.session.mode_of(by)).unwrap_or_else(|| self.session.permissions.mode())
    }

    /// How often the model may be called.
    pub(super) fn max_turns(&self) -> Option<u32> {
        let max = self.by.map_or(self.session.options.max_turns, |by| by.max_turns);
        max.filter(|max| *max > 0)
    }

    /// What its tools share.
    pub(super) fn tool_context(&self) -> &ToolContext {
        self.session.tool_context_of(self.by)
    }

    /// Sends a frame to the host. Of a subagent it receives messages only, and of those as many as it wants.
    pub(super) async fn send_frame(&self, mut frame: FromAgent<'_>) {
        if self.address(&mut frame) {
            self.session.send(frame).await;
        }
    }

    /// Marks a frame as that of the subagent, if one takes the turn; whether the host wants it.
    pub(super) fn address(&self, frame: &mut FromAgent<'_>) -> bool {
        let Some(agent) = self.agent() else { return true };
        if !agent.is_shown() {
            return false;
        }
        match frame {
            FromAgent::User(frame) => {
                frame.parent_tool_use_id = Some(agent.shown_under.clone().into());
                frame.agent_id = Some(agent.id.clone().into());
                frame.subagent_type = Some(agent.kind.clone().into());
                frame.task_description = Some(agent.description.clone().into());
            }
            FromAgent::Assistant(frame) => {
                frame.parent_tool_use_id = Some(agent.shown_under.clone().into());
                frame.agent_id = Some(agent.id.clone().into());
                frame.subagent_type = Some(agent.kind.clone().into());
                frame.task_description = Some(agent.description.clone().into());
            }
            _ => return false,
        }
        true
    }

    /// Whether the host sees the model's stream as it comes. A subagent's would be mixed into another one.
    pub(super) fn streams(&self) -> bool {
        self.session.options.partial_messages && self.by.is_none()
    }
}

impl AgentSession {
    /// What the tools of the agent share, or those of a subagent.
    pub(crate) fn tool_context_of<'s>(&'s self, by: Option<&'s RunningSubagent>) -> &'s ToolContext {
        by.map_or(&self.tool_context, |by| &by.tool_context)
    }

    /// The tool of a name that a model calls it by.
    pub(crate) fn find_tool(&self, by: Option<&RunningSubagent>, name: &str) -> Option<OfferedTool> {
        self.tools_of(by).into_iter().find(|tool| tool.answers_to(name))
    }

    /// The name of a tool that has this name but for upper and lower case.
    pub(crate) fn tool_named_like(&self, by: Option<&RunningSubagent>, name: &str) -> Option<String> {
        let tools = self.tools_of(by);
        let named = tools.iter().map(OfferedTool::name).find(|known| known.eq_ignore_ascii_case(name));
        named.map(str::to_owned)
    }

    /// The tools that the agent may call, or a subagent.
    pub(crate) fn tools_of(&self, by: Option<&RunningSubagent>) -> Vec<OfferedTool> {
        let all = self.tools_in(self.tool_context_of(by));
        match by {
            Some(by) => {
                let form = by.form.clone().map(OfferedTool::Form);
                all.into_iter().filter(|tool| by.has(tool)).chain(form).collect()
            }
            None => all,
        }
    }
}
