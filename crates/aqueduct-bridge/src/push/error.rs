use std::io;
use std::path::PathBuf;

use aqueduct_wire::hint::{Hint, HintedError};
use thiserror::Error;

use crate::Failure;
use crate::message::ErrorCode;

/// Why there can be no notifications.
#[derive(Debug, Error)]
pub enum PushError {
    /// The key's file can't be read or written.
    #[error("can't keep the key for notifications in {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The file holds something else.
    #[error("{} holds no key for notifications", path.display())]
    NoKey {
        /// The file.
        path: PathBuf,
    },
    /// Something of the cryptography failed, which needs randomness of the system.
    #[error("the system gives no random numbers")]
    Random,
}

impl HintedError for PushError {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::clause(match self {
            PushError::File { .. } => {
                "see that this user can write there, or do without them with --push off"
            }
            PushError::NoKey { .. } => "remove it, and devices that want them have to subscribe again",
            PushError::Random => "see that /dev/urandom can be read",
        }))
    }
}

impl From<PushError> for Failure {
    fn from(error: PushError) -> Self {
        let code = match &error {
            PushError::File { .. } | PushError::NoKey { .. } => ErrorCode::StorageFailed,
            PushError::Random => ErrorCode::Internal,
        };
        Failure::of(code, &error)
    }
}
