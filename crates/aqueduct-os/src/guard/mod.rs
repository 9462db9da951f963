//! The process between a command and the agent, so that nothing outlives the agent.
//!
//! An agent may be killed at any time, and a command may ignore signals, fork daemons, or leave a server
//! running on purpose. So the agent starts no command by itself: it starts its own program once more as a
//! guard ([`main`]), and the guard starts the command. One guard a command:
//!
//! ```text
//! agent ──socket── guard ──┬─ bash -c … ── make ── cc
//!                          └─ a daemon that has lost its parent
//! ```
//!
//! - **The lifeline.** The guard's stdin is a socket whose other end only the agent has. It ends when the
//!   agent requests it, and when the agent dies, however it dies. A death signal would not do: on Linux it is
//!   tied to the thread that forked, and threads come and go.
//! - **No process escapes.** The guard is the subreaper of what it started: a process that loses its parent
//!   becomes the guard's child, whatever sessions and forks are between. So the process tree under the guard is always
//!   all of it, and at the end it is walked and killed until none is left.
//! - **Leftovers live.** When the command itself ends, the guard reports its exit code at once. What it left
//!   running (`server &`) continues, and the guard stays with it until it ends, or the agent does.
//! - **Output is not touched.** The command has the guard's stdout and stderr; its stdin is empty, or a file
//!   that the agent has sent over the socket. The guard makes a session of its own, so no command can ask for
//!   a password on the host's terminal.
//! - **Who guards the guard.** If a guard is killed, the agent sees the socket end without a report, and
//!   kills what carries the guard's mark, an environment variable that every command inherits, or is of the
//!   guard's session. Two things can stay behind: a daemon with a session and an environment of its own
//!   whose guard was killed, and everything if agent and guard are killed in the same instant. The guard
//!   has a process name of its own, so that killing agents by name leaves guards to do their work.
//!
//! The portable implementation has no adoption of orphans and no table of processes: there the guard ends the command's
//! process group, and daemons that left it are not found.

mod handle;
mod pipe;
mod report;
mod watch;

pub use handle::{CommandEnd, GuardError, Guarded, GuardedCommand};
pub use pipe::OutputPipe;
pub use watch::main;

/// The variable by which a guard's processes are known when the guard itself is gone.
const MARK: &str = "AQUEDUCT_GUARD";

/// The variable that announces to a guard that a file is sent over its socket, for the command to read.
const INPUT_COMES: &str = "AQUEDUCT_GUARD_INPUT";
