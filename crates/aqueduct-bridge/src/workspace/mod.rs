//! Files and git of the folders that sessions work in: read by clients, never changed.
//!
//! [`Workspace`] is the entry point: it takes a request of a client and returns the reply.
//!
//! | file | contents |
//! |---|---|
//! | `workspace.rs` | [`Workspace`]: requests and replies |
//! | `roots.rs` | which paths may be read; files are opened from folders that are held open, without following links |
//! | `directory.rs`, `content.rs`, `media.rs` | a directory; a file by lines, as an image, or by name only |
//! | `listing.rs`, `listings.rs`, `ignored.rs`, `score.rs`, `search.rs` | the files of a project without those that git ignores, cached; fuzzy matching |
//! | `git/` | git status and diffs |
//!
//! # Invariants
//!
//! - **Nothing outside the roots is read.** Paths are resolved, compared with the [`Roots`], and then opened from a
//!   root's descriptor without following links: nothing that changes in between can lead out. Devices, sockets and
//!   pipes are never opened, and neither are the kernel's own files.
//! - **Nothing is written.** Git does not even refresh its index.
//! - **A repository runs nothing.** See `git/mod.rs`.
//! - **Bounded**: how much is done at once and how long each may take, entries, names, bytes, lines, processes.
//!   Omissions are reported: `cut` or `more`.
//! - **Off the main path**: files are read on blocking threads.
//!
//! # What it does not own
//!
//! Sessions: the caller knows the folder of one. The environment: the program passes the path of git.

mod content;
mod directory;
mod git;
mod ignored;
mod listing;
mod listings;
mod media;
mod roots;
mod score;
mod search;
#[allow(clippy::module_inception, reason = "the type that the folder is named after")]
mod workspace;

pub use git::GitProgram;
pub use roots::Roots;
pub use workspace::Workspace;
