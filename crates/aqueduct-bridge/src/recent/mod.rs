//! Sessions of all times: those in the log, and those that were started in a terminal, by either agent, and that are
//! known by their transcripts alone.
//!
//! [`Recents`] is the way in. What it gives of a transcript is what the log would have if the session had been held
//! here from the beginning: the same messages with the same numbers, whether they are looked at
//! ([`Recents::history`]) or taken over ([`Recents::adopt`]).
//!
//! # What must stay true
//!
//! - **Nothing outside the roots is shown**: the folder that a session worked in counts, symlinks resolved.
//! - **A session is told once**: a transcript that the log knows, by any id that its agent had, is the log's.
//! - **A message keeps its number.** Transcripts are appended to; the k-th message of one is `seq` k for good.
//! - **Transcripts are only read.** Everything that reads them is bounded in time, and blocks elsewhere.

mod adopt;
mod conversation;
mod document;
mod export;
mod history;
mod list;
mod recents;
mod search;

pub use adopt::Adopted;
pub use recents::Recents;
