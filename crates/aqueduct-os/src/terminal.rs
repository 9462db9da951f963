//! The terminal.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsFd;
use std::sync::{Mutex, TryLockError};

use rustix::process::{Signal, getpgrp, kill_current_process_group};
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush, tcgetattr, tcgetpgrp,
    tcgetwinsize, tcsetattr,
};

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

/// The terminal whose keys are read one by one, and the modes that it gets back.
static CHANGED: Mutex<Option<(File, Termios)>> = Mutex::new(None);

/// A terminal that passes each key on at once and shows none. Keys such as Ctrl-C are characters: see [`KeySignal`].
///
/// The modes from before are set again when this is dropped. A process that may end without that, by `exit` or in a
/// panic, calls [`restore`].
#[derive(Debug)]
pub struct KeyMode(());

impl KeyMode {
    /// Sets the modes. Another terminal whose modes were changed gets its own back.
    pub fn enter(terminal: &File) -> io::Result<KeyMode> {
        restore();
        let terminal = terminal.try_clone()?;
        let before = tcgetattr(&terminal)?;
        let mut modes = before.clone();
        modes.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG);
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        // Kept first: a signal may end the process between the two.
        let mut changed = CHANGED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (terminal, before) = changed.insert((terminal, before));
        match tcsetattr(&*terminal, OptionalActions::Now, &modes) {
            Ok(()) => Ok(KeyMode(())),
            Err(error) => {
                let _ = tcsetattr(&*terminal, OptionalActions::Now, before);
                *changed = None;
                Err(error.into())
            }
        }
    }
}

impl Drop for KeyMode {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal the modes that it had before [`KeyMode::enter`]. It waits for nothing, so that a panic may call it.
pub fn restore() {
    let mut changed = match CHANGED.try_lock() {
        Ok(changed) => changed,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return,
    };
    if let Some((terminal, before)) = changed.take() {
        // A terminal that is gone has no modes to restore.
        let _ = tcsetattr(terminal, OptionalActions::Now, &before);
    }
}

/// A key that sends a signal to all programs at the terminal, unless keys are read one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeySignal {
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-\\.
    Quit,
    /// Ctrl-Z.
    Suspend,
}

impl KeySignal {
    /// The signal of a key, by its character.
    pub fn of(key: u8) -> Option<KeySignal> {
        match key {
            0x03 => Some(KeySignal::Interrupt),
            0x1c => Some(KeySignal::Quit),
            0x1a => Some(KeySignal::Suspend),
            _ => None,
        }
    }

    /// Sends the signal as the terminal would: to the process group of this process.
    pub fn send(self) -> io::Result<()> {
        let signal = match self {
            KeySignal::Interrupt => Signal::INT,
            KeySignal::Quit => Signal::QUIT,
            KeySignal::Suspend => Signal::TSTP,
        };
        Ok(kill_current_process_group(signal)?)
    }
}
