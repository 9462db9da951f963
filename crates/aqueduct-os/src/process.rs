//! This process and its children.

use std::ffi::CStr;
use std::io;

use rustix::io::Errno;
use rustix::process::{WaitId, WaitIdOptions, WaitOptions, getpid, kill_process, setsid, wait, waitid};

pub use rustix::process::{Pid, Signal};

use crate::platform;

/// Whether [`adopt_orphans`] works here: then all descendants of a process are found below it.
pub const ADOPTS_ORPHANS: bool = platform::process::ADOPTS_ORPHANS;

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessEnd {
    /// With this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// A look at the children of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaped {
    /// This child has ended, and its number is free again.
    Child(Pid, ProcessEnd),
    /// All children run.
    None,
    /// No children exist.
    NoChildren,
}

/// Makes a session for this process, away from the terminal and the process group of its parent. Where it leads a
/// process group already, that serves as well.
pub fn leave_session() {
    let _ = setsid();
}

/// Makes this process the parent of descendants that lose theirs, where the system can.
pub fn adopt_orphans() -> io::Result<()> {
    platform::process::adopt_orphans()
}

/// Names this process in the system's table, where that is possible.
pub fn set_name(name: &CStr) {
    platform::process::set_name(name);
}

/// Makes the system kill this process when the thread that started it ends, where it can. The request outlives `exec`.
pub fn end_with_parent() -> io::Result<()> {
    platform::process::end_with_parent()
}

/// Kills this process at once.
pub fn kill_self() {
    let _ = kill_process(getpid(), Signal::KILL);
}

/// Reaps a child that has ended, without waiting.
pub fn reap() -> Reaped {
    loop {
        return match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) => match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => Reaped::Child(pid, ProcessEnd::Code(code)),
                (None, Some(signal)) => Reaped::Child(pid, ProcessEnd::Signal(signal)),
                // It was stopped or continued.
                (None, None) => continue,
            },
            Ok(None) => Reaped::None,
            Err(Errno::INTR) => continue,
            Err(_) => Reaped::NoChildren,
        };
    }
}

/// Waits until a child has ended, and does not reap it: its number stays its own.
pub fn wait_without_reaping(child: Pid) {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while matches!(waitid(WaitId::Pid(child), options), Err(Errno::INTR)) {}
}

/// Sends a signal to a child that has not been reaped. It is there, dead or alive, so the number is its own.
pub fn signal_child(child: Pid, signal: Signal) {
    // One that has ended needs no signal.
    let _ = kill_process(child, signal);
}

/// The number of a child as a [`Pid`].
pub fn pid(id: u32) -> Option<Pid> {
    i32::try_from(id).ok().and_then(Pid::from_raw)
}
