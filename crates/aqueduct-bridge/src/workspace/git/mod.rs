//! Git, asked and never obeyed: what a repository says about itself can make git run programs, and none of that is
//! done here.
//!
//! - **No program runs but git**: file system monitors, hooks, external diffs, text conversions, pagers and every
//!   transport are switched off by the command line; filters are looked up first and then switched off by name.
//!   Submodules are compared by their commits and never entered.
//! - **Nothing is written**, not even the index: only commands that don't refresh it are used, without locks.
//! - **Nothing outside the roots is read**: working tree and repository must both be there, and so must every folder of
//!   objects that the repository names (alternates) and everything that its links lead to. That is checked before git
//!   runs and again before its answer is used.
//! - A repository of another user is refused unless the user has told git to trust it.
//! - The process ends with its whole group when nobody waits for it any more.

mod boundary;
mod command;
mod diff;
mod patch;
mod repository;
mod status;
mod untracked;

pub use command::Git;
pub(super) use diff::{Wish, diff};
pub(super) use repository::Repository;
pub(super) use status::status;
