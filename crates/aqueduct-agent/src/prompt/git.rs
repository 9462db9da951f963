use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use aqueduct_tools::git::{Filters, Git, GitOutput};

use crate::environment::Environment;

/// How long git may take. It is slow in huge repositories, and the model can ask again by itself.
const PATIENCE: Duration = Duration::from_secs(2);
/// How much of git's answer is read, and shown.
const ANSWER_LIMIT: u64 = 4000;

/// The state of the folder's git repository at the session's start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GitContext {
    /// The branch and the changed files, in the short form.
    pub(crate) status: String,
    /// The last commits, one a line.
    pub(crate) commits: String,
}

impl GitContext {
    /// Runs git, if the folder belongs to a repository. `None` if it does not, or if git does not answer in time.
    pub(crate) async fn read(environment: &Environment) -> Option<Self> {
        repository(&environment.cwd)?;
        let git = Git { environment, cwd: &environment.cwd, patience: PATIENCE, limit: ANSWER_LIMIT };
        let off = git.filters_off(Filters::All).await?;
        let status = ask(&git, &off, &["status", "--short", "--branch", "--ignore-submodules=dirty"]);
        let commits = ask(&git, &off, &["log", "--oneline", "--no-decorate", "-n", "5"]);
        let (status, commits) = tokio::join!(status, commits);
        // A repository without commits has a status all the same.
        Some(GitContext { status: status?, commits: commits.unwrap_or_default() })
    }

    /// The part of the prompt.
    pub(super) fn describe(&self) -> String {
        let mut part = format!("\nGit status at the start of the session:\n{}\n", self.status.trim_end());
        if !self.commits.is_empty() {
            part.push_str(&format!("\nLast commits:\n{}\n", self.commits.trim_end()));
        }
        part
    }
}

/// The folder with a repository's records that a folder belongs to.
pub(super) fn repository(folder: &Path) -> Option<PathBuf> {
    let found = folder.ancestors().map(|folder| folder.join(".git")).find(|path| path.exists())?;
    if found.is_dir() {
        return Some(found);
    }
    // A linked working tree has a file with the path of its git directory.
    let text = fs::read_to_string(&found).ok()?;
    Some(found.parent()?.join(text.strip_prefix("gitdir:")?.trim()))
}

/// The branch that is checked out, read from the repository's records without asking git. A commit that is
/// checked out by itself has none.
pub(crate) fn branch(folder: &Path) -> Option<String> {
    let head = fs::read_to_string(repository(folder)?.join("HEAD")).ok()?;
    Some(head.trim().strip_prefix("ref: refs/heads/")?.to_owned())
}

/// The output of git, if it succeeds. Long output is truncated.
async fn ask(git: &Git<'_>, settings: &[String], arguments: &[&str]) -> Option<String> {
    let GitOutput { mut text, is_whole, code, .. } = git.run(settings, arguments).await?;
    if is_whole {
        return (code == Some(0)).then_some(text);
    }
    text.truncate(text.rfind('\n').unwrap_or(text.len()));
    text.push_str("\n(truncated)");
    Some(text)
}
