//! Whether the user trusts what a folder provides: the bridge's view of the agent's records.

use std::path::{Path, PathBuf};

use aqueduct_agent::trust::{self, FolderItem, FolderTrust, ItemChange, TrustPlaces, TrustSource};
use aqueduct_bridge::message::bridge::{TrustChange, TrustItem, TrustReport, TrustState};
use aqueduct_bridge::trust::{TrustProvider, TrustProviderError};
use aqueduct_wire::hint::HintedError as _;

use crate::config::UserEnvironment;

/// What the user trusts, as the built-in agent and `aqueduct trust` see it.
pub(super) struct Trust {
    places: TrustPlaces,
}

impl Trust {
    /// The trust of the user whose surroundings these are. Without a home folder it is kept in the data folder.
    pub(super) fn of(environment: &UserEnvironment, data: &Path) -> Self {
        let path = |name| environment.variable(name).map(PathBuf::from);
        let home = environment.home.as_deref().unwrap_or(data);
        let (config, data_home) = (path("CLAUDE_CONFIG_DIR"), path("XDG_DATA_HOME"));
        Trust { places: TrustPlaces::new(home, config.as_deref(), data_home.as_deref()) }
    }
}

impl TrustProvider for Trust {
    fn inspect(&self, folder: &Path) -> Result<TrustReport<'static>, TrustProviderError> {
        let found = trust::inspect(folder, &self.places).map_err(failed)?;
        let state = match found.state {
            FolderTrust::Nothing => TrustState::Nothing,
            FolderTrust::Trusted => TrustState::Trusted,
            FolderTrust::Untrusted => TrustState::Untrusted,
            FolderTrust::Changed => TrustState::Changed,
        };
        let items: Vec<_> = found.items.into_iter().map(item).collect();
        let folder = found.folder.to_string_lossy().into_owned();
        let mut report = TrustReport::new(folder, state, found.digest, items);
        let problems: Vec<_> = found.problems.into_iter().map(Into::into).collect();
        report.problems = Some(problems).filter(|problems| !problems.is_empty());
        report.by = found.by.map(Into::into);
        report.at = found.at.map(Into::into);
        Ok(report)
    }

    fn trust(&self, folder: &Path, digest: &str) -> Result<(), TrustProviderError> {
        trust::trust(folder, digest, TrustSource::Ui, &self.places).map_err(failed)
    }

    fn distrust(&self, folder: &Path) -> Result<(), TrustProviderError> {
        trust::remove(folder, &self.places).map(|_| ()).map_err(failed)
    }
}

fn item(found: FolderItem) -> TrustItem<'static> {
    let heading = trust::heading(&found.kind);
    let mut item = TrustItem::new(found.kind, found.name, found.detail);
    item.heading = Some(heading.into());
    item.source = Some(found.source.into());
    item.change = Some(match found.change {
        ItemChange::Unchanged => TrustChange::Unchanged,
        ItemChange::Added => TrustChange::Added,
        ItemChange::Removed => TrustChange::Removed,
    });
    item
}

fn failed(error: trust::TrustError) -> TrustProviderError {
    match error {
        trust::TrustError::Changed => TrustProviderError::Changed,
        error => TrustProviderError::Failed { message: error.to_string(), hint: error.hint() },
    }
}
