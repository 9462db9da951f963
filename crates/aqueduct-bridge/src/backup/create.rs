use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use aqueduct_os::privacy::check_folder;

use super::archive::{ArchiveError, ArchiveWriter, BackupHeader, EntryName, Manifest};
use super::keepers;
use super::staging::Staging;
use super::{BackupError, BackupProgress, BackupStep, ReportProgress};
use crate::fault::{FaultPoint, pass};
use crate::log::{KeptSession, LogCounts, LogSnapshot, Time};

/// How often a newer state of the log is tried because a keeper's folder changed.
const TRIES: usize = 50;

/// Entries of a data folder that a backup does without: they belong to the process that runs, or are made again.
const TRANSIENT: &[&str] =
    &["log.sqlite3-wal", "log.sqlite3-shm", "log.lock", "admin.sock", "keepers", "push.new"];

/// How a folder is named that is made in a data folder to prepare a backup.
pub(super) const STAGING: &str = "backup.partial";

/// What is to be backed up.
#[derive(Debug)]
pub struct BackupRequest<'a> {
    /// The data folder. A bridge may use it.
    pub data: &'a Path,
    /// The version of the program.
    pub program: &'a str,
    /// When it is made.
    pub created: Time,
}

/// A backup that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatedBackup {
    /// Its header.
    pub header: BackupHeader,
    /// Its files.
    pub manifest: Manifest,
    /// How much its log has.
    pub counts: LogCounts,
    /// Entries of the data folder that are not in it, because the bridge has no use for them.
    pub left_out: Vec<String>,
}

/// Writes a backup of a data folder, of copies that are made in `staging`. What it was written to is flushed; who gave it
/// sees that it is on the disk.
pub(super) fn create(
    request: &BackupRequest<'_>,
    staging: &Staging,
    target: impl Write,
    progress: ReportProgress<'_>,
) -> Result<CreatedBackup, BackupError> {
    let data = request.data;
    match check_folder(data) {
        Err(_) if !data.exists() => return Err(BackupError::NoLog { folder: data.to_owned() }),
        checked => checked?,
    }
    let copies = staging.join("files");
    keepers::make(&copies)?;
    let (snapshot, mut entries) = copy_keepers(data, &copies)?;
    for entry in EntryName::own_files() {
        if keepers::copy_file(&data.join(entry.path()), &copies.join(entry.path()))?.is_some() {
            entries.push(entry);
        }
    }
    let log = copies.join(EntryName::Log.path());
    // SQLite keeps the rights of a file.
    drop(keepers::new_file(&log)?);
    snapshot.copy(&log, &mut |done, total| {
        progress(BackupProgress { step: BackupStep::Copy, done, total: Some(total) });
    })?;
    entries.push(EntryName::Log);
    let counts = snapshot.counts()?;
    let header = BackupHeader::new(request.program, request.created.0, snapshot.id(), snapshot.form());
    drop(snapshot);
    pass(FaultPoint::BackupCopied);
    let manifest = write(&copies, &entries, &header, target, progress)?;
    pass(FaultPoint::BackupWritten);
    Ok(CreatedBackup { header, manifest, counts, left_out: left_out(data)? })
}

/// A state of the log, with copies of keepers' folders that fit it.
fn copy_keepers(data: &Path, copies: &Path) -> Result<(LogSnapshot, Vec<EntryName>), BackupError> {
    // Copies that lack output. A keeper deletes output only after it is stored: what a later state of the log still needs
    // is lost, for the bridge too.
    let mut incomplete: Vec<KeptSession> = Vec::new();
    let mut unsteady = String::new();
    for _ in 0..TRIES {
        keepers::clear(copies)?;
        let snapshot =
            LogSnapshot::open(data)?.ok_or_else(|| BackupError::NoLog { folder: data.to_owned() })?;
        let mut entries = Vec::new();
        let mut is_steady = true;
        for session in snapshot.kept_sessions()? {
            let copy = keepers::copy(data, copies, &session)?;
            if copy.is_complete || incomplete.contains(&session) {
                entries.extend(copy.entries);
            } else {
                unsteady.clone_from(&session.id);
                incomplete.push(session);
                is_steady = false;
            }
        }
        if is_steady {
            return Ok((snapshot, entries));
        }
    }
    Err(BackupError::Unsteady { session: unsteady })
}

/// Writes the archive of the copies.
fn write(
    copies: &Path,
    entries: &[EntryName],
    header: &BackupHeader,
    target: impl Write,
    progress: ReportProgress<'_>,
) -> Result<Manifest, BackupError> {
    let mut archive = ArchiveWriter::new(target, header)?;
    let path = |entry: &EntryName| copies.join(entry.path());
    let size = |entry: &EntryName| {
        let path = path(entry);
        fs::metadata(&path).map(|data| data.len()).map_err(BackupError::file("read", &path))
    };
    let sizes: Vec<u64> = entries.iter().map(size).collect::<Result<_, _>>()?;
    let total = sizes.iter().sum();
    let mut done = 0;
    for (entry, size) in entries.iter().zip(sizes) {
        let path = path(entry);
        let file = File::open(&path).map_err(BackupError::file("read", &path))?;
        let mut count = |read| {
            done += read;
            progress(BackupProgress { step: BackupStep::Write, done, total: Some(total) });
        };
        archive.add(entry, size, Counted { content: file, count: &mut count })?;
    }
    let (mut target, manifest) = archive.finish()?;
    target.flush().map_err(ArchiveError::Write)?;
    Ok(manifest)
}

/// What is in a data folder and not in a backup of it.
fn left_out(data: &Path) -> Result<Vec<String>, BackupError> {
    let failed = |error| BackupError::file("read", data)(error);
    let mut others = Vec::new();
    for entry in fs::read_dir(data).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let is_known = TRANSIENT.iter().any(|known| name == *known)
            || EntryName::parse(name.as_encoded_bytes()).is_some()
            || name.as_encoded_bytes().starts_with(STAGING.as_bytes());
        if !is_known {
            others.push(name.to_string_lossy().into_owned());
        }
    }
    others.sort();
    Ok(others)
}

/// Content that is counted while it is read.
pub(super) struct Counted<'a, R> {
    pub(super) content: R,
    /// Gets how many bytes were read.
    pub(super) count: &'a mut dyn FnMut(u64),
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(bytes)?;
        (self.count)(count as u64);
        Ok(count)
    }
}
