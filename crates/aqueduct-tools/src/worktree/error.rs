use std::path::PathBuf;

use super::hooks::WorktreeHookError;

/// Why there is no worktree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorktreeError {
    /// The name can't be one.
    #[error("{0}")]
    Name(String),
    /// There is nothing to check out.
    #[error(
        "{0} is not in a git repository, and no WorktreeCreate hook is configured. Start in a repository, or configure \
         WorktreeCreate and WorktreeRemove hooks for another version control system"
    )]
    NotARepository(PathBuf),
    /// There is no commit to begin with.
    #[error("the repository has no commit to begin with: HEAD names none. Commit something first")]
    NoCommit,
    /// Something on the way there is not a plain folder.
    #[error("{0} is a link or no folder, so a worktree below it could be elsewhere. Remove it first")]
    Unsafe(PathBuf),
    /// There is something else in its place.
    #[error("{0} exists and is not a worktree of this repository. Remove it, or choose another name")]
    Occupied(PathBuf),
    /// A worktree that is not one of this repository's own.
    #[error("{path} is not a worktree of this repository below {folder}. Only those can be entered")]
    Elsewhere {
        /// The path.
        path: PathBuf,
        /// Where worktrees are.
        folder: PathBuf,
    },
    /// The repository's filters can't be switched off.
    #[error(
        "the filters of the repository can't be listed, so that they can't be switched off: check `git config`"
    )]
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
    #[error("git {what} failed: {why}")]
    Git {
        /// What it was to do.
        what: &'static str,
        /// Its output.
        why: String,
    },
    /// The user interrupted it.
    #[error("it was interrupted")]
    Interrupted,
    /// A hook failed.
    #[error(transparent)]
    Hook(#[from] WorktreeHookError),
    /// A hook named what is not there.
    #[error(
        "the WorktreeCreate hook returned {0}, which is not a folder. It must make the folder before it prints it"
    )]
    NoFolder(PathBuf),
}
