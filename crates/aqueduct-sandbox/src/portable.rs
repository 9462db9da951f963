//! Systems without a sandbox: settings that require one prevent the agent's start.

use std::ffi::OsString;

/// Whether Landlock can hold commands.
pub(crate) fn has_landlock() -> bool {
    false
}

/// Becomes bubblewrap, or the shell: never, here.
pub fn main(_arguments: Vec<OsString>, _leading: &[&str], _mode: &str) -> String {
    format!("The command did not run: it can't be put into the sandbox: {}", crate::method::LINUX_ONLY)
}
