//! Removes worktrees, and determines what would be lost with them.

use std::fmt;

use aqueduct_os::environment::Environment;
use tokio_util::sync::CancellationToken;

use super::create::{is_registered, succeed};
use super::hooks::{WorktreeHookError, WorktreeHooks};
use super::{Worktree, WorktreeError, git};
use crate::git::Filters;

/// What would be lost with a worktree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WorktreeChanges {
    /// Files that are changed and not committed.
    files: usize,
    /// Commits since it was made.
    commits: usize,
}

impl WorktreeChanges {
    /// Whether nothing would be lost.
    pub fn is_empty(self) -> bool {
        self.files == 0 && self.commits == 0
    }

    /// How many files.
    pub fn files(self) -> usize {
        self.files
    }

    /// How many commits.
    pub fn commits(self) -> usize {
        self.commits
    }
}

/// Such as `2 uncommitted files and 1 commit`.
impl fmt::Display for WorktreeChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: usize, what: &str| match count {
            0 => None,
            1 => Some(format!("1 {what}")),
            count => Some(format!("{count} {what}s")),
        };
        let parts = [counted(self.files, "uncommitted file"), counted(self.commits, "commit")];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" and "))
    }
}

impl Worktree {
    /// The changes that would be lost with it; `None`, where that can't be determined.
    pub async fn changes(&self, environment: &Environment) -> Option<WorktreeChanges> {
        let base = self.base.as_deref()?;
        let git = git(environment, &self.path);
        let off = git.filters_off(Filters::OfRepository).await?;
        let status = git.run(&off, &["status", "--porcelain", "-z", "--untracked-files=all"]).await?;
        let range = format!("{base}..HEAD");
        let commits = git.run(&off, &["rev-list", "--count", &range, "--"]).await?;
        if status.code != Some(0) || commits.code != Some(0) {
            return None;
        }
        let files = status.text.split_terminator('\0').count();
        Some(WorktreeChanges { files, commits: commits.text.trim().parse().ok()? })
    }

    /// Removes it with its branch, whatever is in it. One that a hook made is removed by a hook.
    pub async fn remove(
        &self,
        environment: &Environment,
        hooks: Option<Box<dyn WorktreeHooks>>,
        cancel: &CancellationToken,
    ) -> Result<(), WorktreeError> {
        let Some(root) = &self.root else {
            let Some(hooks) = hooks else {
                return Err(WorktreeHookError::NoRemover.into());
            };
            let folder = self.path.display().to_string();
            return Ok(hooks.remove(&folder, cancel).await?);
        };
        // What is no worktree any more is not ours to delete.
        if !is_registered(environment, root, &self.path).await {
            return Err(WorktreeError::Occupied(self.path.clone()));
        }
        self.unlock(environment).await;
        let git = git(environment, root);
        let place = self.path.to_string_lossy();
        let arguments = ["worktree", "remove", "--force", place.as_ref()];
        succeed("worktree remove", git.run(&[], &arguments).await)?;
        match &self.branch {
            Some(branch) => succeed("branch -D", git.run(&[], &["branch", "-D", "--", branch]).await),
            None => Ok(()),
        }
    }

    /// Lets others use and remove it.
    pub async fn unlock(&self, environment: &Environment) {
        let Some(root) = self.root.as_deref() else { return };
        let place = self.path.to_string_lossy();
        // It may not be locked.
        let _ = git(environment, root).run(&[], &["worktree", "unlock", place.as_ref()]).await;
    }
}
