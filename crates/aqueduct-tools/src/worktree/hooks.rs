use std::path::PathBuf;
use std::pin::Pin;

use aqueduct_wire::hint::{Hint, HintedError};
use tokio_util::sync::CancellationToken;

/// Why hooks did not make or remove a worktree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorktreeHookError {
    /// Those that make worktrees failed, for these reasons.
    #[error("WorktreeCreate hook failed: {}", .0.join("; "))]
    Create(Vec<String>),
    /// None of those that make worktrees named a folder.
    #[error("WorktreeCreate hook failed: it returned no folder")]
    NoFolder,
    /// One that removes worktrees failed, for this reason.
    #[error("WorktreeRemove hook failed: {0}")]
    Remove(String),
    /// There is none that removes worktrees.
    #[error("no WorktreeRemove hook is configured")]
    NoRemover,
}

impl HintedError for WorktreeHookError {
    fn hint(&self) -> Option<Hint> {
        matches!(self, WorktreeHookError::NoFolder).then(|| {
            Hint::sentence(
                "A command prints the folder that it made, an http or a callback hook returns it in \
                 hookSpecificOutput.worktreePath",
            )
        })
    }
}

/// What hooks do about a worktree; why they failed.
pub type Hooking<'a, T> = Pin<Box<dyn Future<Output = Result<T, WorktreeHookError>> + Send + 'a>>;

/// Hooks that make and remove worktrees in place of git.
pub trait WorktreeHooks: Send {
    /// Makes a worktree, and gives its folder.
    fn create<'a>(self: Box<Self>, name: &'a str, cancel: &'a CancellationToken) -> Hooking<'a, PathBuf>;

    /// Removes a worktree.
    fn remove<'a>(self: Box<Self>, folder: &'a str, cancel: &'a CancellationToken) -> Hooking<'a, ()>;
}
