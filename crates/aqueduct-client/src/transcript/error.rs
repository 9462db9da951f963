use std::io;
use std::path::{Path, PathBuf};

use aqueduct_wire::hint::{Hint, HintedError};

/// Why something could not be done with the sessions on disk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TranscriptError {
    /// A session's id names a file, so it can't be just any text.
    #[error("`{given}` is not a session id")]
    NotAnId {
        /// The text that was given.
        given: String,
    },
    /// The session does not exist.
    #[error("session {given} does not exist")]
    NotFound {
        /// The id, or its beginning.
        given: String,
    },
    /// The beginning of an id is that of several.
    #[error("{given} is the beginning of {} sessions ({})", candidates.len(), shown(candidates))]
    Ambiguous {
        /// What was given.
        given: String,
        /// The ids that begin with it.
        candidates: Vec<String>,
    },
    /// The message does not exist in the conversation.
    #[error("session {session} has no message {uuid}")]
    NoSuchMessage {
        /// The session.
        session: String,
        /// The message.
        uuid: String,
    },
    /// There is nothing to read or copy.
    #[error("session {session} has no messages")]
    Empty {
        /// The session.
        session: String,
    },
    /// An agent is at work on the session.
    #[error("session {session} is open in a running agent{}", by(*process))]
    InUse {
        /// The session.
        session: String,
        /// The agent's process, where that is known.
        process: Option<i32>,
    },
    /// A title or tag that can't be one.
    #[error("{what} must have between 1 and {limit} characters that can be seen; this one has {found}")]
    Length {
        /// What was to be set.
        what: &'static str,
        /// How long it may be.
        limit: usize,
        /// How long it is.
        found: usize,
    },
    /// A search for nothing.
    #[error("there is nothing to search for")]
    NoWords,
    /// Something can't be read.
    #[error("can't read {}: {error}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// Something can't be written.
    #[error("can't change {}: {error}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// An export can't be written where the caller wants it.
    #[error("can't write the export: {error}")]
    Export {
        /// The writer's error.
        #[source]
        error: io::Error,
    },
}

impl TranscriptError {
    pub(super) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        |error| TranscriptError::Read { path, error }
    }

    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        |error| TranscriptError::Write { path, error }
    }
}

impl HintedError for TranscriptError {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::clause(match self {
            TranscriptError::NotAnId { .. } => {
                "give a UUID such as 550e8400-e29b-41d4-a716-446655440000, or its beginning"
            }
            TranscriptError::NotFound { .. } => "list the sessions",
            TranscriptError::Ambiguous { .. } => "give more of the id",
            TranscriptError::NoSuchMessage { .. } => "take the uuid of one that it shows",
            TranscriptError::InUse { .. } => "end that one first",
            TranscriptError::NoWords => "give a word",
            TranscriptError::Empty { .. }
            | TranscriptError::Length { .. }
            | TranscriptError::Read { .. }
            | TranscriptError::Write { .. }
            | TranscriptError::Export { .. } => return None,
        }))
    }
}

/// The first few of many ids.
fn shown(candidates: &[String]) -> String {
    const SHOWN: usize = 4;
    let more = if candidates.len() > SHOWN { ", …" } else { "" };
    let first: Vec<&str> = candidates.iter().take(SHOWN).map(String::as_str).collect();
    format!("{}{more}", first.join(", "))
}

fn by(process: Option<i32>) -> String {
    process.map(|process| format!(" (process {process})")).unwrap_or_default()
}
