//! Trust: whether what a project folder's files run or widen is in effect.
//!
//! A folder provides hooks, MCP servers, allow rules, environment variables and more (`provision`). Nothing of
//! it is in effect before the user trusts the folder, and trust is bound to a digest of what the user was shown: when
//! the files provide something else, nothing of it is in effect until the user has seen the difference.
//!
//! ```text
//! settings, .mcp.json, skills, commands, subagents ── Inventory ── FolderReport ── person
//!                                                        │                           │ digest
//!                        AcceptedProvisions ── judge ────┴──────── TrustStore ◀──────┘
//! ```
//!
//! - **What is shown is what is enabled.** Readers of project files list their provisions, and look each of them up
//!   in `provision::AcceptedProvisions` before they use it, by the digest of the text that they have read themselves.
//! - **Files that a command runs are not bound.** The text of a hook is; the script that it starts can change, as any
//!   build script can. Of a skill, a custom command or a subagent with rights the whole file is bound.
//! - **Folders are named by their real path**, and each is trusted by itself, not with what is below it.
//!
//! | file | contents |
//! |---|---|
//! | `inventory.rs` | everything that a folder provides |
//! | `store.rs`, `entry.rs`, `places.rs` | the file with trusted folders; the record of one folder; variables and paths |
//! | `judge.rs` | compares a folder with its record |
//! | `report.rs` | what a person is shown |
//! | `session.rs` | trust at the start of a session, and what is granted later |

mod entry;
mod error;
mod inventory;
mod judge;
mod places;
mod report;
mod session;
mod store;

use std::fs;
use std::path::{Path, PathBuf};

pub use error::{TrustError, TrustStoreError};
pub use places::{TRUST_WORKSPACE, TrustPlaces};
pub use report::{FolderItem, FolderReport, FolderTrust, ItemChange, TrustSource, TrustedFolder, heading};
pub(crate) use session::{UntrustedReport, grant, is_accepted_elsewhere, settle};

use crate::clock::now;
pub use crate::provision::ProvisionKind;
use entry::{RecordedProvision, TrustedProvisions};
use inventory::Inventory;
use judge::judge;
use store::TrustStore;

/// Reads what a folder provides, and whether it is trusted with it. Nothing is written.
pub fn inspect(folder: &Path, places: &TrustPlaces) -> Result<FolderReport, TrustError> {
    let folder = real(folder)?;
    let (inventory, is_in_reference) = read(&folder, places)?;
    let entry = TrustStore::read(&places.store)?.get(&name_of(&folder)?);
    let judgement = judge(&inventory, &entry, is_in_reference);
    let mut by = entry.trusted.as_ref().map(|trusted| trusted.by.clone());
    if judgement.is_unbound {
        by = Some(TrustSource::Reference.name().to_owned());
    }
    Ok(FolderReport {
        state: judgement.state,
        digest: inventory.digest().to_string(),
        items: report::items(&inventory, &entry, judgement.state),
        problems: inventory.problems.iter().map(ToString::to_string).collect(),
        by,
        at: entry.trusted.map(|trusted| trusted.at),
        folder,
    })
}

/// Trusts a folder with what it provides, if that still has the digest that the person was shown.
pub fn trust(folder: &Path, digest: &str, by: TrustSource, places: &TrustPlaces) -> Result<(), TrustError> {
    let folder = real(folder)?;
    let (inventory, _) = read(&folder, places)?;
    if inventory.digest().to_string() != digest {
        return Err(TrustError::Changed);
    }
    record(&folder, &inventory, by, places)
}

/// Revokes trust in a folder, and what was granted there individually. From now on the reference CLI's record does not
/// count there. Returns whether anything was recorded, here or there.
pub fn remove(folder: &Path, places: &TrustPlaces) -> Result<bool, TrustError> {
    // Trust in a folder that no longer exists can be revoked.
    let folder = real(folder).unwrap_or_else(|_| folder.to_owned());
    let name = name_of(&folder)?;
    let is_in_reference = read(&folder, places).is_ok_and(|(_, is_in_reference)| is_in_reference);
    let known = TrustStore::read(&places.store)?.get(&name);
    if known.is_empty() && !is_in_reference {
        return Ok(false);
    }
    TrustStore::change(&places.store, &name, |entry| {
        let was_trusted = entry.trusted.is_some() || !entry.granted.is_empty();
        entry.trusted = None;
        entry.granted.clear();
        let is_known_elsewhere =
            is_in_reference && !std::mem::replace(&mut entry.is_revoked, is_in_reference);
        was_trusted || is_known_elsewhere
    })
}

/// The folders that are trusted, by their paths. Those that only the reference CLI records are not among them.
pub fn list(places: &TrustPlaces) -> Result<Vec<TrustedFolder>, TrustError> {
    let folders = TrustStore::read(&places.store)?.folders().into_iter();
    let trusted = folders.filter_map(|(folder, entry)| {
        let trusted = entry.trusted?;
        Some(TrustedFolder {
            folder: PathBuf::from(folder),
            digest: trusted.digest().to_string(),
            by: trusted.by,
            at: trusted.at,
            provisions: trusted.provisions.len(),
        })
    });
    Ok(trusted.collect())
}

/// Records that a folder is trusted with an inventory.
fn record(
    folder: &Path,
    inventory: &Inventory,
    by: TrustSource,
    places: &TrustPlaces,
) -> Result<(), TrustError> {
    let provisions = inventory.provisions.iter().map(RecordedProvision::from).collect();
    TrustStore::change(&places.store, &name_of(folder)?, |entry| {
        entry.trusted = Some(TrustedProvisions { by: by.name().to_owned(), at: now(), provisions });
        entry.granted.clear();
        entry.is_revoked = false;
    })
}

/// What a folder provides now, and whether the reference CLI records it as trusted.
fn read(folder: &Path, places: &TrustPlaces) -> Result<(Inventory, bool), TrustError> {
    let environment = places.environment(folder);
    let (inventory, configuration) = Inventory::read(&environment).map_err(|error| TrustError::Folder {
        path: folder.to_owned(),
        error: std::io::Error::other(error.to_string()),
    })?;
    Ok((inventory, configuration.is_recorded_as_trusted()))
}

/// The folder by its real path.
fn real(folder: &Path) -> Result<PathBuf, TrustError> {
    let failed = |error| TrustError::Folder { path: folder.to_owned(), error };
    let real = fs::canonicalize(folder).map_err(failed)?;
    if !real.is_dir() {
        return Err(failed(std::io::ErrorKind::NotADirectory.into()));
    }
    Ok(real)
}

/// The name of a folder in the store. A path that is not UTF-8 could be confused with another.
fn name_of(folder: &Path) -> Result<String, TrustError> {
    folder.to_str().map(str::to_owned).ok_or_else(|| TrustError::Name { path: folder.to_owned() })
}

#[cfg(test)]
mod tests;
