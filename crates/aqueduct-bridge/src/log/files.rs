//! The files of an open log, and whether they are still those that the data folder has.
//!
//! An open file outlives its name. Without this check a bridge whose database was removed, replaced or overwritten
//! would acknowledge commits that no later bridge finds.

use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::LogError;
use super::database::WAL_LIMIT;

/// How many bytes the header of a write-ahead log has.
const WAL_HEADER: usize = 32;

/// Which file it is, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileIdentity {
    device: u64,
    inode: u64,
}

impl FileIdentity {
    pub(super) fn of(data: &Metadata) -> Self {
        FileIdentity { device: data.dev(), inode: data.ino() }
    }
}

/// When a file was last written, and its size then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileVersion {
    size: u64,
    seconds: i64,
    nanoseconds: i64,
}

impl FileVersion {
    fn of(data: &Metadata) -> Self {
        FileVersion { size: data.size(), seconds: data.mtime(), nanoseconds: data.mtime_nsec() }
    }
}

/// A file by its name, with what it was when the log was opened.
#[derive(Debug)]
struct NamedFile {
    path: PathBuf,
    identity: FileIdentity,
}

impl NamedFile {
    fn find(path: PathBuf) -> Result<(Self, Metadata), LogError> {
        let data = fs::metadata(&path).map_err(|error| lost(&path, &FileFault::of(&error)))?;
        Ok((NamedFile { identity: FileIdentity::of(&data), path }, data))
    }

    /// Fails if the name is another file's now, or no file's.
    fn check(&self) -> Result<Metadata, LogError> {
        let data = fs::metadata(&self.path).map_err(|error| self.lost(&FileFault::of(&error)))?;
        match FileIdentity::of(&data) == self.identity {
            true => Ok(data),
            false => Err(self.lost(&FileFault::Replaced)),
        }
    }

    fn lost(&self, fault: &FileFault) -> LogError {
        lost(&self.path, fault)
    }
}

/// What happened to a file.
enum FileFault {
    Removed,
    Replaced,
    Changed,
    Unreadable(String),
}

impl FileFault {
    fn of(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => FileFault::Removed,
            _ => FileFault::Unreadable(error.to_string()),
        }
    }
}

fn lost(path: &Path, fault: &FileFault) -> LogError {
    let detail = match fault {
        FileFault::Removed => "was removed or moved".to_owned(),
        FileFault::Replaced => "was replaced by another file".to_owned(),
        FileFault::Changed => "was changed by another program".to_owned(),
        FileFault::Unreadable(detail) => format!("can't be examined: {detail}"),
    };
    LogError::Lost { path: path.to_owned(), detail }
}

/// The files of an open log.
///
/// Only the writer changes them, so whatever changes between its operations was changed by another program. A commit
/// changes the write-ahead log alone, a checkpoint the database too.
#[derive(Debug)]
pub(super) struct LogFiles {
    database: NamedFile,
    database_version: FileVersion,
    wal: NamedFile,
    wal_version: FileVersion,
    /// Open, to read the header. The database itself is never opened a second time, since closing it would release
    /// the locks that SQLite holds.
    wal_file: File,
    /// The shared memory, and the lock that keeps other bridges away.
    others: [NamedFile; 2],
}

/// What of an open log is gone.
#[derive(Debug)]
pub(super) enum Loss {
    /// Only files beside the database: what was committed can still be moved into the database.
    Beside(LogError),
    /// The database, or what was committed and not yet moved into it.
    Database(LogError),
}

impl Loss {
    pub(super) fn into_error(self) -> LogError {
        let (Loss::Beside(error) | Loss::Database(error)) = self;
        error
    }
}

impl LogFiles {
    /// The files of a database that was just opened: `named` is its path as the user named it, `identity` what it was
    /// before.
    pub(super) fn of(named: &Path, identity: FileIdentity, lock: PathBuf) -> Result<Self, LogError> {
        // SQLite follows links, and has the other files beside their target.
        let real = fs::canonicalize(named).map_err(|error| lost(named, &FileFault::of(&error)))?;
        let beside = |suffix: &str| {
            let mut path = real.clone().into_os_string();
            path.push(suffix);
            PathBuf::from(path)
        };
        let (database, data) = NamedFile::find(named.to_owned())?;
        if database.identity != identity {
            return Err(database.lost(&FileFault::Replaced));
        }
        let (wal, wal_data) = NamedFile::find(beside("-wal"))?;
        let wal_file = File::open(&wal.path).map_err(|error| wal.lost(&FileFault::of(&error)))?;
        Ok(LogFiles {
            database,
            database_version: FileVersion::of(&data),
            wal,
            wal_version: FileVersion::of(&wal_data),
            wal_file,
            others: [NamedFile::find(beside("-shm"))?.0, NamedFile::find(lock)?.0],
        })
    }

    /// Fails if another program changed something since the last operation. To be called before each.
    pub(super) fn before(&self) -> Result<(), Loss> {
        self.check_database()?;
        // The open file: it shows whether the content changed, even after the name was removed.
        let wal = self.wal_file.metadata().map_err(|error| self.wal_lost(&FileFault::of(&error)))?;
        if FileVersion::of(&wal) != self.wal_version {
            return Err(self.wal_lost(&FileFault::Changed));
        }
        self.check_names()
    }

    /// Fails if a commit went to files that the data folder does not have. To be called after each commit and before
    /// it is acknowledged.
    pub(super) fn after_commit(&mut self) -> Result<(), Loss> {
        self.check_database()?;
        let wal = self.wal_file.metadata().map_err(|error| self.wal_lost(&FileFault::of(&error)))?;
        let least = self.wal_version.size.min(WAL_LIMIT.unsigned_abs());
        // A write-ahead log that was cut meanwhile begins with a gap.
        if wal.size() < least || wal.size() > 0 && !self.has_header() {
            return Err(self.wal_lost(&FileFault::Changed));
        }
        self.wal_version = FileVersion::of(&wal);
        self.check_names()
    }

    /// Fails if names are gone; takes what the files are now as the writer's own work. To be called after a
    /// checkpoint, which changes all of them.
    pub(super) fn after_checkpoint(&mut self) -> Result<(), Loss> {
        self.database_version = FileVersion::of(&self.database.check().map_err(Loss::Database)?);
        self.after_commit()
    }

    /// How large the write-ahead log is.
    pub(super) fn wal_size(&self) -> u64 {
        self.wal_version.size
    }

    fn check_database(&self) -> Result<(), Loss> {
        let data = self.database.check().map_err(Loss::Database)?;
        match FileVersion::of(&data) == self.database_version {
            true => Ok(()),
            false => Err(Loss::Database(self.database.lost(&FileFault::Changed))),
        }
    }

    fn check_names(&self) -> Result<(), Loss> {
        for named in std::iter::once(&self.wal).chain(&self.others) {
            named.check().map_err(Loss::Beside)?;
        }
        Ok(())
    }

    fn wal_lost(&self, fault: &FileFault) -> Loss {
        Loss::Database(self.wal.lost(fault))
    }

    fn has_header(&self) -> bool {
        let mut header = [0; WAL_HEADER];
        self.wal_file.read_exact_at(&mut header, 0).is_ok() && header != [0; WAL_HEADER]
    }
}
