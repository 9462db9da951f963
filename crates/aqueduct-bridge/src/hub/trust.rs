//! Whether the user trusts what a folder provides.

use super::Hub;
use crate::auth::Principal;
use crate::failure::Failure;
use crate::message::bridge::{TrustReport, TrustState};
use crate::settings::AgentSettings;
use crate::trust::{Untrusted, required};

impl Hub {
    pub(super) async fn get_trust(
        &self,
        principal: &Principal,
        path: &str,
    ) -> Result<TrustReport<'static>, Failure> {
        let folder = self.workspace_for(principal).project(path).await?;
        self.shared.trust.run(folder, |trust, folder| trust.inspect(folder)).await
    }

    pub(super) async fn trust_folder(
        &self,
        principal: &Principal,
        path: &str,
        digest: String,
    ) -> Result<(), Failure> {
        let folder = self.workspace_for(principal).project(path).await?;
        self.shared.trust.run(folder, move |trust, folder| trust.trust(folder, &digest)).await
    }

    pub(super) async fn distrust_folder(&self, principal: &Principal, path: &str) -> Result<(), Failure> {
        let folder = self.workspace_for(principal).project(path).await?;
        self.shared.trust.run(folder, |trust, folder| trust.distrust(folder)).await
    }

    /// Fails if the user has to trust a folder before an agent can start there. Returns the state if the agent starts
    /// without what the folder provides.
    pub(super) async fn check_trust(
        &self,
        project: &str,
        agent: &AgentSettings,
    ) -> Result<Option<TrustState<'static>>, Failure> {
        match self.shared.trust.untrusted(project).await? {
            Some(report) if agent.untrusted == Untrusted::Refused => Err(required(&agent.name, &report)),
            report => Ok(report.map(|report| report.state)),
        }
    }
}
