//! What kind of agent the session itself is.

use std::sync::Arc;

use super::Session;
use crate::subagent::Definition;

impl Session {
    /// The kind of agent that it is: what `--agent` or the settings name, if there is such a one.
    pub(crate) fn role(&self) -> Option<Arc<Definition>> {
        self.subagent_registry.find(&self.role_name()?)
    }

    /// Tells once that there is no such kind. It may come with the host's first request, so nobody can know
    /// before the model is called.
    pub(crate) async fn note_role(&self) {
        let Some(name) = self.role_name().filter(|_| self.role().is_none()) else { return };
        if !std::mem::replace(&mut self.state().missed_role, true) {
            let note = format!("there is no agent {name:?}: the session goes on as the usual one");
            self.send_note(&note, "warning").await;
        }
    }

    fn role_name(&self) -> Option<String> {
        let set = || self.configuration().text("agent").map(str::to_owned);
        self.options.agent.clone().or_else(set)
    }
}
