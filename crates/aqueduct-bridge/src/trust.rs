//! Whether the user trusts what a folder provides: hooks, allow rules, variables, MCP servers and the like.
//!
//! The bridge only asks and passes answers on. What a folder provides, and where trust is recorded, is for
//! [`TrustProvider`], which the program implements.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use aqueduct_wire::hint::{Hint, HintedError};
use thiserror::Error;

use crate::Failure;
use crate::message::ErrorCode;
use crate::message::bridge::{TrustReport, TrustState};
use crate::work::WorkPool;

/// Inspects folders and records whether the user trusts them. Its methods may block.
pub trait TrustProvider: Send + Sync {
    /// What a folder provides now, and whether the user trusts it.
    fn inspect(&self, folder: &Path) -> Result<TrustReport<'static>, TrustProviderError>;

    /// Records that the user trusts what a folder provides, if it still has this digest.
    fn trust(&self, folder: &Path, digest: &str) -> Result<(), TrustProviderError>;

    /// Records that the user does not trust a folder.
    fn distrust(&self, folder: &Path) -> Result<(), TrustProviderError>;
}

/// Why trust can't be determined or recorded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TrustProviderError {
    /// The folder provides something else than what has this digest.
    #[error("what the folder provides has changed meanwhile")]
    Changed,
    /// Something else failed.
    #[error("{message}")]
    Failed {
        /// What failed, and why.
        message: String,
        /// What to do about it.
        hint: Option<Hint>,
    },
}

impl HintedError for TrustProviderError {
    fn hint(&self) -> Option<Hint> {
        match self {
            TrustProviderError::Changed => {
                Some(Hint::clause("look at it again with `get_trust`, then decide"))
            }
            TrustProviderError::Failed { hint, .. } => hint.clone(),
        }
    }
}

impl From<TrustProviderError> for Failure {
    fn from(error: TrustProviderError) -> Self {
        let code = match error {
            TrustProviderError::Changed => ErrorCode::TrustChanged,
            TrustProviderError::Failed { .. } => ErrorCode::Internal,
        };
        Failure::of(code, &error)
    }
}

/// What an agent does with what a folder provides, if the user does not trust it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Untrusted {
    /// It leaves that out by itself.
    LeavesOut,
    /// It leaves that out if it is started with these arguments in addition.
    Arguments(Vec<String>),
    /// It can't be kept from using it, so it is not started.
    #[default]
    Refused,
}

/// The error for an agent that can't be started in a folder before the user trusts it.
pub(crate) fn required(agent: &str, report: &TrustReport<'_>) -> Failure {
    let why = match report.state {
        TrustState::Changed => "has changed since you trusted it",
        _ => "is not trusted",
    };
    let message = format!(
        "what {} provides ({} items) {why}, and the agent {agent} would use it",
        report.project_path,
        report.items.len()
    );
    Failure::new(ErrorCode::TrustRequired, message)
        .clause("look at it with `get_trust` and trust it with `trust_folder`, or run `aqueduct trust`")
}

/// Calls the [`TrustProvider`] of the settings on threads that may block.
#[derive(Clone)]
pub(crate) struct TrustService {
    /// `None` if every folder is trusted.
    trust: Option<Arc<dyn TrustProvider>>,
    work: WorkPool,
}

impl TrustService {
    pub(crate) fn new(trust: Option<Arc<dyn TrustProvider>>, work: WorkPool) -> Self {
        TrustService { trust, work }
    }

    /// What a folder provides, if the user does not trust it.
    pub(crate) async fn untrusted(&self, project: &str) -> Result<Option<TrustReport<'static>>, Failure> {
        if self.trust.is_none() {
            return Ok(None);
        }
        let report = self.run(project.into(), |trust, folder| trust.inspect(folder)).await?;
        Ok(Some(report).filter(|report| report.state.needs_decision()))
    }

    /// Runs a job that may block. Fails if every folder is trusted.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        folder: PathBuf,
        job: impl FnOnce(&dyn TrustProvider, &Path) -> Result<T, TrustProviderError> + Send + 'static,
    ) -> Result<T, Failure> {
        let Some(trust) = self.trust.clone() else {
            let message = "this bridge trusts every folder (--trust-workspace): there is nothing to decide";
            return Err(Failure::new(ErrorCode::NotSupported, message));
        };
        self.work.block(move |_| Ok(job(&*trust, &folder)?)).await
    }
}
