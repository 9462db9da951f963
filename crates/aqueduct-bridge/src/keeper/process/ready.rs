use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use aqueduct_os::poll::{self, Want};

/// The sources that can become readable or writable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Deaths,
    Requests,
    Removal,
    Stdin,
    Stdout,
    Stderr,
    Listener,
    Newcomer,
    Holder,
}

/// What to wait for.
#[derive(Default)]
pub(super) struct Wanted<'w> {
    files: Vec<(BorrowedFd<'w>, Want)>,
    sources: Vec<Source>,
}

/// The sources that are ready.
#[derive(Debug, Default)]
pub(super) struct Ready {
    sources: Vec<Source>,
}

impl<'w> Wanted<'w> {
    /// Waits for something to be read too.
    pub(super) fn read(&mut self, source: Source, file: &'w impl AsFd) {
        self.push(source, file, Want::Read);
    }

    /// Waits for room to write too.
    pub(super) fn write(&mut self, source: Source, file: &'w impl AsFd) {
        self.push(source, file, Want::Write);
    }

    /// Waits for either, or for neither: then only for the end of the other side.
    pub(super) fn either(&mut self, source: Source, file: &'w impl AsFd, read: bool, write: bool) {
        let want = match (read, write) {
            (true, true) => Want::Both,
            (true, false) => Want::Read,
            (false, true) => Want::Write,
            (false, false) => Want::End,
        };
        self.push(source, file, want);
    }

    fn push(&mut self, source: Source, file: &'w impl AsFd, want: Want) {
        self.files.push((file.as_fd(), want));
        self.sources.push(source);
    }

    /// Sleeps until one of them is ready or the time is over.
    pub(super) fn wait(self, time: Duration) -> io::Result<Ready> {
        let ready = poll::wait(&self.files, Some(time))?.into_iter().zip(self.sources);
        Ok(Ready { sources: ready.filter(|(is_ready, _)| *is_ready).map(|(_, source)| source).collect() })
    }
}

impl Ready {
    pub(super) fn has(&self, source: Source) -> bool {
        self.sources.contains(&source)
    }
}
