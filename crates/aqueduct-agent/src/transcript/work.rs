use std::fs::{File, TryLockError};
use std::thread;
use std::time::Duration;

/// How often a locked file is tried again.
const TRIES: u32 = 5;

/// How long to wait between two tries. A program that only looks whether a session is free has the lock for less.
const PAUSE: Duration = Duration::from_millis(10);

/// The mark that a turn runs: a shared lock on the transcript. Any number of processes may hold it.
///
/// It keeps nobody from reading or appending. Programs that delete a session, or that want to be the only one at
/// work on it, look for it. It is the system's: it goes with the process, however that ends.
#[derive(Debug)]
pub(super) struct TurnLock(File);

impl TurnLock {
    /// Marks a file. Where it can't be marked, work goes on without: no turn fails for a lock.
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

/// Whether another process is at work on a file that this process has not marked.
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
