//! Whether the user trusts what a folder provides.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::shared::Shared;
use super::{Hub, Visitor};
use crate::failure::Failure;
use crate::message::ErrorCode;
use crate::message::bridge::{TrustReport, TrustState};
use crate::settings::AgentSettings;
use crate::trust::{TrustError, Untrusted, WorkspaceTrust, required};

impl Hub {
    pub(super) async fn get_trust(
        &self,
        visitor: &Visitor,
        path: &str,
    ) -> Result<TrustReport<'static>, Failure> {
        let folder = self.workspace_for(visitor).project(path).await?;
        self.shared.with_trust(folder, |trust, folder| trust.inspect(folder)).await
    }

    pub(super) async fn trust_folder(
        &self,
        visitor: &Visitor,
        path: &str,
        digest: String,
    ) -> Result<(), Failure> {
        let folder = self.workspace_for(visitor).project(path).await?;
        self.shared.with_trust(folder, move |trust, folder| trust.trust(folder, &digest)).await
    }

    pub(super) async fn distrust_folder(&self, visitor: &Visitor, path: &str) -> Result<(), Failure> {
        let folder = self.workspace_for(visitor).project(path).await?;
        self.shared.with_trust(folder, |trust, folder| trust.distrust(folder)).await
    }

    /// Fails if the user has to trust a folder before an agent can start there. Gives the state if the agent starts
    /// without what the folder provides.
    pub(super) async fn check_trust(
        &self,
        project: &str,
        agent: &AgentSettings,
    ) -> Result<Option<TrustState<'static>>, Failure> {
        match self.shared.untrusted(project).await? {
            Some(report) if agent.untrusted == Untrusted::Refused => Err(required(&agent.name, &report)),
            report => Ok(report.map(|report| report.state)),
        }
    }
}

impl Shared {
    /// What a folder provides, if the user does not trust it.
    pub(crate) async fn untrusted(&self, project: &str) -> Result<Option<TrustReport<'static>>, Failure> {
        if self.settings.trust.is_none() {
            return Ok(None);
        }
        let report = self.with_trust(project.into(), |trust, folder| trust.inspect(folder)).await?;
        Ok(Some(report).filter(|report| report.state.needs_decision()))
    }

    async fn with_trust<T: Send + 'static>(
        &self,
        folder: PathBuf,
        job: impl FnOnce(&dyn WorkspaceTrust, &Path) -> Result<T, TrustError> + Send + 'static,
    ) -> Result<T, Failure> {
        let Some(trust) = self.settings.trust.as_ref().map(Arc::clone) else {
            let message = "this bridge trusts every folder (--trust-workspace): there is nothing to decide";
            return Err(Failure::new(ErrorCode::NotSupported, message));
        };
        self.work.block(move |_| Ok(job(&*trust, &folder)?)).await
    }
}
