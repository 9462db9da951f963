//! What git finds in a directory, as the host knows it.

use serde::Serialize;

/// What a git command would use if it ran in a directory.
///
/// Git runs programs that the configuration of a repository names, so the repository decides what a git command
/// does. The host reads the facts from the disk for each decision (see [`crate::git_directories`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum Repository {
    /// No repository: git has no configuration to follow but the user's own.
    None,
    /// The session's own repository.
    Own(Own),
    /// Any other repository, or a directory of which it is not certain what git would take it for. The text
    /// completes the sentence "git would run in `/x`, …".
    Foreign(String),
}

/// What matters about the configuration of the session's own repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Own {
    /// A setting that names a program, if there is any; one that runs at any time before one that is called for.
    pub program: Option<Program>,
    /// The names of the configured remotes.
    pub remotes: Vec<String>,
}

/// A setting that makes git run a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Program {
    /// The setting, such as `core.fsmonitor`, or what else brings a program along.
    pub setting: String,
    /// When git runs the program.
    pub when: When,
}

/// When git runs a program that a setting names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum When {
    /// Only in commands that call for it: an editor, a hook, a credential helper, a merge driver.
    CalledFor,
    /// Also in commands that only show something, or where it is not expected.
    Anytime,
}
