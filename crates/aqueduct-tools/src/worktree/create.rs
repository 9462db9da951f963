//! Makes worktrees.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use aqueduct_os::environment::Environment;
use tokio_util::sync::CancellationToken;

use super::hooks::WorktreeHooks;
use super::{FOLDER, Worktree, WorktreeError, WorktreeName, WorktreeSettings, carry, git, main_checkout};
use crate::git::{Filters, GitOutput};

/// The branches of `origin` that are tried, in this order.
const DEFAULT_BRANCHES: [&str; 3] = ["origin/HEAD", "origin/main", "origin/master"];

/// Whom a worktree is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorktreePurpose {
    /// A session.
    Session,
    /// A subagent.
    Agent,
}

/// Makes worktrees.
pub struct WorktreeMaker<'m> {
    /// Whose variables git gets.
    pub environment: &'m Environment,
    /// The folder whose repository is checked out.
    pub cwd: &'m Path,
    /// The settings for worktrees.
    pub settings: WorktreeSettings,
    /// Whom it is for.
    pub purpose: WorktreePurpose,
}

impl WorktreeMaker<'_> {
    /// Makes a worktree, by hooks where there are any. One of git that exists already is used as it is.
    pub async fn make(
        &self,
        name: &WorktreeName,
        hooks: Option<Box<dyn WorktreeHooks>>,
        cancel: &CancellationToken,
    ) -> Result<Worktree, WorktreeError> {
        let making = async {
            match hooks {
                Some(hooks) => self.by_hooks(name, hooks, cancel).await,
                None => self.by_git(name).await,
            }
        };
        tokio::select! {
            made = making => made,
            () = cancel.cancelled() => {
                self.discard(name).await;
                Err(WorktreeError::Interrupted)
            }
        }
    }

    /// Removes what git has made of a worktree so far.
    async fn discard(&self, name: &WorktreeName) {
        let Some(root) = main_checkout(self.environment, self.cwd).await else { return };
        let [first, second] = FOLDER;
        let worktree = Worktree {
            name: name.as_str().to_owned(),
            path: root.join(first).join(second).join(name.folder()),
            branch: Some(name.branch()),
            base: None,
            root: Some(root),
        };
        // There may be nothing yet.
        let _ = worktree.remove(self.environment, None, &CancellationToken::new()).await;
    }

    async fn by_hooks(
        &self,
        name: &WorktreeName,
        hooks: Box<dyn WorktreeHooks>,
        cancel: &CancellationToken,
    ) -> Result<Worktree, WorktreeError> {
        let made = hooks.create(name.as_str(), cancel).await?;
        let path = fs::canonicalize(&made).map_err(|_| WorktreeError::NoFolder(made.clone()))?;
        if !path.is_dir() {
            return Err(WorktreeError::NoFolder(made));
        }
        let base = self.commit(&path, "HEAD").await;
        Ok(Worktree { name: name.as_str().to_owned(), path, branch: None, base, root: None })
    }

    async fn by_git(&self, name: &WorktreeName) -> Result<Worktree, WorktreeError> {
        let found = main_checkout(self.environment, self.cwd).await;
        let root = found.ok_or_else(|| WorktreeError::NotARepository(self.cwd.to_owned()))?;
        let root = fs::canonicalize(&root).map_err(|error| file(&root, &error))?;
        let folder = prepare(&root)?;
        let path = folder.join(name.folder());
        let worktree = |base| Worktree {
            name: name.as_str().to_owned(),
            path: path.clone(),
            branch: Some(name.branch()),
            base: Some(base),
            root: Some(root.clone()),
        };
        match fs::symlink_metadata(&path) {
            Ok(_) => {
                let is_known = is_registered(self.environment, &root, &path).await;
                let base = self.commit(&path, "HEAD").await.filter(|_| is_known);
                let base = base.ok_or_else(|| WorktreeError::Occupied(path.clone()))?;
                self.lock(&root, &path, name).await;
                Ok(worktree(base))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let base = self.base(&root).await?;
                self.check_out(&root, &path, name, &base).await?;
                self.lock(&root, &path, name).await;
                carry::over(self.environment, &root, &path, &self.settings).await;
                Ok(worktree(base))
            }
            Err(error) => Err(file(&path, &error)),
        }
    }

    /// The commit that a worktree begins with: the newest one of `origin` that is here already, or the one that is
    /// checked out.
    async fn base(&self, root: &Path) -> Result<String, WorktreeError> {
        if !self.settings.from_head {
            for branch in DEFAULT_BRANCHES {
                if let Some(commit) = self.commit(root, &format!("refs/remotes/{branch}")).await {
                    return Ok(commit);
                }
            }
        }
        self.commit(self.cwd, "HEAD").await.ok_or(WorktreeError::NoCommit)
    }

    async fn commit(&self, cwd: &Path, named: &str) -> Option<String> {
        let commit = format!("{named}^{{commit}}");
        let answer =
            git(self.environment, cwd).run(&[], &["rev-parse", "--verify", "--quiet", &commit]).await?;
        let text = answer.text.trim();
        let is_commit = text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        (answer.code == Some(0) && is_commit).then(|| text.to_owned())
    }

    async fn check_out(
        &self,
        root: &Path,
        path: &Path,
        name: &WorktreeName,
        base: &str,
    ) -> Result<(), WorktreeError> {
        let git = git(self.environment, root);
        let off = git.filters_off(Filters::OfRepository).await.ok_or(WorktreeError::Filters)?;
        let place = path.to_string_lossy();
        let branch = name.branch();
        let mut arguments = vec!["worktree", "add", "--no-track", "-B", &branch];
        if !self.settings.sparse.is_empty() {
            arguments.push("--no-checkout");
        }
        arguments.extend([place.as_ref(), base]);
        succeed("worktree add", git.run(&off, &arguments).await)?;
        if fs::canonicalize(path).ok().as_deref() != Some(path) {
            return Err(WorktreeError::Unsafe(path.to_owned()));
        }
        if self.settings.sparse.is_empty() {
            return Ok(());
        }
        let git = super::git(self.environment, path);
        let mut arguments = vec!["sparse-checkout", "set", "--cone"];
        arguments.extend(self.settings.sparse.iter().map(String::as_str));
        succeed("sparse-checkout", git.run(&off, &arguments).await)?;
        succeed("checkout", git.run(&off, &["checkout", "--no-recurse-submodules", "HEAD"]).await)
    }

    /// Keeps git from pruning the worktree. It is usable without a lock, so an existing lock of another process stays.
    async fn lock(&self, root: &Path, path: &Path, name: &WorktreeName) {
        let kind = match self.purpose {
            WorktreePurpose::Session => "session",
            WorktreePurpose::Agent => "agent",
        };
        // The reference CLI uses this form to distinguish locks of running processes from those of dead ones.
        let reason = format!("claude {kind} {} (pid {})", name.as_str(), std::process::id());
        let place = path.to_string_lossy();
        let arguments = ["worktree", "lock", "--reason", &reason, place.as_ref()];
        let _ = git(self.environment, root).run(&[], &arguments).await;
    }
}

