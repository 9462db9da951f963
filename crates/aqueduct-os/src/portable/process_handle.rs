use std::convert::Infallible;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

/// How often to look whether a process has ended.
const LOOK: Duration = Duration::from_millis(10);

/// The number of a process.
#[derive(Debug)]
pub(crate) struct PlatformHandle(Pid);

impl PlatformHandle {
    pub(crate) fn open(pid: Pid) -> io::Result<Option<Self>> {
        let handle = PlatformHandle(pid);
        Ok((!handle.has_ended()).then_some(handle))
    }

    pub(crate) fn signal(&self, signal: Signal) -> io::Result<()> {
        match kill_process(self.0, signal) {
            Err(Errno::SRCH) => Ok(()),
            sent => Ok(sent?),
        }
    }

    /// Waits until one of them has ended, or the time is over; which have ended.
    pub(crate) fn wait(handles: &[&PlatformHandle], timeout: Duration) -> io::Result<Vec<bool>> {
        let deadline = Instant::now() + timeout;
        loop {
            let ended: Vec<bool> = handles.iter().map(|handle| handle.has_ended()).collect();
            let left = deadline.saturating_duration_since(Instant::now());
            if ended.contains(&true) || left.is_zero() {
                return Ok(ended);
            }
            thread::sleep(left.min(LOOK));
        }
    }

    fn has_ended(&self) -> bool {
        matches!(test_kill_process(self.0), Err(Errno::SRCH))
    }
}

/// The end of a child is known when the child is reaped, and not before.
#[derive(Debug)]
pub(crate) struct ChildEnd(Infallible);

impl ChildEnd {
    pub(crate) fn watch(_pid: Pid) -> Option<Self> {
        None
    }

    pub(crate) async fn ended(&self) -> io::Result<()> {
        match self.0 {}
    }
}
