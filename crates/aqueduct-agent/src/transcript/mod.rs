//! Conversations on disk: one JSONL file a session, where the reference CLI keeps them and in its form, so
//! that either program goes on with what the other began. What lines look like and how they hang together is
//! [`aqueduct_wire::transcript`]'s.
//!
//! A [`Transcript`] is written one line at a time, before what the line says is acted on. A [`Conversation`]
//! is what a file says: the chain of messages from the newest one back. Lines that this program knows
//! nothing of are stepped over and stay in the file.

mod conversation;
mod dropped;
mod error;
mod fork;
mod line;
mod log;
mod mirror;
mod project;
mod refresh;
mod sight;
mod slot;
mod stamp;
mod work;
mod writer;

pub(crate) use conversation::{AnsweredBy, Conversation, Entry, Role};
pub(crate) use dropped::check_dropped;
pub(crate) use error::TranscriptError;
pub(crate) use line::{Answered, AssistantLine, SystemLine, UserLine};
pub(crate) use mirror::Mirror;
pub(crate) use project::Project;
pub(crate) use refresh::Refreshed;
pub(crate) use stamp::Stamp;
pub(crate) use writer::{Savepoint, Transcript};

#[cfg(test)]
mod tests;
