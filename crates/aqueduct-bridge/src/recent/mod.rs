//! Sessions of the log and sessions that were started in a terminal, by either agent, as one list.
//!
//! [`Recents`] is the entry point. A session that is known only by its transcript looks as if the bridge had run it from
//! the beginning: the same messages with the same numbers, whether they are read ([`Recents::history`]) or imported into
//! the log ([`Recents::adopt`]).
//!
//! | file | contents |
//! |---|---|
//! | `recents.rs` | [`Recents`]; the transcript folders and which sessions may be seen |
//! | `list.rs`, `search.rs` | lists and search across the log and transcripts |
//! | `conversation.rs`, `history.rs`, `adopt.rs` | a transcript as stored messages, to read and to import |
//! | `export.rs`, `document.rs` | whole sessions as documents |
//!
//! # Invariants
//!
//! - **Nothing outside the roots is shown**: the folder of a session counts, symlinks resolved.
//! - **A session is listed once**: a transcript that the log knows, by any id that its agent had, belongs to the log.
//! - **A message keeps its number.** Transcripts are only appended to; message k of one is `seq` k.
//! - **Transcripts are only read**, with bounds on time, on blocking threads.

mod adopt;
mod conversation;
mod document;
mod export;
mod history;
mod list;
mod recents;
mod search;

pub use adopt::AdoptedSession;
pub use recents::Recents;
