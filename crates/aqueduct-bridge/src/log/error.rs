use std::path::PathBuf;

use rusqlite::ErrorCode;

use aqueduct_os::privacy::PrivacyError;
use aqueduct_wire::hint::{Hint, HintedError};

/// Why the log could not do what was asked. Nothing of it was done then, unless a variant states otherwise.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The log was closed.
    #[error("the event log is closed: the bridge is shutting down")]
    Closed,
    /// Another process has the folder.
    #[error(
        "another bridge{} already uses {}",
        process.map(|id| format!(" (process {id})")).unwrap_or_default(),
        folder.display()
    )]
    InUse {
        /// The data folder.
        folder: PathBuf,
        /// The process that holds it, if known.
        process: Option<u32>,
    },
    /// The folder or one of the log's files can't be made or opened.
    #[error("can't open the event log {}: {detail}", path.display())]
    Open {
        /// What could not be opened.
        path: PathBuf,
        /// The system's error.
        detail: String,
    },
    /// Other users have access to the data folder, or it is another user's.
    #[error("the data folder is not safe: {0}")]
    NotPrivate(PrivacyError),
    /// The file was written by a newer version.
    #[error(
        "{} was written by a newer version (its form is {found}, this program knows up to {known})",
        path.display()
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// The form that it has.
        found: i64,
        /// The newest form that this program knows.
        known: i64,
    },
    /// The file is a database of another program.
    #[error("{} is not an event log", path.display())]
    Foreign {
        /// The database.
        path: PathBuf,
    },
    /// The file is damaged.
    #[error("the event log is damaged ({detail})")]
    Corrupt {
        /// What is wrong with it.
        detail: String,
    },
    /// The disk is full.
    #[error("the disk with the event log is full")]
    Full,
    /// The file or its disk may not be written.
    #[error("the event log may not be written")]
    ReadOnly,
    /// A file of the log was removed, replaced or changed while it was open. The log stays closed until
    /// the bridge is started again. What was asked for may or may not be in what remains of it.
    #[error(
        "{} {detail} while the bridge was running: nothing is stored any more, and this was not accepted",
        path.display()
    )]
    Lost {
        /// The file.
        path: PathBuf,
        /// What happened to it.
        detail: String,
    },
    /// The disk failed.
    #[error("the disk with the event log failed ({detail})")]
    Io {
        /// The system's error.
        detail: String,
    },
    /// A value is larger than the database takes.
    #[error("an event is too large for the event log, which takes a billion bytes")]
    TooLarge,
    /// The session does not exist, or it was deleted.
    #[error("session {id} does not exist")]
    NoSession {
        /// The session that was named.
        id: String,
    },
    /// A session of this id is there already, or was until it was deleted.
    #[error("there is a session {id} already")]
    SessionExists {
        /// The session that was named.
        id: String,
    },
    /// The agent's output was already turned into events up to another place. The caller has an old
    /// view of the session and must read it again.
    #[error("the output was read up to byte {actual}, not {expected}")]
    CursorMoved {
        /// Where the caller thought the cursor was.
        expected: u64,
        /// Where it is.
        actual: u64,
    },
    /// The session's newest event is another one. The caller has an old view of the session and must read it
    /// again.
    #[error("the newest event is {actual}, not {expected}")]
    SeqMoved {
        /// What the caller thought the newest event was.
        expected: u64,
        /// What it is.
        actual: u64,
    },
    /// An input can't go from the state that it has to the one that was asked for, or is not there.
    #[error("input {id} can't become {to}: it is {}", from.unwrap_or("unknown"))]
    InputState {
        /// The input.
        id: String,
        /// The state that it has; `None` if the input does not exist.
        from: Option<&'static str>,
        /// The state that it was to have.
        to: &'static str,
    },
    /// The device does not exist, or it was revoked.
    #[error("device {id} does not exist")]
    NoDevice {
        /// The device that was named.
        id: String,
    },
    /// An error in this program.
    #[error("the event log failed: {detail}")]
    Unexpected {
        /// The database's error.
        detail: String,
    },
}

impl HintedError for LogError {
    fn hint(&self) -> Option<Hint> {
        Some(match self {
            LogError::InUse { .. } => Hint::clause("stop it, or choose another --data-dir"),
            LogError::Open { .. } => Hint::sentence("Check that the folder is there and may be written"),
            LogError::NotPrivate(error) => match error.hint() {
                Some(hint) => Hint::clause(format!("{hint}; or choose another --data-dir")),
                None => Hint::clause("choose another --data-dir"),
            },
            LogError::Newer { .. } => Hint::clause("update this program, or choose another --data-dir"),
            LogError::Foreign { .. } => Hint::clause("move it away, or choose another --data-dir"),
            LogError::Corrupt { .. } => Hint::sentence(
                "Stop the bridge, keep a copy of log.sqlite3* from the data folder, save what can be read with \
                 `sqlite3 log.sqlite3 .recover`, and start again without those files",
            ),
            LogError::Full => Hint::clause("make space, then try again"),
            LogError::ReadOnly => {
                Hint::clause("check its disk and the rights of the data folder, then try again")
            }
            LogError::Lost { .. } => {
                Hint::sentence("Put the data folder in order, then restart the bridge and send it again")
            }
            LogError::Io { .. } => Hint::clause("check it, then try again"),
            LogError::CursorMoved { .. } | LogError::SeqMoved { .. } => {
                Hint::clause("read the session again and continue from there")
            }
            LogError::Unexpected { .. } => Hint::sentence("Please report this"),
            LogError::Closed
            | LogError::TooLarge
            | LogError::NoSession { .. }
            | LogError::SessionExists { .. }
            | LogError::InputState { .. }
            | LogError::NoDevice { .. } => return None,
        })
    }
}

impl From<rusqlite::Error> for LogError {
    fn from(error: rusqlite::Error) -> Self {
        let detail = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => LogError::Corrupt { detail },
            Some(ErrorCode::TooBig) => LogError::TooLarge,
            Some(ErrorCode::DiskFull) => LogError::Full,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => LogError::ReadOnly,
            Some(
                ErrorCode::SystemIoFailure
                | ErrorCode::CannotOpen
                | ErrorCode::NoLargeFileSupport
                | ErrorCode::FileLockingProtocolFailed,
            ) => LogError::Io { detail },
            _ => LogError::Unexpected { detail },
        }
    }
}
