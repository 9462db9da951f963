//! Sessions on disk: list, read, search, rename, tag, fork, export and delete them, without an agent.
//!
//! A [`Store`] is made of a configuration folder, such as `~/.claude`. It holds the files of the reference CLI
//! and of `aqueduct-agent` alike: both write the same form, which is [`aqueduct_wire::transcript`]'s.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use aqueduct_client::transcript::{ForkOptions, ListQuery, SearchQuery, Store};
//!
//! # let config = tempfile::tempdir()?;
//! # let config = config.path();
//! # std::fs::create_dir_all(config.join("projects/-proj"))?;
//! # let line = r#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"Why is the build red?"}}"#;
//! # std::fs::write(config.join("projects/-proj/550e8400-e29b-41d4-a716-446655440000.jsonl"), format!("{line}\n"))?;
//! let store = Store::new(config);
//! for session in store.list(&ListQuery::newest(20))?.sessions {
//!     println!("{} {}", session.id, session.title());
//! }
//! let session = store.find("550e8400")?;
//! for message in session.open()?.messages() {
//!     println!("{}", message?.line());
//! }
//! session.rename("The red build")?;
//! let copy = session.fork(&ForkOptions::default())?;
//! assert_eq!(copy.summary()?.title(), "The red build (fork)");
//!
//! let mut hits = Vec::new();
//! store.search(&SearchQuery::new("RED build"), || false, |hit| {
//!     hits.push(hit);
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(hits.len(), 4, "the message and the title, in both");
//! copy.delete()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `store.rs`, `list.rs`, `session.rs` | [`Store`]: which sessions exist; one of them |
//! | `folder.rs` | folders held open: the only way to a file, without following links |
//! | `glimpse.rs`, `summary.rs` | both ends of a file, and the summary from them |
//! | `reading.rs`, `message.rs`, `subagent.rs`, `walk.rs` | a conversation, its messages, its subagents |
//! | `search.rs`, `needle.rs` | search, in raw bytes first |
//! | `note.rs`, `fork.rs`, `delete.rs`, `running.rs` | titles and tags, copies, deletion, detection of running agents |
//! | `export/` | Markdown, HTML, JSON lines |
//!
//! # Invariants
//!
//! - Everything here blocks, on files and nothing else: an async program calls it on a blocking thread
//!   (`tokio::task::spawn_blocking`).
//! - Nothing outside the store is touched. Ids are checked before they become names, and below the `projects`
//!   folder no symbolic link is followed.
//! - A line that can't be read is reported and skipped; it never hides the others.
//! - Lists read the beginnings and the ends of files, never the whole of a large one, and of no more files than are listed.
//! - A file is only ever appended to. A copy is a new file that appears as a whole or not at all.
//! - An exported page holds nothing that runs, whatever the conversation contains.

mod delete;
mod error;
mod export;
mod folder;
mod fork;
mod glimpse;
mod list;
mod message;
mod needle;
mod note;
mod reading;
mod running;
mod search;
mod session;
mod store;
mod subagent;
mod summary;
mod walk;

pub use error::TranscriptError;
pub use export::{Document, Format};
pub use fork::ForkOptions;
pub use list::{ListQuery, Listing};
pub use message::{Message, Speaker};
pub use note::{TAG_LIMIT, TITLE_LIMIT};
pub use reading::{ReadOptions, Transcript};
pub use search::{Hit, MessagePart, SearchQuery, SearchStats};
pub use session::StoredSession;
pub use store::Store;
pub use subagent::Subagent;
pub use summary::{Summary, TranscriptProgram};
pub use walk::ConversationStep;

/// The example in docs/sessions.md is compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/sessions.md")]
struct Page;
