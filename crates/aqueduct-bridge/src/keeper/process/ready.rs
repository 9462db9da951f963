use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use aqueduct_os::poll::{self, PollInterest};

/// The sources that can become readable or writable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PollSource {
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
pub(super) struct PollSet<'w> {
    files: Vec<(BorrowedFd<'w>, PollInterest)>,
    sources: Vec<PollSource>,
}

/// The sources that are ready.
#[derive(Debug, Default)]
pub(super) struct ReadySources {
    sources: Vec<PollSource>,
}

impl<'w> PollSet<'w> {
    /// Waits for something to be read too.
    pub(super) fn read(&mut self, source: PollSource, file: &'w impl AsFd) {
        self.push(source, file, PollInterest::Read);
    }

    /// Waits for room to write too.
    pub(super) fn write(&mut self, source: PollSource, file: &'w impl AsFd) {
        self.push(source, file, PollInterest::Write);
    }

    /// Waits for either, or for neither: then only for the end of the other side.
    pub(super) fn either(&mut self, source: PollSource, file: &'w impl AsFd, read: bool, write: bool) {
        let want = match (read, write) {
            (true, true) => PollInterest::Both,
            (true, false) => PollInterest::Read,
            (false, true) => PollInterest::Write,
            (false, false) => PollInterest::End,
        };
        self.push(source, file, want);
    }

    fn push(&mut self, source: PollSource, file: &'w impl AsFd, want: PollInterest) {
        self.files.push((file.as_fd(), want));
        self.sources.push(source);
    }

    /// Sleeps until one of them is ready or the time is over.
    pub(super) fn wait(self, time: Duration) -> io::Result<ReadySources> {
        let ready = poll::wait(&self.files, Some(time))?.into_iter().zip(self.sources);
        Ok(ReadySources {
            sources: ready.filter(|(is_ready, _)| *is_ready).map(|(_, source)| source).collect(),
        })
    }
}

impl ReadySources {
    pub(super) fn has(&self, source: PollSource) -> bool {
        self.sources.contains(&source)
    }
}
