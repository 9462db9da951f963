//! The terminal.

use std::fs::{File, OpenOptions};
use std::os::fd::AsFd;

use rustix::process::getpgrp;
use rustix::termios::{QueueSelector, tcflush, tcgetpgrp, tcgetwinsize};

/// Where the terminal of a process is.
const DEVICE: &str = "/dev/tty";

/// The terminal that this process belongs to, if there is one and this process is in its foreground: a job in the
/// background would be stopped for reading.
pub fn open() -> Option<File> {
    let device = OpenOptions::new().read(true).write(true).open(DEVICE).ok()?;
    let foreground = tcgetpgrp(&device).ok()?;
    (foreground == getpgrp()).then_some(device)
}

/// Forgets what was typed and not read.
pub fn discard_input(terminal: impl AsFd) {
    // A terminal that forgets nothing only means that an early answer counts.
    let _ = tcflush(terminal, QueueSelector::IFlush);
}

/// How many columns a terminal has.
pub fn columns(terminal: impl AsFd) -> Option<usize> {
    let size = tcgetwinsize(terminal).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}
