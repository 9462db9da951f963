use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use crate::poll::{self, PollInterest};

/// A pidfd.
#[derive(Debug)]
pub(crate) struct PlatformHandle(OwnedFd);

impl PlatformHandle {
    pub(crate) fn open(pid: Pid) -> io::Result<Option<Self>> {
        match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(process) => Ok(Some(PlatformHandle(process))),
            Err(Errno::SRCH) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn signal(&self, signal: Signal) -> io::Result<()> {
        match pidfd_send_signal(&self.0, signal) {
            Err(Errno::SRCH) => Ok(()),
            sent => Ok(sent?),
        }
    }

    /// Waits until one of them has ended, or the time is over; which have ended.
    pub(crate) fn wait(handles: &[&PlatformHandle], timeout: Duration) -> io::Result<Vec<bool>> {
        let files: Vec<_> = handles.iter().map(|handle| (handle.0.as_fd(), PollInterest::Read)).collect();
        poll::wait(&files, Some(timeout))
    }
}

/// The end of a child, which is known before the child is reaped.
#[derive(Debug)]
pub(crate) struct ChildEnd(AsyncFd<OwnedFd>);

impl ChildEnd {
    /// None where the system has no pidfds.
    pub(crate) fn watch(pid: Pid) -> Option<Self> {
        let handle = PlatformHandle::open(pid).ok()??;
        #[expect(
            deprecated,
            reason = "an OwnedFd always has the same descriptor, which is all that soundness needs"
        )]
        AsyncFd::with_interest(handle.0, Interest::READABLE).ok().map(ChildEnd)
    }

    pub(crate) async fn ended(&self) -> io::Result<()> {
        self.0.readable().await.map(drop)
    }
}
