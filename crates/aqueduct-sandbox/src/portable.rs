//! Systems without a sandbox: settings that require one prevent the agent's start.

use std::ffi::OsString;

use crate::error::EnterError;
use crate::method::NoSandbox;

/// Whether Landlock can hold commands.
pub(crate) fn has_landlock() -> bool {
    false
}

/// Becomes bubblewrap, or the shell: never, here.
pub fn main(_arguments: Vec<OsString>, _leading: &[&str], _mode: &str) -> EnterError {
    EnterError::new(NoSandbox::NotLinux)
}
