use std::io;
use std::path::{Path, PathBuf};

use aqueduct_os::privacy::PrivacyError;
use aqueduct_wire::hint::{Hint, HintedError};

use super::archive::ArchiveError;
use crate::log::LogError;

/// Why a backup could not be made, read or restored. Nothing was changed then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// The archive.
    #[error("the backup is not usable: {0}")]
    Archive(#[from] ArchiveError),
    /// The log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Other users have access to a folder.
    #[error("the data folder is not safe: {0}")]
    NotPrivate(#[from] PrivacyError),
    /// There is nothing to back up.
    #[error("there is no event log in {}", folder.display())]
    NoLog {
        /// The data folder.
        folder: PathBuf,
    },
    /// A backup is to be written to a file that is there.
    #[error("{} exists", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A backup is to be written to something that is no regular file.
    #[error("{} is not a regular file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// Keepers' folders changed each time while they were copied.
    #[error("the output of session {session} did not stay the same while it was copied")]
    Unsteady {
        /// The session.
        session: String,
    },
    /// Another process prepares something at the same place.
    #[error(
        "another backup or restore{} works in {}",
        process.map(|id| format!(" (process {id})")).unwrap_or_default(),
        folder.display()
    )]
    Busy {
        /// The folder in which it is prepared.
        folder: PathBuf,
        /// The process, if known.
        process: Option<u32>,
    },
    /// The log in the backup is damaged.
    #[error("the log in the backup is damaged: {}", faults.join("; "))]
    Damaged {
        /// What the database reports.
        faults: Vec<String>,
    },
    /// The backup has no log.
    #[error("the backup has no event log")]
    WithoutLog,
    /// The log in the backup is not the one that its header names.
    #[error("the log in the backup is not the one that its header names")]
    OtherLog,
    /// The place of the data folder has something else.
    #[error("{} is not a folder", path.display())]
    NotAFolder {
        /// The place.
        path: PathBuf,
    },
    /// The data folder has data.
    #[error("{} has data: {}", folder.display(), example)]
    HasData {
        /// The data folder.
        folder: PathBuf,
        /// One of its files.
        example: String,
    },
    /// Agents run in the data folder.
    #[error("{count} agents of {} are running", folder.display())]
    AgentsRun {
        /// The data folder.
        folder: PathBuf,
        /// How many.
        count: usize,
    },
    /// The file system can't replace a folder in one step.
    #[error("{} can't be replaced in one step", folder.display())]
    NotExchangeable {
        /// The data folder.
        folder: PathBuf,
    },
    /// A file or folder.
    #[error("can't {doing} {}: {source}", path.display())]
    File {
        /// What was tried: a verb.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl BackupError {
    /// An error of the system. `doing` is the verb for what was tried.
    pub(super) fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> BackupError {
        let path = path.to_owned();
        move |source| BackupError::File { doing, path, source }
    }
}

impl HintedError for BackupError {
    fn hint(&self) -> Option<Hint> {
        Some(match self {
            BackupError::Archive(error) => return error.hint(),
            BackupError::Log(error) => return error.hint(),
            BackupError::NotPrivate(error) => return error.hint().map(Hint::Clause),
            BackupError::NoLog { .. } => Hint::clause("name the data folder of a bridge with --data-dir"),
            BackupError::Exists { .. } => Hint::clause("choose another name, or pass --replace"),
            BackupError::NotAFile { .. } => Hint::clause("name a file, or - for standard output"),
            BackupError::Unsteady { .. } => Hint::clause("try again when it writes less"),
            BackupError::Busy { .. } => Hint::clause("wait until it has ended"),
            BackupError::Damaged { .. } | BackupError::WithoutLog | BackupError::OtherLog => {
                Hint::clause("use another backup")
            }
            BackupError::NotAFolder { .. } => Hint::clause("move it away, or choose another --data-dir"),
            BackupError::HasData { .. } => Hint::clause(
                "pass --replace to keep it beside the restored one, or choose another --data-dir",
            ),
            BackupError::AgentsRun { .. } => Hint::clause("end them with aqueduct stop --agents"),
            BackupError::NotExchangeable { .. } => {
                Hint::sentence("Move it away yourself, then restore without --replace")
            }
            BackupError::File { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                Hint::clause("make room, then try again")
            }
            BackupError::File { .. } => return None,
        })
    }
}
