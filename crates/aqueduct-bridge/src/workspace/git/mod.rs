//! Git status and diffs, without running anything that a repository configures.
//!
//! | file | contents |
//! |---|---|
//! | `command.rs` | running git, with bounds on time and output |
//! | `repository.rs`, `boundary.rs` | which repositories git may read; whether all of their files are under the roots |
//! | `status.rs`, `diff.rs`, `patch.rs`, `untracked.rs` | the status, diffs, parsing of patches, files that git does not track |
//!
//! - **No program runs but git**: file system monitors, hooks, external diffs, text conversions, pagers and every
//!   transport are switched off by the command line; filters are looked up first and then switched off by name.
//!   Submodules are compared by their commits and never entered.
//! - **Nothing is written**, not even the index: only commands that don't refresh it are used, without locks.
//! - **Nothing outside the roots is read**: working tree and repository must both be there, and so must every folder of
//!   objects that the repository names (alternates) and everything that its links lead to. That is checked before git
//!   runs and again before its answer is used.
//! - A repository of another user is refused unless the user has configured git to trust it.
//! - The process ends with its whole group when no caller waits for it any more.

mod boundary;
mod command;
mod diff;
mod patch;
mod repository;
mod status;
mod untracked;

pub use command::GitProgram;
pub(super) use diff::{DiffRequest, diff};
pub(super) use repository::GitRepository;
pub(super) use status::status;
