use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use aqueduct_os::atomic_folder;

use super::archive::{self, ArchiveError, BackupContents, BackupHeader, EntryName, Manifest};
use super::create::Counted;
use super::{BackupError, BackupProgress, BackupStep, ReportProgress, keepers};
use crate::log::{LogCounts, LogError, LogSnapshot};

/// A backup whose files were compared with their checksums, and whose log was examined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedBackup {
    /// Its header.
    pub header: BackupHeader,
    /// Its files.
    pub manifest: Manifest,
    /// How much its log has.
    pub counts: LogCounts,
}

/// Makes a data folder of a backup, and checks it. Everything is on the disk then.
pub(super) fn unpack(
    source: impl Read,
    folder: &Path,
    progress: ReportProgress<'_>,
) -> Result<CheckedBackup, BackupError> {
    keepers::make(folder)?;
    let mut folders = BTreeSet::from([folder.to_owned()]);
    let mut done = 0;
    let mut count = |read| {
        done += read;
        progress(BackupProgress { step: BackupStep::Read, done, total: None });
    };
    let source = Counted { content: source, count: &mut count };
    let contents = archive::read(source, |name, _, content| {
        let path = folder.join(name.path());
        for above in path.ancestors().skip(1).take_while(|above| above.starts_with(folder)) {
            folders.insert(above.to_owned());
        }
        put(content, &path)
    })?;
    for made in folders.iter().rev() {
        atomic_folder::sync(made).map_err(BackupError::file("write", made))?;
    }
    progress(BackupProgress { step: BackupStep::Examine, done, total: None });
    let counts = examine(folder, &contents)?;
    Ok(CheckedBackup { header: contents.header, manifest: contents.manifest, counts })
}

fn put(content: &mut dyn Read, path: &Path) -> Result<(), BackupError> {
    if let Some(folder) = path.parent() {
        keepers::make(folder)?;
    }
    let mut file = keepers::new_file(path)?;
    let mut buffer = vec![0; 64 << 10];
    loop {
        // Who reads and who writes fail for different reasons.
        let count = match content.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(ArchiveError::Read(error).into()),
        };
        io::Write::write_all(&mut file, &buffer[..count]).map_err(BackupError::file("write", path))?;
    }
    file.sync_all().map_err(BackupError::file("write", path))
}

/// Looks into the log that was unpacked.
fn examine(folder: &Path, contents: &BackupContents) -> Result<LogCounts, BackupError> {
    let damaged = |error| match error {
        LogError::Corrupt { detail } => BackupError::Damaged { faults: vec![detail] },
        LogError::Foreign { .. } => BackupError::OtherLog,
        error => error.into(),
    };
    let snapshot = LogSnapshot::open(folder).map_err(damaged)?.ok_or(BackupError::WithoutLog)?;
    if snapshot.id() != contents.header.log_id || snapshot.form() != contents.header.log_form {
        return Err(BackupError::OtherLog);
    }
    let faults = snapshot.faults().map_err(damaged)?;
    if !faults.is_empty() {
        return Err(BackupError::Damaged { faults });
    }
    let counts = snapshot.counts().map_err(damaged)?;
    drop(snapshot);
    // They were made by looking.
    for suffix in ["-wal", "-shm"] {
        let mut name = EntryName::Log.to_string();
        name.push_str(suffix);
        let path: PathBuf = folder.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(BackupError::file("remove", &path)(error));
            }
            _ => {}
        }
    }
    Ok(counts)
}
