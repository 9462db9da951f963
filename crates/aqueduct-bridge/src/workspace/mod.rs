//! Files and git of the folders that sessions work in: looked at from afar, and never changed.
//!
//! [`Workspace`] is the way in: a request of a client goes in, and its reply comes out.
//!
//! # What must stay true
//!
//! - **Nothing outside the roots is read.** Paths are resolved, compared with the [`Roots`], and then opened from a
//!   root's descriptor without following links: nothing that changes in between can lead out. Devices, sockets and
//!   pipes are never opened, and neither are the kernel's own files.
//! - **Nothing is written.** Git does not even refresh its index.
//! - **A repository runs nothing.** `git/mod.rs` says how.
//! - **Bounded**: how much is done at once and how long each may take, entries, names, bytes, lines, processes.
//!   What is left out is told: `cut` or `more`.
//! - **Off the main path**: files are read on blocking threads.
//!
//! # What it does not own
//!
//! Sessions: who calls knows the folder of one. The environment: the program says where git is.

mod content;
mod directory;
mod folder;
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

pub use git::Git;
pub use roots::Roots;
pub use workspace::Workspace;
