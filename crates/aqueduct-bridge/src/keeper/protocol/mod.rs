//! The protocol between bridge and keeper over the keeper's socket. `messages.rs` frames messages; `to_keeper.rs` and
//! `from_keeper.rs` define the two directions.
//!
//! A message is a kind (one byte), the length of its payload (four bytes, little-endian) and the payload:
//!
//! ```text
//! ┌──────┬────────────────┬───────────────────┐
//! │ kind │ length (u32 le)│ payload …         │
//! └──────┴────────────────┴───────────────────┘
//! ```
//!
//! Output and input are raw bytes, so nothing is escaped on the way and no line is parsed here. Each kind has a
//! limit of its own; a header that breaks it is refused before a byte of the payload is kept. Output is sent
//! in pieces of the spool, not in lines: the keeper never has to hold a line, however long, and
//! [`SpoolLines`](super::SpoolLines) puts the pieces together on the bridge's side.
//!
//! Keepers outlive bridges, so a bridge meets keepers of older versions. [`KeeperHello`] has the version. A later
//! version may add kinds, which a bridge uses only when the keeper is new enough, and members of [`KeeperHello`];
//! it never changes what a kind means.

mod exit;
mod from_keeper;
mod hello;
mod input_id;
mod messages;
mod payload;
mod to_keeper;
mod unattended;

pub use exit::{AgentEnd, AgentExit};
pub use from_keeper::{FromKeeper, InputRefusal, OffsetError, Trouble, TroubleKind};
pub use hello::{AgentState, KeeperHello};
pub use input_id::{InputId, NotAnId};
pub use messages::{Malformed, Messages, ProtocolMessage};
pub use to_keeper::{AgentSignal, ShutdownLadder, ToKeeper};
pub use unattended::{Activity, Unattended};

pub(super) use from_keeper::output_header;

use aqueduct_wire::codec::DEFAULT_LINE_LIMIT;

/// The version of this protocol.
pub const VERSION: u32 = 1;

/// How long an input may be, its line end not counted.
pub const INPUT_LIMIT: usize = DEFAULT_LINE_LIMIT;

/// How much output one message carries at most.
pub const OUTPUT_LIMIT: usize = 32 << 10;

/// How much of the agent's stderr is kept: its end.
pub const STDERR_LIMIT: usize = 64 << 10;
