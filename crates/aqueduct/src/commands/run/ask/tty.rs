//! The terminal of this process, whatever standard input and output are connected to.

use std::fs::File;
use std::io::{self, PipeReader, Read, Write};
use std::os::fd::AsFd;

use aqueduct_os::poll::{self, PollInterest};
use aqueduct_os::terminal;

/// How long an answer may be.
const MAX_ANSWER: usize = 64 << 10;

/// The terminal, to ask on.
#[derive(Debug)]
pub(in super::super) struct Tty {
    device: File,
}

impl Tty {
    /// The terminal that this process belongs to, if there is one and this is a foreground job: a background
    /// job would only be stopped.
    pub(in super::super) fn open() -> Option<Self> {
        terminal::open().map(|device| Tty { device })
    }

    /// Writes to the terminal. Whatever is written must be harmless already.
    pub(in super::super) fn write(&mut self, text: &str) -> io::Result<()> {
        self.device.write_all(text.as_bytes())
    }

    /// Asks for a line. Input that was typed before the question is not an answer to it. `None` if the
    /// terminal is closed. Dropped before it is done, it stops reading.
    pub(in super::super) async fn line(&mut self, prompt: &str) -> io::Result<Option<String>> {
        terminal::discard_input(&self.device);
        self.write(prompt)?;
        let device = self.device.try_clone()?;
        let (stopped, stop) = io::pipe()?;
        let line = tokio::task::spawn_blocking(move || read_line(device, &stopped)).await;
        // Up to here the pipe is open; it is closed, and the thread ends, also when this future is dropped.
        drop(stop);
        let line = line.unwrap_or_else(|error| Err(io::Error::other(error)))?;
        if line.is_none() {
            self.write("\n")?;
        }
        Ok(line)
    }
}

/// Reads a line, unless `stopped` is closed before there is one.
fn read_line(mut device: File, stopped: &PipeReader) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut bytes = [0; 1024];
    loop {
        let ready =
            poll::wait(&[(device.as_fd(), PollInterest::Read), (stopped.as_fd(), PollInterest::Read)], None)?;
        if ready[1] {
            return Err(io::ErrorKind::Interrupted.into());
        }
        // A terminal is readable when a whole line is there, so this does not wait.
        let count = match device.read(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        line.extend_from_slice(&bytes[..count]);
        if count == 0 && line.is_empty() {
            return Ok(None);
        }
        if count == 0 || line.ends_with(b"\n") || line.len() > MAX_ANSWER {
            return Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()));
        }
    }
}
