//! The keeper: a tiny process that owns one agent's pipes, so that bridges can come and go.
//!
//! ```text
//! bridge ──socket── keeper ──pipes── agent ── what it starts
//!                     │
//!                  the session's folder: spool, journal of inputs, exit
//! ```
//!
//! A turn may take hours, and a bridge may be upgraded, restarted or killed meanwhile. So the bridge starts no agent
//! by itself: it starts its own program once more as a keeper ([`main`]), and the keeper starts the agent, spools
//! what it says, and speaks to whichever bridge is there.
//!
//! - **Nothing is lost.** A line is in the spool before anyone is told of it, and stays until a bridge has said that
//!   it remembers it. Offsets never start again, so a bridge says where it wants to go on and gets everything from
//!   there, once and in order. What a killed keeper spooled is in its folder ([`Remains`]).
//! - **Nothing is repeated.** An input has a name, which is written down before its first byte goes to the agent.
//!   However often it is sent, it is written once; and if nobody can know whether it was, the answer says so.
//! - **One bridge at a time.** Whoever attaches takes over. To come and say nothing changes nothing. A message that
//!   makes no sense closes the connection and never the keeper.
//! - **Nobody waits for anybody.** A bridge that reads slowly is served from the file: the keeper holds no more
//!   than a piece of output for it. An agent that does not read its input holds up its input alone. A disk that is
//!   full, or a spool at its limit, makes the agent wait at its pipe until there is room.
//! - **Nobody gets away.** The keeper adopts whoever loses his parent among the agent's processes, so when the
//!   agent ends, or is ended, everyone goes with it.
//!
//! # When the keeper itself is killed
//!
//! Then the agent dies in the same instant: it has asked the system for that before it became the agent
//! (`process/exec.rs`). A death signal is tied to the thread that forked, and the keeper has only one. The agent's
//! stdin closes too, which is what ends it where there is no such signal. What the agent had started may live on for
//! a while: it is known by a variable in its environment, and [`Remains::sweep`] ends it when the next bridge looks
//! into the folder. A second process to watch over each keeper would do that at once, but it would cost
//! every session another half megabyte for what only a `kill -9` of the keeper needs. An agent of ours guards its commands
//! itself, so nothing of it is left.
//!
//! # How small it is
//!
//! There may be hundreds of keepers on a machine. Each has one thread, no async runtime, and one buffer for each
//! direction: it costs its copy of the program's relocated data, and some pages of stack and heap. Lines are not
//! held in memory, however long; an input is, while it is written.
//!
//! Who uses this: [`start`] a keeper, [`find`] one, [`attach`] to it, and take its [`Events`].

use std::ffi::CStr;

mod attach;
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
mod sweep;

pub use attach::{Attached, attach};
pub use error::{AttachError, Closed, StartError};
pub use events::{Event, Events, Why};
pub use find::{Found, delete, find};
pub use folder::Card;
pub use handle::{Handle, InputError};
pub use job::{Failure, FailureKind, Job, Limits};
pub use kill::kill;
pub use launch::{make, start};
pub use process::main;
pub use protocol::{
    Activity, Ended, Exit, Hello, InputId, Ladder, Misplaced, Reason, Signal, State, Trouble, TroubleKind,
    Unattended,
};
pub use remains::{RemainingLines, Remains, Sent, sent};
pub use spool::{Content, Line, Lines};

/// The name of a keeper's process. It differs from the program's, so that killing bridges by name kills no keeper.
pub const PROCESS_NAME: &CStr = c"aqueduct-keeper";

/// The variable by which the agent's processes are known when the keeper itself is gone.
pub const MARK: &str = "AQUEDUCT_KEEPER";
