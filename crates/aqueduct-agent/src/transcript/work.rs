use std::fs::{File, TryLockError};
use std::thread;
use std::time::Duration;

/// How often a locked file is tried again.
const TRIES: u32 = 5;

/// How long to wait between two tries. A program that only looks whether a session is free has the lock for less.
const PAUSE: Duration = Duration::from_millis(10);

/// Marks a running turn by a shared lock on the transcript. Any number of processes may hold it.
///
/// It does not prevent other processes from reading or appending. Programs that delete a session, or that need
/// exclusive use of it, check for the lock. The operating system releases it when the process ends for any reason.
#[derive(Debug)]
pub(super) struct TurnLock(File);

impl TurnLock {
    /// Locks a file. If that fails, the turn continues without the lock: no turn fails because of a lock.
    pub(super) fn begin(file: &File) -> Option<Self> {
        let file = file.try_clone().ok()?;
        for _ in 0..TRIES {
            match file.try_lock_shared() {
                Ok(()) => return Some(TurnLock(file)),
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
                Err(TryLockError::Error(_)) => return None,
            }
        }
        None
    }
}

/// Whether another process runs a turn on a file that this process has not locked.
pub(super) fn is_at_work(file: &File) -> bool {
    let is_marked = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    if !is_marked {
        let _ = file.unlock();
    }
    is_marked
}

impl Drop for TurnLock {
    fn drop(&mut self) {
        // Closing alone would leave it locked for as long as the transcript is open.
        let _ = self.0.unlock();
    }
}
