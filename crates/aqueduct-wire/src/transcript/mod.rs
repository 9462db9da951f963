//! Conversations as they are kept on disk: one JSON object a line, one file a session.
//!
//! [`TranscriptLine`] is a line, typed where its shape is stable and open everywhere, as frames are.
//! [`TranscriptIndex`] is a first look at a whole file: where its lines are and how they hang together.
//! [`Chain`] is the way through it that the conversation took. [`folder_name`] is where a working directory's
//! files are.
//!
//! Nothing here opens a file. The caller does, passes bytes, and reads a line's text again at its [`LineSpan`].
//!
//! | file | contents |
//! |---|---|
//! | `line.rs`, `lines.rs`, `message.rs`, `note.rs`, `between.rs` | the kinds of lines |
//! | `chained.rs` | what all lines of a chain share |
//! | `index.rs` | [`TranscriptIndex`] |
//! | `chain.rs`, `recover.rs` | [`Chain`], also through damaged files |
//! | `prompt.rs` | which texts are prompts of a person |
//! | `project.rs` | [`folder_name`] |

mod between;
mod chain;
pub(crate) mod chained;
mod index;
mod line;
mod lines;
mod message;
mod note;
mod project;
mod prompt;
mod recover;

pub use between::{
    Attachment, AttachmentLine, CompactionNote, KeptMessages, KeptSegment, ProgressLine, QueuedCommand,
    SystemLine,
};
pub use chain::{Chain, ChainSelection};
pub use chained::{Chained, ForkedFrom, Link};
pub use index::{BrokenLine, ChainEntry, ChainEntryKind, LineFault, TranscriptIndex};
pub use line::TranscriptLine;
pub use lines::{FileEnd, LineSpan, RawLine, each_line, line_text};
pub use message::{AssistantLine, TurnPosition, UserLine};
pub use note::{
    AiTitleLine, ContentReplacementLine, CostStateLine, CustomTitleLine, FileHistoryLine, LastPromptLine,
    ModeLine, QueueOperationLine, RelocatedLine, SubagentMeta, SummaryLine, TagLine,
};
pub use project::{NAME_LIMIT, folder_name, is_session_id};
pub use prompt::{PromptText, last_prompt, prompt};
