//! A worktree that exists already.

use std::fs;
use std::path::Path;

use aqueduct_os::environment::Environment;

use super::create::is_registered;
use super::{FOLDER, Worktree, WorktreeError, WorktreeName, git, main_checkout};

/// The worktree at a path, if it is one of those of this repository below its own folder for them. Others are not
/// entered: the path comes from the model, and it would move what the model may change.
pub async fn existing(environment: &Environment, cwd: &Path, path: &Path) -> Result<Worktree, WorktreeError> {
    let root = main_checkout(environment, cwd).await;
    let root = root.ok_or_else(|| WorktreeError::NotARepository(cwd.to_owned()))?;
    let root = fs::canonicalize(&root).map_err(|_| WorktreeError::NotARepository(cwd.to_owned()))?;
    let unusable =
        |error: std::io::Error| WorktreeError::File { path: path.to_owned(), why: error.to_string() };
    let found = fs::canonicalize(path).map_err(unusable)?;
    let folder = root.join(FOLDER[0]).join(FOLDER[1]);
    let is_below = found.parent() == Some(folder.as_path());
    if !is_below || !is_registered(environment, &root, &found).await {
        return Err(WorktreeError::Elsewhere { path: found, folder });
    }
    let branch = git(environment, &found).run(&[], &["branch", "--show-current"]).await;
    let branch = branch.filter(|answer| answer.code == Some(0)).map(|answer| answer.text.trim().to_owned());
    let name = found.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Worktree {
        name,
        path: found,
        branch: branch.filter(|branch| !branch.is_empty()),
        base: None,
        root: Some(root),
    })
}

/// Whether git would enter a worktree under a name that is there already, instead of making one.
pub async fn is_there(environment: &Environment, cwd: &Path, name: &WorktreeName) -> bool {
    match main_checkout(environment, cwd).await {
        Some(root) => root.join(FOLDER[0]).join(FOLDER[1]).join(name.folder()).exists(),
        None => false,
    }
}
