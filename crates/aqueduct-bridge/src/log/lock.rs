use std::path::Path;

use aqueduct_os::lock::{LockError, LockFile};

use super::LogError;

/// The lock's name in the data folder.
const FILE: &str = "log.lock";

/// Keeps other bridges out of the data folder.
#[derive(Debug)]
pub(super) struct DataLock(LockFile);

impl DataLock {
    /// Takes the lock, or returns its holder.
    pub(super) fn take(folder: &Path) -> Result<Self, LogError> {
        let path = folder.join(FILE);
        LockFile::take(&path).map(DataLock).map_err(|error| match error {
            LockError::Held { process } => LogError::InUse { folder: folder.to_owned(), process },
            LockError::Io(error) => LogError::Open { path, detail: error.to_string() },
        })
    }

    /// Its file.
    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}
