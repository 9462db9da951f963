//! What of the project folder is in effect.

use super::Session;
use crate::key_helper::KEY_HELPER;
use crate::provision::{Accepted, Provision};
use crate::trust;

impl Session {
    /// Whether a provision of the project is in effect. What is none needs nobody's trust.
    pub(crate) fn accepts(&self, provision: Option<&Provision>) -> bool {
        let Some(provision) = provision else { return true };
        self.configuration().accepted().covers(provision)
            || trust::is_accepted_elsewhere(provision, &self.environment.cwd, &self.trust)
    }

    /// The host says that the user trusts the folder: its rules, directories, hooks and exceptions from the sandbox
    /// hold from now on. Variables and servers were decided about when the session began.
    pub(crate) fn trust_folder(&self) {
        let settings = {
            let mut configuration = self.configuration();
            configuration.hold_to(Accepted::All);
            configuration.folder_settings()
        };
        {
            let mut state = self.state();
            for (source, settings) in settings {
                settings.add_to(&mut state.rules, source);
            }
        }
        self.renew_sandbox();
        self.renew_key_helper();
    }

    /// Takes the command of the settings that gives the key.
    pub(crate) fn renew_key_helper(&self) {
        let command = self.configuration().text(KEY_HELPER).map(str::to_owned);
        self.models.set_key_helper(command.as_deref());
    }
}
