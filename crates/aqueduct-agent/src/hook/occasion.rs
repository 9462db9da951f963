//! One occurrence of an event: which hooks it concerns.

use std::sync::Arc;

use aqueduct_tools::subagent::SubagentIdentity;
use aqueduct_wire::hook::HookEvent;
use aqueduct_wire::json::Raw;

use super::conversation::HookConversation;
use crate::hook_config::{ConfiguredHook, HookEventRow};

/// One occurrence of an event.
#[derive(Debug, Clone)]
pub(crate) struct HookOccurrence {
    /// The event.
    pub(super) event: &'static HookEventRow,
    /// What it is about: a tool's name, a reason.
    pub(super) subject: Option<String>,
    /// The call it is about.
    pub(super) tool_use_id: Option<String>,
    /// The input of the call, for hooks with a condition.
    pub(super) tool_input: Option<Raw<'static>>,
    /// Whether the host is there to be called.
    pub(super) calls_host: bool,
    /// The subagent in which it happens.
    pub(super) agent: Option<Arc<SubagentIdentity>>,
    /// The conversation, where a hook wants to judge it.
    pub(super) conversation: Option<Arc<HookConversation>>,
}

impl HookOccurrence {
    /// An occurrence that is about `subject`, if about anything.
    pub(crate) fn new(event: &HookEvent<'_>, subject: Option<&str>) -> Self {
        // Every event of the wire is in the table; a test looks.
        let event = HookEventRow::named(event.as_str()).unwrap_or(&crate::hook_config::EVENTS[0]);
        let subject = subject.map(str::to_owned);
        HookOccurrence {
            event,
            subject,
            tool_use_id: None,
            tool_input: None,
            calls_host: true,
            agent: None,
            conversation: None,
        }
    }

    /// The same, about a call of a tool.
    pub(crate) fn of_call(event: &HookEvent<'_>, tool: &str, id: &str, input: &Raw<'static>) -> Self {
        let tool_input = Some(input.clone());
        HookOccurrence { tool_use_id: Some(id.to_owned()), tool_input, ..Self::new(event, Some(tool)) }
    }

    /// The same while the host can't be called: before its first message, or after its last one.
    pub(crate) fn without_host(self) -> Self {
        HookOccurrence { calls_host: false, ..self }
    }

    /// The same in a subagent.
    pub(crate) fn in_agent(self, agent: Option<Arc<SubagentIdentity>>) -> Self {
        HookOccurrence { agent, ..self }
    }

    /// The same with the conversation.
    pub(super) fn about(self, conversation: HookConversation) -> Self {
        HookOccurrence { conversation: Some(Arc::new(conversation)), ..self }
    }

    /// Whether it concerns a hook.
    pub(super) fn concerns(&self, hook: &ConfiguredHook) -> bool {
        hook.is_meant(self.event, self.subject.as_deref())
    }

    /// How frames and people name the hooks that run now.
    pub(crate) fn label(&self) -> String {
        self.event.label(self.subject.as_deref())
    }
}
