//! Waiting for several files at once.

use std::io;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// What is waited for. An error, and the end of the other side, are always.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PollInterest {
    /// Something to read, or the end.
    Read,
    /// Room to write.
    Write,
    /// Either.
    Both,
    /// The end of the other side alone.
    End,
}

impl PollInterest {
    fn flags(self) -> PollFlags {
        match self {
            PollInterest::Read => PollFlags::IN,
            PollInterest::Write => PollFlags::OUT,
            PollInterest::Both => PollFlags::IN | PollFlags::OUT,
            PollInterest::End => PollFlags::empty(),
        }
    }
}

/// Waits until one of these files is ready, or the time is over; which of them are. A signal does not end the wait.
pub fn wait(files: &[(BorrowedFd<'_>, PollInterest)], timeout: Option<Duration>) -> io::Result<Vec<bool>> {
    let deadline = timeout.map(|timeout| Instant::now() + timeout);
    let mut polled: Vec<PollFd<'_>> =
        files.iter().map(|(file, want)| PollFd::from_borrowed_fd(*file, want.flags())).collect();
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let left =
            left.map(|left| Timespec { tv_sec: left.as_secs() as _, tv_nsec: left.subsec_nanos() as _ });
        match poll(&mut polled, left.as_ref()) {
            Ok(_) => return Ok(polled.iter().map(|file| !file.revents().is_empty()).collect()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write as _};
    use std::os::fd::AsFd as _;
    use std::time::Duration;

    use super::{PollInterest, wait};

    #[test]
    fn what_is_ready_is_named() {
        let (quiet, _open) = io::pipe().unwrap();
        let (busy, mut writer) = io::pipe().unwrap();
        let files = [(quiet.as_fd(), PollInterest::Read), (busy.as_fd(), PollInterest::Read)];
        assert_eq!(wait(&files, Some(Duration::ZERO)).unwrap(), [false, false]);
        writer.write_all(b"x").unwrap();
        assert_eq!(wait(&files, None).unwrap(), [false, true]);
        drop(busy);
        assert_eq!(wait(&[(writer.as_fd(), PollInterest::End)], None).unwrap(), [true]);
    }
}
