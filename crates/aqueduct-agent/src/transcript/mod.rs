//! Conversations on disk: one JSONL file per session, in the location and format of the reference CLI, so that either
//! program can resume a conversation of the other. [`aqueduct_wire::transcript`] defines the format of lines and how
//! they are chained.
//!
//! A [`TranscriptWriter`] appends one line at a time, before the program acts on its contents. A [`Conversation`] is
//! the contents of a file: the chain of messages from the newest one back. Unknown lines are skipped and stay in the
//! file.
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
