use std::path::PathBuf;

use aqueduct_wire::hint::{Hint, HintedError};

use super::hooks::WorktreeHookError;
use super::name::WorktreeNameError;

/// Why there is no worktree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorktreeError {
    /// The name can't be one.
    #[error(transparent)]
    Name(#[from] WorktreeNameError),
    /// There is nothing to check out.
    #[error("{0} is not in a git repository, and no WorktreeCreate hook is configured")]
    NotARepository(PathBuf),
    /// There is no commit to begin with.
    #[error("the repository has no commit to begin with: HEAD names none")]
    NoCommit,
    /// Something on the way there is not a plain folder.
    #[error("{0} is a link or no folder, so a worktree below it could be elsewhere")]
    Unsafe(PathBuf),
    /// There is something else in its place.
    #[error("{0} exists and is not a worktree of this repository")]
    Occupied(PathBuf),
    /// A worktree that is not one of this repository's own.
    #[error("{path} is not a worktree of this repository below {folder}")]
    Elsewhere {
        /// The path.
        path: PathBuf,
        /// Where worktrees are.
        folder: PathBuf,
    },
    /// The repository's filters can't be switched off.
    #[error("the filters of the repository can't be listed, so that they can't be switched off")]
    Filters,
    /// A file can't be read or made.
    #[error("{path} can't be used: {why}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Git failed.
    #[error("git {what} failed: {failure}")]
    Git {
        /// What it was to do.
        what: &'static str,
        /// How it failed.
        failure: GitFailure,
    },
    /// The user interrupted it.
    #[error("it was interrupted")]
    Interrupted,
    /// A hook failed.
    #[error(transparent)]
    Hook(#[from] WorktreeHookError),
    /// A hook named what is not there.
    #[error("the WorktreeCreate hook returned {0}, which is not a folder")]
    NoFolder(PathBuf),
}

/// How git failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GitFailure {
    /// It ended with an error, and this is the last line of its error output.
    #[error("{0}")]
    Reported(String),
    /// It ended with an error, and without error output.
    #[error("it printed nothing")]
    Silent,
    /// It did not start, or did not end in time.
    #[error("it could not be started, or took too long")]
    NotRun,
}

impl HintedError for WorktreeError {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::sentence(match self {
            WorktreeError::Name(error) => return error.hint(),
            WorktreeError::NotARepository(_) => {
                "Start in a repository, or configure WorktreeCreate and WorktreeRemove hooks for another version \
                 control system"
            }
            WorktreeError::NoCommit => "Commit something first",
            WorktreeError::Unsafe(_) => "Remove it first",
            WorktreeError::Occupied(_) => "Remove it, or choose another name",
            WorktreeError::Elsewhere { .. } => "Only those can be entered",
            WorktreeError::Filters => "Check `git config`",
            WorktreeError::Hook(error) => return error.hint(),
            WorktreeError::NoFolder(_) => "It must make the folder before it prints it",
            WorktreeError::File { .. } | WorktreeError::Git { .. } | WorktreeError::Interrupted => {
                return None;
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_follows_the_message() {
        let occupied = WorktreeError::Occupied("/r/w".into());
        assert_eq!(occupied.to_string(), "/r/w exists and is not a worktree of this repository");
        assert_eq!(
            occupied.advised(),
            "/r/w exists and is not a worktree of this repository. Remove it, or choose another name"
        );
        let silent = WorktreeError::Git { what: "checkout", failure: GitFailure::Silent };
        assert_eq!(silent.advised(), "git checkout failed: it printed nothing");
        let hook = WorktreeError::from(WorktreeHookError::NoFolder);
        assert_eq!(hook.to_string(), "WorktreeCreate hook failed: it returned no folder");
        assert!(hook.hint().is_some());
    }
}
