//! Repositories that a command in the sandbox leaves behind.
//!
//! Git runs programs that a repository's configuration and hooks name, also for a plain `git status` of a
//! user who only looks. The layout of the sandbox keeps the session's own repository as it is; everywhere
//! else that a command may write, it may also make a repository, or change one. So all of them are listed
//! before a command ([`RepositoryWatch`]), and again after it. What is new, or not as it was, must be harmless:
//!
//! - every setting of `config` and `config.worktree` is in a list of settings that run nothing ([`config`]),
//! - `hooks` has nothing but `*.sample`,
//! - a `.git` file or link, and a `commondir`, lead to a repository that is harmless itself.
//!
//! What is not is moved out of the tree into a folder of the agent ([`quarantine`]), and the user and the model are
//! notified. A repository that was there before is judged by what changed, and gets back what it had.

mod config;
mod pending;
mod place;
mod quarantine;
mod walk;
mod watch;

pub(super) use config::hooks_path;
pub use watch::{CommandWindow, RepositoryWatch};

#[cfg(test)]
mod tests;