/// Whether a folder is a worktree of a repository.
pub(super) async fn is_registered(environment: &Environment, root: &Path, path: &Path) -> bool {
    let is_plain = fs::canonicalize(path).ok().as_deref() == Some(path);
    let listed = git(environment, root).run(&[], &["worktree", "list", "--porcelain", "-z"]).await;
    let is_listed = |answer: GitOutput| {
        let mut entries = answer.text.split('\0').filter_map(|line| line.strip_prefix("worktree "));
        answer.code == Some(0) && entries.any(|listed| Path::new(listed) == path)
    };
    is_plain && listed.is_some_and(is_listed)
}

/// The folder of a repository's worktrees, made where it is missing. Nothing on the way there may be a link.
fn prepare(root: &Path) -> Result<PathBuf, WorktreeError> {
    let mut folder = root.to_owned();
    for part in FOLDER {
        folder.push(part);
        match fs::symlink_metadata(&folder) {
            Ok(data) if data.is_dir() => (),
            Ok(_) => return Err(WorktreeError::Unsafe(folder)),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                fs::create_dir(&folder).map_err(|error| file(&folder, &error))?;
            }
            Err(error) => return Err(file(&folder, &error)),
        }
    }
    Ok(folder)
}

fn file(path: &Path, error: &std::io::Error) -> WorktreeError {
    WorktreeError::File { path: path.to_owned(), why: error.to_string() }
}

/// Whether git succeeded.
pub(super) fn succeed(what: &'static str, answer: Option<GitOutput>) -> Result<(), WorktreeError> {
    match answer {
        Some(answer) if answer.code == Some(0) => Ok(()),
        Some(answer) => {
            let mut lines = answer.error_output.lines().map(str::trim);
            let why = lines.rfind(|line| !line.is_empty() && !line.starts_with("Preparing"));
            let why = why.unwrap_or("it printed nothing");
            Err(WorktreeError::Git { what, why: why.to_owned() })
        }
        None => Err(WorktreeError::Git { what, why: "it could not be started, or took too long".to_owned() }),
    }
}
