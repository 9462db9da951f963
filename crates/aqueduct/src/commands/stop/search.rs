//! Which processes are meant.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use aqueduct_bridge::keeper::MARK;
use aqueduct_os::process_table::FileId;

use super::processes::{Processes, UserProcess};
use super::target::{self, KEEPERS, LOG_LOCK, StopTarget, TargetKind};

/// Whose processes to look for.
#[derive(Debug)]
pub(super) enum StopScope {
    /// Everything of this user.
    User,
    /// The bridge of a data folder, and its agents.
    Folder(PathBuf),
}

/// A search that can be repeated while processes end.
#[derive(Debug)]
pub(super) struct ProcessSearch {
    processes: Processes,
    scope: StopScope,
    /// The marks of the agents that were found so far and are meant.
    marks: HashSet<Vec<u8>>,
}

impl ProcessSearch {
    pub(super) fn new(processes: Processes, scope: StopScope) -> Self {
        let scope = match scope {
            StopScope::Folder(folder) => StopScope::Folder(resolved(&folder)),
            StopScope::User => StopScope::User,
        };
        ProcessSearch { processes, scope, marks: HashSet::new() }
    }

    /// The processes that run now. Those of an agent whose keeper runs are not listed: the keeper ends them.
    pub(super) fn look(&mut self) -> anyhow::Result<Vec<StopTarget>> {
        let processes = self.processes.all()?;
        let mut targets: Vec<StopTarget> = processes.iter().filter_map(target::identify).collect();
        let mut kept = HashSet::new();
        for keeper in targets.iter_mut().filter(|target| target.kind == TargetKind::Agent) {
            for agent in agents_of(keeper.pid, &processes) {
                keeper.project = keeper.project.take().or(agent.project);
                kept.extend(agent.mark.clone());
                if self.is_meant(keeper) {
                    self.marks.extend(agent.mark);
                }
            }
        }
        targets.retain(|target| self.is_meant(target));
        let known: HashSet<i32> = targets.iter().map(|target| target.pid).collect();
        let others = processes.iter().filter(|process| !known.contains(&process.pid));
        let leftover = others.filter_map(target::marked).filter(|process| {
            process.mark.as_ref().is_some_and(|mark| !kept.contains(mark)) && self.is_meant(process)
        });
        targets.extend(leftover);
        Ok(targets)
    }

    /// Whether the process with the target's number is what was found. Asked while a handle on the process is open, the
    /// answer holds for the handle.
    pub(super) fn confirms(&self, target: &StopTarget) -> bool {
        let Some(process) = self.processes.process(target.pid) else { return false };
        match target.kind {
            TargetKind::Bridge | TargetKind::Agent => {
                target::identify(&process).is_some_and(|now| now.kind == target.kind && self.is_meant(&now))
            }
            TargetKind::Leftover => target::marked(&process).is_some_and(|now| now.mark == target.mark),
        }
    }

    /// A target that this process descends from and that would take this process with it.
    pub(super) fn ancestor<'t>(&self, targets: &'t [StopTarget]) -> Option<&'t StopTarget> {
        let ancestors = self.processes.ancestors();
        targets.iter().find(|target| target.kind != TargetKind::Bridge && ancestors.contains(&target.pid))
    }

    fn is_meant(&self, target: &StopTarget) -> bool {
        let StopScope::Folder(folder) = &self.scope else { return true };
        let id = match target.kind {
            TargetKind::Bridge => FileId::of(&folder.join(LOG_LOCK)),
            TargetKind::Agent => FileId::of(folder),
            TargetKind::Leftover => {
                return target.mark.as_ref().is_some_and(|mark| self.is_mark_in(mark, folder));
            }
        };
        target.data.as_ref().is_some_and(|data| data.path == *folder || (id.is_some() && data.id == id))
    }

    /// Whether the mark is that of an agent of a data folder: it is the path of the keeper's folder, or it was found at an
    /// agent whose keeper ran.
    fn is_mark_in(&self, mark: &[u8], folder: &Path) -> bool {
        let keeper = Path::new(OsStr::from_bytes(mark));
        self.marks.contains(mark) || keeper.parent().is_some_and(|keepers| keepers == folder.join(KEEPERS))
    }
}

/// The processes directly under a keeper that have a mark of its own making. A keeper inside another agent's session
/// inherits the mark of that one; its child has the same until it is started.
fn agents_of(keeper: i32, processes: &[UserProcess<'_>]) -> Vec<StopTarget> {
    let inherited = processes.iter().find(|process| process.pid == keeper).and_then(|own| own.variable(MARK));
    let children = processes.iter().filter(|process| process.parent == keeper);
    children.filter_map(target::marked).filter(|child| child.mark != inherited).collect()
}

/// The folder without links, also where it was removed.
fn resolved(folder: &Path) -> PathBuf {
    let real = fs::canonicalize(folder).ok().or_else(|| {
        let parent = fs::canonicalize(folder.parent()?).ok()?;
        Some(parent.join(folder.file_name()?))
    });
    real.or_else(|| std::path::absolute(folder).ok()).unwrap_or_else(|| folder.to_owned())
}
