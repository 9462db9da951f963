use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::LogError;

/// The lock's name in the data folder.
const FILE: &str = "log.lock";
/// More than a process id takes.
const ID_LIMIT: u64 = 32;

/// Keeps other bridges out of the data folder.
///
/// The lock is the system's: it goes with the process, however that ends. Children don't get it, because
/// the file is closed when they start their program.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    path: PathBuf,
}

impl Drop for Lock {
    /// Closing the file would do, were it not for a child that is just about to start its program.
    fn drop(&mut self) {
        let _ = flock(&self.file, FlockOperation::Unlock);
    }
}

impl Lock {
    /// Takes the lock, or says who has it.
    pub(super) fn take(folder: &Path) -> Result<Self, LogError> {
        let path = folder.join(FILE);
        let told = |error: io::Error| LogError::Open { path: path.clone(), detail: error.to_string() };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(told)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => {
                return Err(LogError::InUse { folder: folder.to_owned(), process: holder(&mut file) });
            }
            Err(error) => return Err(told(error.into())),
        }
        // Only for the message that others get. A full disk must not keep anybody from reading the log.
        let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
        Ok(Lock { file, path })
    }

    /// Its file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// The process that has the lock, as it wrote into the file. It may just be about to.
fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(ID_LIMIT).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
