use std::io;
use std::path::PathBuf;

/// Why trust can't be inspected or recorded.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// What the folder provides is not what was shown.
    #[error("what the folder provides has changed since it was shown; look at it again")]
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
    #[error("{} can't be trusted: its path is not UTF-8; rename it", path.display())]
    Name {
        /// The folder.
        path: PathBuf,
    },
    /// The store can't be read or written.
    #[error("the trust store {} can't be used: {problem}", path.display())]
    Store {
        /// The file.
        path: PathBuf,
        /// What is wrong and what to do.
        problem: String,
    },
}
