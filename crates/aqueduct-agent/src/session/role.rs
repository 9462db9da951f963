//! The role of the session: the agent type that it runs as.

use std::sync::Arc;

use super::AgentSession;
use super::warnings::Subject;
use crate::subagent::SubagentDefinition;

impl AgentSession {
    /// The agent type that `--agent` or the settings name, if it exists.
    pub(crate) fn role(&self) -> Option<Arc<SubagentDefinition>> {
        self.subagent_registry.find(&self.role_name()?)
    }

    /// Reports once that the agent type does not exist. The host may define it with its first request, so this is not
    /// known before the model is called.
    pub(crate) async fn note_role(&self) {
        let Some(name) = self.role_name().filter(|_| self.role().is_none()) else { return };
        if self.warnings.is_first(Subject::MissingRole) {
            let note = format!("there is no agent {name:?}; the session uses the default agent");
            self.send_note(&note, "warning").await;
        }
    }

    fn role_name(&self) -> Option<String> {
        let set = || self.configuration().text("agent").map(str::to_owned);
        self.options.agent.clone().or_else(set)
    }
}
