//! Locks of files, and which process holds one.
//!
//! Both kinds are the system's: they go with their process, however that ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, fcntl_lock};
use rustix::io::Errno;
use rustix::process::{Flock, FlockType, fcntl_getlk};
use thiserror::Error;

use crate::process::Pid;

/// More than a process id takes.
const ID_LIMIT: u64 = 32;

/// Why a lock file could not be locked.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another process has it.
    #[error("another process has the lock")]
    Held {
        /// Its number, as it wrote it into the file. It may just be about to.
        process: Option<u32>,
    },
    /// The file can't be made, opened or locked.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A file that one process at a time has locked, with the number of that process in it.
///
/// Children don't get the lock, because the file is closed when they start their program.
#[derive(Debug)]
pub struct LockFile {
    file: File,
    path: PathBuf,
}

impl LockFile {
    /// Takes the lock. The file is made where there is none, for this user alone.
    pub fn take(path: &Path) -> Result<Self, LockError> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LockError::Held { process: holder(&mut file) }),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        // Only for the message that others get. A full disk must not prevent the lock.
        let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
        Ok(LockFile { file, path: path.to_owned() })
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for LockFile {
    /// Closing the file would do, were it not for a child that is just about to start its program.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// The process that has the lock.
fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(ID_LIMIT).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// Whether an error of locking means that the file system has no locks.
pub fn is_unsupported(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::NOLCK | Errno::OPNOTSUPP | Errno::NOSYS))
}

/// A record lock of `fcntl`: it is not inherited, and can be queried without being taken. The query returns
/// which process has it, so a process number that is used again is not taken for it.
#[derive(Debug)]
pub struct RecordLock(File);

impl RecordLock {
    /// Locks a file for this process; none if another one has it. The file must be open for writing.
    pub fn take(file: File) -> io::Result<Option<Self>> {
        match fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(RecordLock(file))),
            Err(Errno::AGAIN | Errno::ACCESS) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Which process has a file locked.
    pub fn owner(file: &File) -> io::Result<Option<Pid>> {
        Ok(fcntl_getlk(file, &Flock::from(FlockType::WriteLock))?.and_then(|lock| lock.pid))
    }

    /// Whether the file still has a name.
    pub fn is_named(&self) -> bool {
        self.0.metadata().is_ok_and(|metadata| metadata.nlink() > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::{LockError, LockFile};

    #[test]
    fn one_holder_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let lock = LockFile::take(&path).unwrap();
        match LockFile::take(&path) {
            Err(LockError::Held { process }) => assert_eq!(process, Some(std::process::id())),
            other => panic!("{other:?}"),
        }
        drop(lock);
        assert_eq!(LockFile::take(&path).unwrap().path(), path);
    }
}
