use std::io;
use std::path::PathBuf;

use aqueduct_wire::hint::{Hint, HintedError};

/// Why a transcript can't be opened or written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TranscriptFileError {
    /// A session id names a file, so it can't be just any text.
    #[error("`{given}` is not a valid session id")]
    InvalidId {
        /// The text that was given.
        given: String,
    },
    /// A new session was asked for under an id that has a transcript.
    #[error("Session ID {session_id} is already in use")]
    AlreadyUsed {
        /// The id.
        session_id: String,
    },
    /// There is no transcript of that id, here or elsewhere.
    #[error("No conversation found with session ID: {session_id}")]
    NotFound {
        /// The id.
        session_id: String,
    },
    /// The transcript belongs to another folder.
    #[error("No conversation found with session ID: {session_id} for this folder")]
    Elsewhere {
        /// The id.
        session_id: String,
        /// The folder it was held in, or the transcript where that is not known.
        folder: String,
    },
    /// `--resume-session-at` names a message that is not in the conversation.
    #[error("No message found with message.uuid of: {uuid}")]
    NoSuchMessage {
        /// The message.
        uuid: String,
    },
    /// What is behind the message of `--resume-session-at` is not the one turn that may go.
    #[error("Resume rejected by --resume-drops-turn: {found}")]
    DropsMore {
        /// The prompt whose turn may go.
        turn: String,
        /// What there is instead.
        found: String,
    },
    /// A line of another kind was not an object.
    #[error("a line of a transcript must be a JSON object")]
    NotAnObject,
    /// The file can't be read.
    #[error("can't read the transcript {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A line can't be written. Nothing of it is in the file, or what is can't spoil the lines that follow.
    #[error("can't write to the transcript {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
}

impl HintedError for TranscriptFileError {
    fn hint(&self) -> Option<Hint> {
        Some(match self {
            TranscriptFileError::InvalidId { .. } => {
                Hint::clause("use a UUID such as 550e8400-e29b-41d4-a716-446655440000")
            }
            TranscriptFileError::AlreadyUsed { .. } => {
                Hint::clause("resume it with --resume, or omit --session-id")
            }
            TranscriptFileError::Elsewhere { folder, .. } => {
                Hint::clause(format!("it belongs to {folder}; start the agent there"))
            }
            TranscriptFileError::DropsMore { turn, .. } => {
                Hint::clause(format!("only the turn of the prompt {turn} may go, and nothing was changed"))
            }
            TranscriptFileError::Write { error, .. } => Hint::sentence(remedy(error)),
            TranscriptFileError::NotFound { .. }
            | TranscriptFileError::NoSuchMessage { .. }
            | TranscriptFileError::NotAnObject
            | TranscriptFileError::Read { .. } => return None,
        })
    }
}

/// What the user can do about a write that failed.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull => "Free space on that disk, then send the prompt again.",
        io::ErrorKind::QuotaExceeded => "Free space or raise the quota, then send the prompt again.",
        io::ErrorKind::FileTooLarge => {
            "Raise the limit on file sizes (ulimit -f) or compact the conversation, then send the prompt again."
        }
        io::ErrorKind::ReadOnlyFilesystem => {
            "Make the file system writable, or set CLAUDE_CONFIG_DIR to a folder that is, then send the prompt again."
        }
        io::ErrorKind::PermissionDenied => {
            "Give your user write access to the file and its folder, then send the prompt again."
        }
        _ => {
            "Check the disk and the folder, then send the prompt again; --no-session-persistence keeps nothing on disk."
        }
    }
}
