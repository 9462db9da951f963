//! Copies of keepers' folders, made while the keepers write.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use super::BackupError;
use super::archive::{EntryName, KeeperFile};
use crate::log::KeptSession;

/// The name of a keeper's folder, as the log has it: earlier versions kept the whole path.
fn folder_name(kept: &str) -> Option<&str> {
    Path::new(kept).file_name()?.to_str()
}

/// A copy of a keeper's folder.
pub(super) struct KeeperCopy {
    /// The files that were copied.
    pub(super) entries: Vec<EntryName>,
    /// Whether it has all output that is not in the log. Otherwise the keeper has deleted some, after it was stored in a
    /// newer state of the log, or it is lost.
    pub(super) is_complete: bool,
}

/// Copies the folder of a session's keeper below another folder. The session is as a state of the log has it that is older
/// than the copy.
pub(super) fn copy(data: &Path, to: &Path, session: &KeptSession) -> Result<KeeperCopy, BackupError> {
    let mut copy = KeeperCopy { entries: Vec::new(), is_complete: false };
    let entry = |file| EntryName::keeper(folder_name(&session.keeper)?, file);
    let Some(first) = entry(KeeperFile::Segment(0)) else { return Ok(copy) };
    let spool = first.path().parent().map(Path::to_owned).unwrap_or_default();
    make(&to.join(&spool))?;
    let mut put = |file| -> Result<Option<u64>, BackupError> {
        let Some(entry) = entry(file) else { return Ok(None) };
        let size = copy_file(&data.join(entry.path()), &to.join(entry.path()))?;
        copy.entries.extend(size.map(|_| entry));
        Ok(size)
    };
    for file in KeeperFile::before_spool() {
        put(file)?;
    }
    let mut copied = Vec::new();
    for start in segments(&data.join(&spool))? {
        copied.extend(put(KeeperFile::Segment(start))?.map(|size| (start, size)));
    }
    for file in KeeperFile::after_spool() {
        put(file)?;
    }
    let has_no_gap = copied.windows(2).all(|pair| pair[0].0.checked_add(pair[0].1) == Some(pair[1].0));
    copy.is_complete = has_no_gap
        && match copied.first() {
            Some((oldest, _)) => *oldest <= session.cursor,
            // A keeper that has not begun with its spool.
            None => session.cursor == 0 && data.join(&spool).parent().is_some_and(Path::exists),
        };
    Ok(copy)
}

/// Where the segments of a spool begin, in order.
fn segments(spool: &Path) -> Result<BTreeSet<u64>, BackupError> {
    let failed = |error| BackupError::file("read", spool)(error);
    let entries = match fs::read_dir(spool) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        entries => entries.map_err(failed)?,
    };
    let mut starts = BTreeSet::new();
    for entry in entries {
        let name = entry.map_err(failed)?.file_name();
        // The same names as in an archive.
        let start: Option<u64> =
            name.to_str().filter(|name| name.len() == 20).and_then(|name| name.parse().ok());
        starts.extend(start);
    }
    Ok(starts)
}

/// Copies a file; returns its size, or none if it is not there.
pub(super) fn copy_file(from: &Path, to: &Path) -> Result<Option<u64>, BackupError> {
    let mut source = match File::open(from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        source => source.map_err(BackupError::file("read", from))?,
    };
    let mut target = new_file(to)?;
    io::copy(&mut source, &mut target).map(Some).map_err(BackupError::file("copy", from))
}

/// Makes a file for this user alone, in place of one of an earlier try.
pub(super) fn new_file(path: &Path) -> Result<File, BackupError> {
    let mut options = File::options();
    let options = options.write(true).create(true).truncate(true).mode(0o600);
    options.open(path).map_err(BackupError::file("make", path))
}

/// Makes a folder for this user alone, with those above it.
pub(super) fn make(folder: &Path) -> Result<(), BackupError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(BackupError::file("make", folder))
}

/// Removes what an earlier try has copied.
pub(super) fn clear(to: &Path) -> Result<(), BackupError> {
    let keepers = to.join("keepers");
    match fs::remove_dir_all(&keepers) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(BackupError::file("clear", &keepers)(error))
        }
        _ => Ok(()),
    }
}
