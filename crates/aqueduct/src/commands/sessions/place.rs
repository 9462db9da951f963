//! Where the sessions are.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use aqueduct_client::transcript::{Store, StoredSession};

use crate::explained::advice;

/// A session to do something with; the same for every subcommand.
#[derive(Debug, clap::Args)]
pub(super) struct SessionSelector {
    /// The session's id, or a unique prefix of it
    #[arg(value_name = "ID")]
    id: String,
    /// Look among the sessions of this folder only
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
}

impl SessionSelector {
    /// The session.
    pub(super) fn find(&self) -> anyhow::Result<StoredSession> {
        find(&self.id, self.project.as_deref())
    }
}

/// The session that begins with an id.
pub(super) fn find(id: &str, project: Option<&Path>) -> anyhow::Result<StoredSession> {
    Ok(store()?.find_in(id, project_path(project)?.as_deref())?)
}

/// The store of the user's configuration folder.
pub(super) fn store() -> anyhow::Result<Store> {
    let named = std::env::var_os("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let config = named.or_else(|| std::env::home_dir().map(|home| home.join(".claude")));
    Ok(Store::new(
        config.context(advice("cannot determine your home folder", "set HOME or CLAUDE_CONFIG_DIR"))?,
    ))
}

/// The real path of a project's folder. One that is gone keeps its sessions.
pub(super) fn project_path(folder: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    let Some(folder) = folder else { return Ok(None) };
    let real = std::fs::canonicalize(folder).or_else(|_| std::path::absolute(folder));
    real.map(Some).with_context(|| advice(format!("cannot resolve {}", folder.display()), "give a folder"))
}

/// A folder for people: what is in their home begins with `~`.
pub(super) fn shown(folder: &str) -> String {
    let home = std::env::home_dir().and_then(|home| home.into_os_string().into_string().ok());
    match home.as_deref().and_then(|home| folder.strip_prefix(home)) {
        Some("") => "~".to_owned(),
        Some(rest) if rest.starts_with('/') => format!("~{rest}"),
        _ => folder.to_owned(),
    }
}
