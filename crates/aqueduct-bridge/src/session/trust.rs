//! Starting an agent in a folder that the user does not trust.

use aqueduct_client::Profile;

use super::actor::SessionActor;
use super::details;
use crate::failure::Failure;
use crate::log::SessionChange;
use crate::message::bridge::{SystemNote, SystemSubtype, TrustState};
use crate::outbox::Stored;
use crate::settings::AgentSettings;
use crate::trust::{Untrusted, required};

impl SessionActor {
    /// The agent as it may be started in the session's folder: without what the folder provides if the user does not
    /// trust that. Clients are informed once for each thing that is left out.
    pub(super) async fn restrict(&mut self, mut agent: AgentSettings) -> Result<AgentSettings, Failure> {
        let report = self.services.trust.untrusted(&self.row.project).await?;
        let digest = report.as_ref().map(|report| report.digest.as_str().to_owned());
        if let Some(report) = &report {
            match &agent.untrusted {
                Untrusted::LeavesOut => {}
                // Behind everything else, so that nothing else overrides them.
                Untrusted::Arguments(arguments) => agent.arguments.extend(arguments.iter().cloned()),
                Untrusted::Refused => return Err(required(&agent.name, report)),
            }
        }
        // What such an agent takes from a folder is in files that no report covers.
        let profile = agent.profile();
        let folder = std::path::Path::new(&self.row.project).join(profile.project_folder);
        if profile != Profile::REFERENCE
            && report.is_none()
            && !agent.trusts_workspace
            && let Untrusted::Arguments(arguments) = &agent.untrusted
            && tokio::fs::try_exists(&folder).await.unwrap_or(true)
        {
            agent.arguments.extend(arguments.iter().cloned());
        }
        if digest == self.details.untrusted {
            return Ok(agent);
        }
        self.details.untrusted = digest;
        if let Some(report) = report {
            let mut note = SystemNote::new(SystemSubtype::TrustNeeded);
            let why = match report.state {
                TrustState::Changed => "What the folder provides has changed since you trusted it",
                _ => "You have not trusted what the folder provides",
            };
            let count = report.items.len();
            note.message = Some(format!("{why} ({count} items): the agent works without it.").into());
            note.project_path = Some(self.row.project.clone().into());
            let changes = vec![SessionChange::Details(details::write(&self.details))];
            self.note(Stored::new(&note), changes).await?;
        }
        Ok(agent)
    }
}
