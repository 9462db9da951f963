use std::fs::File;
use std::thread;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

/// How often a locked file is tried again.
const TRIES: u32 = 5;

/// How long to wait between two tries. A program that only looks whether a session is free has the lock for less.
const PAUSE: Duration = Duration::from_millis(10);

/// The mark that a turn runs: a shared lock on the transcript. Any number of processes may hold it.
///
/// It keeps nobody from reading or appending. Programs that delete a session, or that want to be the only one at
/// work on it, look for it. It is the system's: it goes with the process, however that ends.
#[derive(Debug)]
pub(super) struct Work(File);

impl Work {
    /// Marks a file. Where it can't be marked, work goes on without: no turn fails for a lock.
    pub(super) fn begin(file: &File) -> Option<Self> {
        let file = file.try_clone().ok()?;
        for _ in 0..TRIES {
            match flock(&file, FlockOperation::NonBlockingLockShared) {
                Ok(()) => return Some(Work(file)),
                Err(Errno::WOULDBLOCK) => thread::sleep(PAUSE),
                Err(_) => return None,
            }
        }
        None
    }
}

/// Whether another process is at work on a file that this process has not marked.
pub(super) fn is_at_work(file: &File) -> bool {
    let is_marked = flock(file, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK);
    if !is_marked {
        let _ = flock(file, FlockOperation::Unlock);
    }
    is_marked
}

impl Drop for Work {
    fn drop(&mut self) {
        // Closing alone would leave it locked for as long as the transcript is open.
        let _ = flock(&self.0, FlockOperation::Unlock);
    }
}
