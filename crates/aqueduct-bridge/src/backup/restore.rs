use std::io::Read;
use std::path::{Path, PathBuf};

use super::place::{DataPlace, beside};
use super::staging::Staging;
use super::unpack::{CheckedBackup, unpack};
use super::{BackupError, ReportProgress};
use crate::fault::{FaultPoint, pass};
use crate::log::{LogSnapshot, Time};

/// Where a backup is to be restored.
#[derive(Debug)]
pub struct RestoreRequest<'a> {
    /// The data folder.
    pub data: &'a Path,
    /// Whether data that is there may be replaced.
    pub replace: bool,
    /// When it is restored.
    pub now: Time,
}

/// A backup that was restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoredBackup {
    /// The backup.
    pub backup: CheckedBackup,
    /// Where the data is that was replaced.
    pub old: Option<PathBuf>,
    /// How many devices had access when the backup was made, were revoked since then, and have no access.
    pub revoked: u64,
}

/// Makes a data folder of a backup. The data folder is what it was before, until all of the backup was checked and is on the
/// disk; then it is exchanged in one step.
pub fn restore(
    request: &RestoreRequest<'_>,
    source: impl Read,
    progress: ReportProgress<'_>,
) -> Result<RestoredBackup, BackupError> {
    let place = DataPlace::take(request.data, request.replace)?;
    let staging = Staging::take(&beside(place.path(), "restore"))?;
    let new = staging.join("new");
    let backup = unpack(source, &new, progress)?;
    let revoked = match place.has_data() {
        true => keep_revocations(place.path(), &new, request.now)?,
        false => 0,
    };
    pass(FaultPoint::RestoreUnpacked);
    let old = place.put(&new, request.now)?;
    Ok(RestoredBackup { backup, old, revoked })
}

/// Reads a backup and checks it as [`restore`] does, without a change to the data folder. It is unpacked beside the data
/// folder for that.
pub fn check(
    data: &Path,
    source: impl Read,
    progress: ReportProgress<'_>,
) -> Result<CheckedBackup, BackupError> {
    let data = std::path::absolute(data).map_err(BackupError::file("read", data))?;
    let staging = Staging::take(&beside(&data, "check"))?;
    unpack(source, &staging.join("new"), progress)
}

/// Revokes in the new log what is revoked in the old one. A log that can't be read is a reason to restore another one.
fn keep_revocations(old: &Path, new: &Path, now: Time) -> Result<u64, BackupError> {
    match LogSnapshot::open(old) {
        Ok(Some(snapshot)) => Ok(snapshot.revoke_in(new, now)?),
        Ok(None) | Err(_) => Ok(0),
    }
}
