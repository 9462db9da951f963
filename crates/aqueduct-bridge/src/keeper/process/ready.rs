use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// What can have something to say, or room for something to be said.
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
    files: Vec<PollFd<'w>>,
    sources: Vec<Source>,
}

/// What has something to say.
#[derive(Debug, Default)]
pub(super) struct Ready {
    sources: Vec<Source>,
}

impl<'w> Wanted<'w> {
    /// Waits for something to be read too.
    pub(super) fn read(&mut self, source: Source, file: &'w impl AsFd) {
        self.push(source, file, PollFlags::IN);
    }

    /// Waits for room to write too.
    pub(super) fn write(&mut self, source: Source, file: &'w impl AsFd) {
        self.push(source, file, PollFlags::OUT);
    }

    /// Waits for either, or for neither: then only for the end of the other side.
    pub(super) fn either(&mut self, source: Source, file: &'w impl AsFd, read: bool, write: bool) {
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, read);
        flags.set(PollFlags::OUT, write);
        self.push(source, file, flags);
    }

    fn push(&mut self, source: Source, file: &'w impl AsFd, flags: PollFlags) {
        self.files.push(PollFd::from_borrowed_fd(file.as_fd(), flags));
        self.sources.push(source);
    }

    /// Sleeps until one of them is ready or the time is over.
    pub(super) fn wait(mut self, time: Duration) -> io::Result<Ready> {
        let time = Timespec { tv_sec: time.as_secs() as _, tv_nsec: time.subsec_nanos() as _ };
        match poll(&mut self.files, Some(&time)) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(Ready::default()),
            Err(error) => return Err(error.into()),
        }
        let ready = self.files.iter().zip(self.sources).filter(|(file, _)| !file.revents().is_empty());
        Ok(Ready { sources: ready.map(|(_, source)| source).collect() })
    }
}

impl Ready {
    pub(super) fn has(&self, source: Source) -> bool {
        self.sources.contains(&source)
    }
}
