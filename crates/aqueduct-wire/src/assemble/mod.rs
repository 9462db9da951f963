//! The message so far: stream events, piece by piece, folded into messages.
//!
//! An agent that sends partial messages sends everything twice: as the model's stream events, and as
//! `assistant` frames that hold a finished block each. [`Assembler`] takes frames of both kinds in the order
//! in which they come and keeps, for the main conversation and for every subagent, the message that is
//! being written. Where both kinds have a block, the `assistant` frame takes precedence. Without partial
//! messages the result is the same, a block at a time.

mod assembler;
mod block;
mod change;
mod message;
mod partial_json;
mod signs;
mod text;
mod thread;

pub use assembler::{Assembler, MAX_THREADS};
pub use block::{BlockSoFar, BlockState};
pub use change::{BlockPart, Change, ChangeKind};
pub use message::{MessageSoFar, MessageState};
pub use partial_json::complete;
