//! Sessions in worktrees that are resumed from the main checkout.

use std::fs;
use std::path::{Path, PathBuf};

use aqueduct_tools::worktree::FOLDER;

use crate::transcript::Project;

/// Where a session is that was not held in the working directory itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ResumedWorktree {
    /// In this worktree.
    In(PathBuf),
    /// In a worktree that is gone; the folder of its conversations is still there.
    Gone {
        /// The worktree.
        worktree: PathBuf,
        /// The folder of its conversations.
        project: Project,
    },
}

/// Looks for a session in the worktrees of a folder.
pub(crate) fn find(config: &Path, cwd: &Path, session_id: &str) -> Option<ResumedWorktree> {
    if Project::of(config, cwd).file(session_id).ok()?.is_file() {
        return None;
    }
    let folder = cwd.join(FOLDER[0]).join(FOLDER[1]);
    let has = |project: &Project| project.file(session_id).is_ok_and(|file| file.is_file());
    let there = fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut there = there.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    if let Some(entry) = there.find(|entry| has(&Project::of(config, &entry.path()))) {
        return Some(ResumedWorktree::In(entry.path()));
    }
    // The names of project folders can't be read back; those of worktrees begin in the same way.
    let own = Project::of(config, &folder).folder().to_owned();
    let prefix = format!("{}-", own.file_name()?.to_str()?);
    let projects = fs::read_dir(own.parent()?).ok()?.flatten();
    let name = projects.filter_map(|entry| entry.file_name().into_string().ok()).find(|name| {
        name.starts_with(&prefix) && has(&Project::of(config, &folder.join(&name[prefix.len()..])))
    })?;
    let worktree = folder.join(&name[prefix.len()..]);
    Some(ResumedWorktree::Gone { project: Project::of(config, &worktree), worktree })
}
