use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::Failure;
use crate::message::ErrorCode;

/// Why there can be no notifications.
#[derive(Debug, Error)]
pub enum PushError {
    /// The key's file can't be read or written.
    #[error(
        "can't keep the key for notifications in {}: {error}; see that this user can write there, or do without them \
         with --push off",
        path.display()
    )]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The file holds something else.
    #[error(
        "{} holds no key for notifications: remove it, and devices that want them have to subscribe again",
        path.display()
    )]
    NoKey {
        /// The file.
        path: PathBuf,
    },
    /// Something of the cryptography failed, which needs randomness of the system.
    #[error("the system gives no random numbers: see that /dev/urandom can be read")]
    Random,
}

impl From<PushError> for Failure {
    fn from(error: PushError) -> Self {
        let code = match &error {
            PushError::File { .. } | PushError::NoKey { .. } => ErrorCode::StorageFailed,
            PushError::Random => ErrorCode::Internal,
        };
        Failure::new(code, error.to_string())
    }
}
