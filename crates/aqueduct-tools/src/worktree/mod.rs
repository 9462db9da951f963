//! Worktrees: checkouts of their own for a session (`--worktree`) or a subagent (`isolation: worktree`).
//!
//! Git makes them in `.claude/worktrees` of the repository, on a branch of their own, or a `WorktreeCreate` hook makes
//! them anywhere. Git runs without the repository's hooks and filters ([`crate::git`]), reaches no network, and no
//! folder on the way to a worktree may be a link: a repository could lead the checkout out of itself with one.

mod carry;
mod create;
mod entered;
mod error;
mod existing;
mod hooks;
mod name;
mod remove;
mod settings;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use create::{WorktreeMaker, WorktreePurpose};
pub use entered::EnteredWorktree;
pub use entered::{WorktreeService, Worktrees};
pub use error::{GitFailure, WorktreeError};
pub use existing::{existing, is_there};
pub use hooks::{Hooking, WorktreeHookError, WorktreeHooks};
pub use name::{WorktreeName, WorktreeNameError};
pub use settings::WorktreeSettings;

use serde_json::{Value, json};

use crate::git::Git;
use aqueduct_os::environment::Environment;

/// How long git may take to check a repository out.
const PATIENCE: Duration = Duration::from_secs(300);

/// How much of git's output is read.
const OUTPUT: u64 = 16 * 1024 * 1024;

/// Where the worktrees of a repository are, seen from its main checkout.
pub const FOLDER: [&str; 2] = [".claude", "worktrees"];

/// A worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worktree {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub path: PathBuf,
    /// Its branch. One that a hook made has none that we know of.
    pub branch: Option<String>,
    /// The commit that it began with, where it is one of git.
    pub base: Option<String>,
    /// The main checkout of its repository; none, where a hook made it.
    pub root: Option<PathBuf>,
}

impl Worktree {
    /// What transcripts keep of a session in a worktree.
    pub fn state(&self, from: &Path, branch: Option<String>, session_id: &str) -> Value {
        let mut session = json!({
            "originalCwd": from,
            "preEnterOriginalCwd": from,
            "worktreePath": self.path,
            "worktreeName": self.name,
            "sessionId": session_id,
        });
        if let Some(own) = &self.branch {
            session["worktreeBranch"] = own.as_str().into();
        }
        if let Some(branch) = branch {
            session["originalBranch"] = branch.into();
        }
        if let Some(base) = &self.base {
            session["originalHeadCommit"] = base.as_str().into();
        }
        if self.root.is_none() {
            session["hookBased"] = true.into();
        }
        json!({ "type": "worktree-state", "worktreeSession": session })
    }
}

/// Git in a folder, with time to check out.
fn git<'g>(environment: &'g Environment, cwd: &'g Path) -> Git<'g> {
    Git { environment, cwd, patience: PATIENCE, limit: OUTPUT }
}

/// The main checkout of the repository that a folder belongs to.
async fn main_checkout(environment: &Environment, cwd: &Path) -> Option<PathBuf> {
    let arguments = ["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir"];
    let answer = git(environment, cwd).run(&[], &arguments).await.filter(|answer| answer.code == Some(0))?;
    let mut lines = answer.text.lines();
    let (top, common) = (PathBuf::from(lines.next()?), PathBuf::from(lines.next()?));
    // A linked worktree has its records in the main checkout.
    match common.file_name().is_some_and(|name| name == ".git") {
        true => common.parent().map(Path::to_owned),
        false => Some(top),
    }
}
