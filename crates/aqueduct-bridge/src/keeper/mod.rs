//! The keeper: a small process that owns one agent's pipes, so that the bridge can be restarted at any time.
//!
//! ```text
//! bridge ──socket── keeper ──pipes── agent ── what it starts
//!                     │
//!                  the session's folder: spool, journal of inputs, exit
//! ```
//!
//! A turn may take hours, and a bridge may be upgraded, restarted or killed meanwhile. So the bridge does not start
//! agents itself: it starts its own program as a keeper ([`main`]), and the keeper starts the agent, spools its output,
//! and serves the bridge that is connected.
//!
//! The bridge [`start`]s a keeper, [`find`]s one, [`attach`]es to it, and reads its [`KeeperEvents`].
//!
//! | file | contents |
//! |---|---|
//! | `launch.rs`, `job.rs`, `attach.rs`, `handle.rs`, `events.rs` | the bridge's side: start a keeper, connect to it, send to it, read from it |
//! | `find.rs`, `remains.rs`, `kill.rs`, `discard.rs` | whether a keeper runs, what a dead one left behind, ending one that does not answer |
//! | `protocol/` | the messages between bridge and keeper |
//! | `process/` | the keeper's process |
//! | `folder.rs` | the session's folder: its files, and the lock that shows whether a keeper runs |
//! | `spool/` | the agent's output on disk |
//! | `stderr.rs` | the agent's stderr on disk |
//! | `journal.rs` | which inputs were written to the agent |
//!
//! # Invariants
//!
//! - **Nothing is lost.** A line is in the spool before any bridge receives it, and stays until a bridge has
//!   acknowledged it. Offsets never start again, so a bridge names the offset to resume at and gets everything from
//!   there, once and in order. What a killed keeper spooled is in its folder ([`KeeperRemains`]).
//! - **Nothing is repeated.** An input has a name, which is written down before its first byte goes to the agent.
//!   However often it is sent, it is written once; and if this is unknown, the answer reports it.
//! - **One bridge at a time.** The newest connection takes over. An idle connection changes nothing. An invalid
//!   message closes the connection and never the keeper.
//! - **No side blocks the other.** A bridge that reads slowly is served from the file: the keeper holds no more
//!   than a piece of output for it. An agent that does not read its input holds up its input alone. A disk that is
//!   full, or a spool at its limit, makes the agent wait at its pipe until there is room.
//! - **No process is left behind.** The keeper is the subreaper of the agent's processes, so when the
//!   agent ends, or is ended, all of them end with it.
//!
//! # When the keeper itself is killed
//!
//! Then the agent dies in the same instant: it has asked the system for that before it became the agent
//! (`process/exec.rs`). A death signal is tied to the thread that forked, and the keeper has only one. The agent's
//! stdin closes too, which is what ends it on systems without such a signal. What the agent had started may
//! live on for a while: it is known by a variable in its environment, and [`KeeperRemains::sweep`] ends it when the
//! next bridge looks into the folder. A second process to watch over each keeper would do that at once, but
//! it would cost every session another half megabyte for what only a `kill -9` of the keeper needs. An agent
//! of ours guards its commands itself, so nothing of it is left.
//!
//! # How small it is
//!
//! There may be hundreds of keepers on a machine. Each has one thread, no async runtime, and one buffer for each
//! direction: it costs its copy of the program's relocated data, and some pages of stack and heap. Lines are not
//! held in memory, however long; an input is, while it is written.

use std::ffi::CStr;

mod attach;
mod discard;
mod error;
mod events;
mod find;
mod folder;
mod handle;
mod job;
mod journal;
mod kill;
mod launch;
mod process;
pub mod protocol;
mod remains;
mod spool;
mod stderr;

pub use attach::{AttachedKeeper, attach};
pub(crate) use discard::discard;
pub use error::{AttachError, ConnectionClosed, KeeperStartError};
pub use events::{CloseReason, KeeperEvent, KeeperEvents};
pub use find::{KeeperState, delete, find, is_alive};
pub use folder::KeeperCard;
pub use handle::{InputError, KeeperHandle};
pub use job::{KeeperFailureKind, KeeperJob, KeeperLimits, KeeperStartFailure};
pub use kill::kill;
pub use launch::{make, start};
pub use process::main;
pub use protocol::{
    Activity, AgentEnd, AgentExit, AgentSignal, AgentState, InputId, InputRefusal, KeeperHello, OffsetError,
    ShutdownLadder, Trouble, TroubleKind, Unattended,
};
pub use remains::{InputDelivery, KeeperRemains, RemainingLines, sent};
pub use spool::{LineContent, SpoolLine, SpoolLines};
pub use stderr::{StderrPage, TimedLine, read_stderr, stderr_lines};

/// The name of a keeper's process. It differs from the program's, so that killing bridges by name kills no keeper.
pub const PROCESS_NAME: &CStr = c"aqueduct-keeper";

/// The variable by which the agent's processes are known when the keeper itself is gone.
pub const MARK: &str = "AQUEDUCT_KEEPER";
