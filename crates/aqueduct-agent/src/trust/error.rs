use std::io;
use std::path::PathBuf;

use aqueduct_wire::hint::{Hint, HintedError};

/// Why trust can't be inspected or recorded.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// What the folder provides is not what was shown.
    #[error("what the folder provides has changed since it was shown")]
    Changed,
    /// The folder can't be used.
    #[error("can't inspect {}: {error}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The folder's path is not UTF-8, so that it can't be named in the store.
    #[error("{} can't be trusted: its path is not UTF-8", path.display())]
    Name {
        /// The folder.
        path: PathBuf,
    },
    /// The store can't be read or written.
    #[error("the trust store {} can't be used: {problem}", path.display())]
    Store {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: TrustStoreError,
    },
}

/// What is wrong with the trust store.
#[derive(Debug, thiserror::Error)]
pub enum TrustStoreError {
    /// The file can't be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// Another user can change the file or its folder.
    #[error("others can change {}", path.display())]
    Shared {
        /// The file or the folder.
        path: PathBuf,
    },
    /// It is not valid JSON.
    #[error("it is no JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is JSON of another shape.
    #[error("it is no JSON object")]
    NotAnObject,
    /// Another version of the program wrote it.
    #[error("it has another version")]
    Version,
}

impl HintedError for TrustError {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::Clause(match self {
            TrustError::Changed => "look at it again".to_owned(),
            TrustError::Name { .. } => "rename it".to_owned(),
            TrustError::Store { problem, .. } => match problem {
                TrustStoreError::Shared { path } => {
                    let path = path.display();
                    format!("make it yours alone: chown \"$USER\" and chmod go-w {path}")
                }
                TrustStoreError::Json(_) | TrustStoreError::NotAnObject => {
                    "remove it to start anew".to_owned()
                }
                TrustStoreError::Version => "use the program that wrote it, or remove it".to_owned(),
                TrustStoreError::File(_) => return None,
            },
            TrustError::Folder { .. } => return None,
        }))
    }
}
