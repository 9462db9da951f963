use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use aqueduct_os::lock::{LockError, LockFile};
use aqueduct_os::private_dir;

use super::BackupError;

/// The lock's name in the folder.
const LOCK: &str = "lock";

/// A folder of this user alone in which one process prepares something. It is removed at the end; what a killed process
/// left in it is removed by the next one.
#[derive(Debug)]
pub(super) struct Staging {
    path: PathBuf,
    _lock: LockFile,
}

impl Staging {
    /// Makes the folder, or takes over one that no process uses.
    pub(super) fn take(path: &Path) -> Result<Self, BackupError> {
        let failed = |error| BackupError::file("make", path)(error);
        // The place may be one where all users make folders.
        private_dir::make_private_among_others(path).map_err(failed)?;
        private_dir::close_to_others(path).map_err(failed)?;
        let lock = LockFile::take(&path.join(LOCK)).map_err(|error| match error {
            LockError::Held { process } => BackupError::Busy { folder: path.to_owned(), process },
            LockError::Io(error) => failed(error),
        })?;
        let staging = Staging { path: path.to_owned(), _lock: lock };
        staging.clear().map_err(BackupError::file("clear", path))?;
        Ok(staging)
    }

    /// A place in the folder.
    pub(super) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn clear(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            if entry.file_name() == LOCK {
                continue;
            }
            match entry.file_type()?.is_dir() {
                true => fs::remove_dir_all(entry.path())?,
                false => fs::remove_file(entry.path())?,
            }
        }
        Ok(())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What can't be removed now is removed by the next one that takes the folder.
        let _ = fs::remove_dir_all(&self.path);
    }
}
