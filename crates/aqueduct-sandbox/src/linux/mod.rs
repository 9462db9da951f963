//! What holds commands on Linux: Landlock and seccomp, and the way into bubblewrap.

mod inside;
mod landlock;
mod seccomp;

pub use inside::main;

/// Whether Landlock can hold commands.
pub(crate) fn has_landlock() -> bool {
    landlock::is_there()
}
