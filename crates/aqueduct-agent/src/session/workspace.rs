//! What of the project folder is in effect.

use super::AgentSession;
use crate::key_helper::KEY_HELPER;
use crate::provision::{AcceptedProvisions, Provision};
use crate::trust;

impl AgentSession {
    /// Whether a provision of the project is in effect. `None` needs no trust.
    pub(crate) fn accepts(&self, provision: Option<&Provision>) -> bool {
        let Some(provision) = provision else { return true };
        self.configuration().accepted().covers(provision)
            || trust::is_accepted_elsewhere(provision, &self.environment.cwd, &self.trust)
    }

    /// Puts the rules, directories, hooks and sandbox exceptions of a folder into effect that the user trusts from now
    /// on. Variables and servers were decided about at the start.
    pub(crate) fn trust_folder(&self) {
        let settings = {
            let mut configuration = self.configuration();
            configuration.hold_to(AcceptedProvisions::All);
            configuration.folder_settings()
        };
        self.permissions.add_settings(settings);
        self.renew_sandbox();
        self.renew_key_helper();
    }

    /// Updates the command of the settings that returns the API key.
    pub(crate) fn renew_key_helper(&self) {
        let command = self.configuration().text(KEY_HELPER).map(str::to_owned);
        self.models.set_key_helper(command.as_deref());
    }
}
