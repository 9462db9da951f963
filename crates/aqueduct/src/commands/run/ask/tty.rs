//! The terminal of this process, whatever standard input and output are connected to.

use std::fs::File;
use std::io::{self, PipeReader, Read, Write};
use std::os::fd::AsFd;
use std::sync::Once;
use std::time::Duration;

use aqueduct_os::poll::{self, PollInterest};
use aqueduct_os::terminal::{self, KeyMode, KeySignal};

/// How long an answer may be.
const MAX_ANSWER: usize = 64 << 10;

/// How long a question is shown before a key answers it: a user who is typing when it appears has not read it.
const READING: Duration = Duration::from_millis(400);

/// How long the rest of a sequence of characters, such as that of an arrow key, is waited for.
const SEQUENCE: Duration = Duration::from_millis(50);

/// The character that begins such a sequence.
const ESCAPE: u8 = 0x1b;

/// Ctrl-D.
const END_OF_INPUT: u8 = 0x04;

/// The terminal, to ask on.
#[derive(Debug)]
pub(in super::super) struct Tty {
    device: File,
    takes_keys: bool,
}

impl Tty {
    /// The terminal that this process belongs to, if there is one and this is a foreground job: a background
    /// job would only be stopped. `takes_keys` is whether single keys answer questions.
    pub(in super::super) fn open(takes_keys: bool) -> Option<Self> {
        terminal::open().map(|device| Tty { device, takes_keys })
    }

    /// Whether a question can be answered with a single key.
    pub(in super::super) fn takes_keys(&self) -> bool {
        self.takes_keys
    }

    /// Asks for a key, and shows it. Keys that were pressed before the prompt are no answer to it, nor are several
    /// characters at once, such as pasted text. `None` if the terminal is closed, or for Ctrl-D. Dropped before it is
    /// done, it stops reading.
    pub(in super::super) async fn key(&mut self, prompt: &str) -> io::Result<Option<char>> {
        restore_in_panics();
        let mode = KeyMode::enter(&self.device)?;
        tokio::time::sleep(READING).await;
        terminal::discard_input(&self.device);
        self.write(prompt)?;
        let device = self.device.try_clone()?;
        let (stopped, stop) = io::pipe()?;
        let key = tokio::task::spawn_blocking(move || read_key(device, &stopped)).await;
        drop(stop);
        drop(mode);
        let key = key.unwrap_or_else(|error| Err(io::Error::other(error)))?;
        match key {
            Some(key) if !key.is_control() => self.write(&format!("{key}\n"))?,
            _ => self.write("\n")?,
        }
        Ok(key)
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
        // A terminal is readable when a whole line is there, so this does not wait for the rest of one.
        let count = read_when_ready(&mut device, stopped, &mut bytes)?;
        line.extend_from_slice(&bytes[..count]);
        if count == 0 && line.is_empty() {
            return Ok(None);
        }
        if count == 0 || line.ends_with(b"\n") || line.len() > MAX_ANSWER {
            return Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()));
        }
    }
}

/// Reads what was typed, unless `stopped` is closed before there is something.
fn read_when_ready(device: &mut File, stopped: &PipeReader, bytes: &mut [u8]) -> io::Result<usize> {
    loop {
        let ready =
            poll::wait(&[(device.as_fd(), PollInterest::Read), (stopped.as_fd(), PollInterest::Read)], None)?;
        if ready[1] {
            return Err(io::ErrorKind::Interrupted.into());
        }
        match device.read(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => return read,
        }
    }
}

/// Reads a key, unless `stopped` is closed before there is one.
fn read_key(mut device: File, stopped: &PipeReader) -> io::Result<Option<char>> {
    let mut bytes = [0; 1024];
    loop {
        let count = read_when_ready(&mut device, stopped, &mut bytes)?;
        match &bytes[..count] {
            [] | [END_OF_INPUT] => return Ok(None),
            [ESCAPE, ..] => skip_sequence(&mut device)?,
            [key] if KeySignal::of(*key).is_some() => signal(*key, &device)?,
            bytes => {
                let mut chars = std::str::from_utf8(bytes).unwrap_or_default().chars();
                if let (Some(key), None) = (chars.next(), chars.next()) {
                    return Ok(Some(key));
                }
            }
        }
    }
}

/// Reads what is left of a sequence: none of its characters is a key of its own.
fn skip_sequence(device: &mut File) -> io::Result<()> {
    let mut bytes = [0; 1024];
    while poll::wait(&[(device.as_fd(), PollInterest::Read)], Some(SEQUENCE))?[0] {
        if device.read(&mut bytes)? == 0 {
            break;
        }
    }
    Ok(())
}

/// Does what the terminal does with such a key where it handles keys itself. A process that is stopped or ended leaves
/// the terminal as it was.
fn signal(key: u8, device: &File) -> io::Result<()> {
    let Some(signal) = KeySignal::of(key) else { return Ok(()) };
    if signal == KeySignal::Interrupt {
        return signal.send();
    }
    terminal::restore();
    signal.send()?;
    // Resumed: the guard of the caller, which has nothing to restore any more, restores this.
    std::mem::forget(KeyMode::enter(device)?);
    Ok(())
}

/// A panic ends the process without dropping anything.
fn restore_in_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            terminal::restore();
            report(info);
        }));
    });
}
