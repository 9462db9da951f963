use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
use signal_hook::{flag, low_level::pipe};

/// Signals to the keeper, as something to wait for.
#[derive(Debug)]
pub(super) struct KeeperSignals {
    /// Readable after a child has ended.
    pub(super) deaths: UnixStream,
    /// Readable after someone asked the keeper to end.
    pub(super) requests: UnixStream,
}

impl KeeperSignals {
    pub(super) fn listen() -> io::Result<KeeperSignals> {
        // A limit on the size of files is to be an error of a write like a full disk, not the end.
        flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
        Ok(KeeperSignals {
            deaths: subscribe(&[SIGCHLD])?,
            requests: subscribe(&[SIGTERM, SIGINT, SIGHUP, SIGQUIT])?,
        })
    }

    /// Any number of deaths is one look at all children.
    pub(super) fn forget_deaths(&mut self) {
        forget(&mut self.deaths);
    }

    /// One request is as good as many.
    pub(super) fn forget_requests(&mut self) {
        forget(&mut self.requests);
    }
}

/// A stream that is readable after one of these signals.
fn subscribe(signals: &[i32]) -> io::Result<UnixStream> {
    let (reader, writer) = UnixStream::pair()?;
    reader.set_nonblocking(true)?;
    for signal in signals {
        pipe::register(*signal, writer.try_clone()?)?;
    }
    Ok(reader)
}

fn forget(stream: &mut UnixStream) {
    let mut bytes = [0; 64];
    while matches!(stream.read(&mut bytes), Ok(count) if count == bytes.len()) {}
}
