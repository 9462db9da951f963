//! A command on its way into the sandbox.

use std::ffi::OsString;
use std::os::fd::OwnedFd;

use super::placeholder::PlaceholderHold;
use super::proxy::CommandProxy;
use super::repository::{CommandWindow, RepositoryWatch};

/// A command on its way into the sandbox.
pub struct WrappedCommand {
    /// The program and its arguments.
    pub words: Vec<OsString>,
    /// Variables beside the others, in place of those of the same name.
    pub variables: Vec<(OsString, OsString)>,
    /// What it has as its stdin until the shell begins.
    pub stdin: Option<OwnedFd>,
    /// What lasts as long as the command.
    pub stay: Stay,
}

/// What lasts as long as a command in the sandbox, and what it left running.
#[derive(Debug, Default)]
pub struct Stay {
    pub(super) proxy: Option<CommandProxy>,
    /// Given back when all of it has ended.
    pub(super) _hold: Option<PlaceholderHold>,
    /// What it leaves is checked.
    pub(super) window: Option<CommandWindow>,
}

impl Stay {
    /// Everything that the command started has ended.
    pub fn close(&mut self) {
        self.window = None;
    }

    /// The check of what the command leaves; nothing where it runs outside.
    pub fn watch(&self) -> Option<RepositoryWatch> {
        self.window.as_ref().map(CommandWindow::watch)
    }

    /// The hosts that were refused so far.
    pub(super) fn refused(&self) -> Vec<String> {
        self.proxy.as_ref().map(CommandProxy::refused).unwrap_or_default()
    }
}
