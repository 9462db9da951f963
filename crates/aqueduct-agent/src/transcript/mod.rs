//! Conversations on disk: one JSONL file a session, where the reference CLI keeps them and in its form, so
//! that either program goes on with what the other began. What lines look like and how they hang together is
//! [`aqueduct_wire::transcript`]'s.
//!
//! A [`TranscriptWriter`] is written one line at a time, before what the line says is acted on. A [`Conversation`]
//! is what a file says: the chain of messages from the newest one back. Lines that this program knows
//! nothing of are stepped over and stay in the file.
//!
//! | file | contents |
//! |---|---|
//! | `writer.rs`, `log.rs`, `line.rs`, `stamp.rs`, `slot.rs` | appends; the file that processes share; lines, their ids, and the part of a line that the end of a message completes |
//! | `conversation.rs`, `refresh.rs`, `dropped.rs` | reads; lines that other processes appended; what a resumption leaves out |
//! | `work.rs` | the mark that a turn is running |
//! | `fork.rs`, `project.rs` | copies; the folder of a project |
//! | `tail_notes.rs`, `mirror.rs` | titles near the end of the file; copies for the host |

mod conversation;
mod dropped;
mod error;
mod fork;
mod line;
mod log;
mod mirror;
mod project;
mod refresh;
mod slot;
mod stamp;
mod tail_notes;
mod work;
mod writer;

pub(crate) use conversation::{AnsweredBy, Conversation, ConversationEntry, EntryRole};
pub(crate) use dropped::check_dropped;
pub(crate) use error::TranscriptFileError;
pub(crate) use line::{AnswerSource, AssistantLine, QueuedLine, SystemLine, UserLine};
pub(crate) use mirror::Mirror;
pub(crate) use project::Project;
pub(crate) use refresh::ForeignLines;
pub(crate) use stamp::LineStamp;
pub(crate) use writer::{Savepoint, TranscriptWriter};

#[cfg(test)]
mod tests;
