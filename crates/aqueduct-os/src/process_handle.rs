//! A process that signals reach even if its number is used again.

use std::io;
use std::time::{Duration, Instant};

use crate::platform::process_handle::PlatformHandle;
use crate::process::{Pid, Signal};

/// A process. On Linux it is a pidfd, so a signal reaches this process or none. Elsewhere it is its number.
///
/// A number that was read somewhere may be another process's by the time it is opened: check after opening that the
/// process is still the one that was meant.
#[derive(Debug)]
pub struct ProcessHandle(PlatformHandle);

impl ProcessHandle {
    /// Opens a process; none if it is gone.
    pub fn open(pid: Pid) -> io::Result<Option<Self>> {
        Ok(PlatformHandle::open(pid)?.map(ProcessHandle))
    }

    /// Opens a process of which `is_meant` is still true; none if it is gone, or is another.
    pub fn open_if(pid: Pid, is_meant: impl FnOnce() -> bool) -> io::Result<Option<Self>> {
        Ok(ProcessHandle::open(pid)?.filter(|_| is_meant()))
    }

    /// Sends a signal. For a process that has ended this is not an error.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        self.0.signal(signal)
    }

    /// Waits until all processes have ended, or the time is over; which of them have ended.
    pub fn wait_for_all(handles: &[&ProcessHandle], timeout: Duration) -> io::Result<Vec<bool>> {
        let deadline = Instant::now() + timeout;
        let mut ended = vec![false; handles.len()];
        loop {
            let running: Vec<usize> = (0..handles.len()).filter(|index| !ended[*index]).collect();
            if running.is_empty() {
                return Ok(ended);
            }
            let waited: Vec<&PlatformHandle> = running.iter().map(|index| &handles[*index].0).collect();
            let left = deadline.saturating_duration_since(Instant::now());
            let found = PlatformHandle::wait(&waited, left)?;
            for (index, has_ended) in running.into_iter().zip(found) {
                ended[index] = has_ended;
            }
            if left.is_zero() {
                return Ok(ended);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::ProcessHandle;
    use crate::process::{Signal, pid};

    #[test]
    fn a_signal_reaches_the_process_and_its_end_is_seen() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let handle = ProcessHandle::open(pid(child.id()).unwrap()).unwrap().expect("it runs");
        assert_eq!(ProcessHandle::wait_for_all(&[&handle], Duration::ZERO).unwrap(), [false]);
        handle.signal(Signal::KILL).unwrap();
        assert!(!child.wait().unwrap().success());
        assert_eq!(ProcessHandle::wait_for_all(&[&handle], Duration::from_secs(10)).unwrap(), [true]);
        handle.signal(Signal::KILL).expect("a process that has ended is not an error");
        assert!(ProcessHandle::open(pid(child.id()).unwrap()).unwrap().is_none());
    }

    #[test]
    fn a_process_that_is_not_meant_is_not_opened() {
        let own = pid(std::process::id()).unwrap();
        assert!(ProcessHandle::open_if(own, || false).unwrap().is_none());
        assert!(ProcessHandle::open_if(own, || true).unwrap().is_some());
    }
}
