use std::path::PathBuf;
use std::pin::Pin;

use tokio_util::sync::CancellationToken;

/// What hooks do about a worktree; why they failed.
pub type Hooking<'a, T> = Pin<Box<dyn Future<Output = Result<T, String>> + Send + 'a>>;

/// Hooks that make and remove worktrees in place of git.
pub trait WorktreeHooks: Send {
    /// Makes a worktree, and gives its folder.
    fn create<'a>(self: Box<Self>, name: &'a str, cancel: &'a CancellationToken) -> Hooking<'a, PathBuf>;

    /// Removes a worktree.
    fn remove<'a>(self: Box<Self>, folder: &'a str, cancel: &'a CancellationToken) -> Hooking<'a, ()>;
}
