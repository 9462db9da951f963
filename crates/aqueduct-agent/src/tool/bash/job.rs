//! A command that runs: its guard, and what it prints.

use std::io;

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio_util::sync::CancellationToken;

use super::capture::Capture;
use crate::guard::{Ended, Guarded, Lost, Order};

/// How much is read of a command's output at once.
const READ: usize = 64 * 1024;
/// How much can still be in a pipe when its writer has ended: the most that Linux lets a user put there.
const IN_PIPE: usize = 1024 * 1024;

/// How a command came to its end.
#[derive(Debug)]
pub(super) enum End {
    /// By itself.
    Ended(Ended),
    /// It printed more than it may.
    Flooded,
    /// Nobody knows.
    Lost(Lost),
}

/// A command that runs. Dropping it ends the command and everything it started.
pub(super) struct Job {
    guarded: Guarded,
    /// None after everyone has closed the other end.
    pipe: Option<Receiver>,
    buffer: Box<[u8]>,
    /// What it printed.
    pub(super) capture: Capture,
    /// How many bytes it may print.
    limit: u64,
}

impl Job {
    /// Starts a command that may print `limit` bytes.
    pub(super) fn start(order: &Order<'_>, capture: Capture, limit: u64) -> io::Result<Job> {
        let (reader, writer) = io::pipe()?;
        // One pipe for both, so that what was printed stays in order.
        let guarded = Guarded::start(order, [writer.try_clone()?.into(), writer.into()])?;
        let pipe = Receiver::from_owned_fd(reader.into())?;
        Ok(Job { guarded, pipe: Some(pipe), buffer: vec![0; READ].into(), capture, limit })
    }

    /// Waits for the end of the command itself, whoever else has its output still open.
    ///
    /// Nothing is lost when the future is dropped before.
    pub(super) async fn ended(&mut self) -> End {
        loop {
            tokio::select! {
                count = read(&mut self.pipe, &mut self.buffer) => {
                    self.capture.push(&self.buffer[..count]);
                    if self.capture.total() > self.limit {
                        return End::Flooded;
                    }
                }
                ended = self.guarded.ended() => {
                    self.drain();
                    return ended.map_or_else(End::Lost, End::Ended);
                }
            }
        }
    }

    /// Ends the command and everything it started, and takes its last words.
    pub(super) async fn stop(&mut self) {
        self.guarded.end().await;
        self.drain();
    }

    /// Stays with what the command left running, until that has ended or `over` ends it. What it prints is
    /// kept if there is a file to keep it in.
    pub(super) async fn outlive(mut self, over: CancellationToken) {
        let file = self.capture.file().is_some();
        loop {
            tokio::select! {
                count = read(&mut self.pipe, &mut self.buffer) => {
                    if file {
                        self.capture.push(&self.buffer[..count]);
                    }
                    if file && self.capture.total() > self.limit {
                        return self.guarded.end().await;
                    }
                }
                () = self.guarded.gone() => return,
                () = over.cancelled() => return self.guarded.end().await,
            }
        }
    }

    /// Takes what is in the pipe.
    fn drain(&mut self) {
        let Some(pipe) = &self.pipe else { return };
        let mut taken = 0;
        // Someone who still runs may print faster than this; what the command printed comes first.
        while taken < IN_PIPE {
            // The runtime may not know yet that there is something, so the system is asked.
            match rustix::io::read(pipe, &mut self.buffer[..]) {
                Ok(count) if count > 0 => {
                    taken += count;
                    self.capture.push(&self.buffer[..count]);
                }
                Err(rustix::io::Errno::INTR) => {}
                Ok(_) | Err(_) => return,
            }
        }
    }
}

/// Reads what is there; waits for ever once there is nobody left who could write.
async fn read(pipe: &mut Option<Receiver>, buffer: &mut [u8]) -> usize {
    if let Some(reader) = pipe {
        match reader.read(buffer).await {
            Ok(count) if count > 0 => return count,
            Ok(_) | Err(_) => *pipe = None,
        }
    }
    std::future::pending().await
}
