//! A command that runs: its guard, and what it prints.

use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

use aqueduct_os::guard::{CommandEnd, GuardError, Guarded, GuardedCommand, OutputPipe};
use aqueduct_sandbox::{RepositoryWatch, Stay};
use tokio_util::sync::CancellationToken;

use super::capture::Capture;

/// How long a check waits for the guard of a command that has ended. Most commands leave nothing running.
const BRIEF: Duration = Duration::from_millis(50);

/// Checks what commands in the sandbox left; returns what is to be reported.
pub(crate) async fn inspect(watch: RepositoryWatch) -> Vec<String> {
    // This fails only if the runtime shuts down, and then the reports have no reader.
    tokio::task::spawn_blocking(move || watch.check()).await.unwrap_or_default()
}

/// How a command ended.
#[derive(Debug)]
pub enum JobEnd {
    /// By itself.
    Ended(CommandEnd),
    /// It printed more than it may.
    Flooded,
    /// It is unknown, because the guard failed.
    Lost(GuardError),
}

/// A command that runs. Dropping it ends the command and everything it started.
pub struct RunningCommand {
    guarded: Guarded,
    /// What the sandbox keeps for it; given back after the guard has gone.
    pub stay: Stay,
    pipe: OutputPipe,
    /// What it printed.
    pub(crate) capture: Capture,
    /// How many bytes it may print.
    limit: u64,
}

impl RunningCommand {
    /// Starts a command that may print `limit` bytes, and has `stdin` where the sandbox needs one.
    pub fn start(
        order: &GuardedCommand<'_>,
        stdin: Option<OwnedFd>,
        stay: Stay,
        capture: Capture,
        limit: u64,
    ) -> io::Result<RunningCommand> {
        let (pipe, writer) = OutputPipe::new()?;
        // One pipe for both, so that what was printed stays in order.
        let output = [writer.try_clone()?, writer];
        let guarded = match stdin {
            Some(stdin) => Guarded::start_reading(order, stdin, output)?,
            None => Guarded::start(order, output)?,
        };
        Ok(RunningCommand { guarded, stay, pipe, capture, limit })
    }

    /// Waits for the end of the command itself, even if other processes still have its output open.
    ///
    /// Nothing is lost when the future is dropped before.
    pub async fn ended(&mut self) -> JobEnd {
        loop {
            tokio::select! {
                bytes = self.pipe.read() => {
                    self.capture.push(bytes);
                    if self.capture.total() > self.limit {
                        return JobEnd::Flooded;
                    }
                }
                ended = self.guarded.ended() => {
                    self.drain();
                    return ended.map_or_else(JobEnd::Lost, JobEnd::Ended);
                }
            }
        }
    }

    /// Ends the command and everything it started, and takes its last words.
    pub async fn stop(&mut self) {
        self.guarded.end().await;
        self.drain();
    }

    /// Checks what a command left that has ended; nothing where it ran outside of the sandbox.
    pub async fn inspect(&mut self) -> Vec<String> {
        let Some(watch) = self.stay.watch() else { return Vec::new() };
        if tokio::time::timeout(BRIEF, self.guarded.gone()).await.is_ok() {
            self.stay.close();
        }
        inspect(watch).await
    }

    /// Stays with what the command left running, until that has ended or `over` ends it. What it prints is
    /// kept if there is a file to keep it in.
    pub async fn outlive(mut self, over: CancellationToken) {
        let file = self.capture.file().is_some();
        loop {
            tokio::select! {
                bytes = self.pipe.read() => {
                    if file {
                        self.capture.push(bytes);
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
        self.pipe.drain(|bytes| self.capture.push(bytes));
    }
}
