//! What can be ended: bridges, agents with their keepers, and processes that a killed keeper left behind.

use std::path::PathBuf;

use aqueduct_bridge::keeper::{MARK, PROCESS_NAME};
use aqueduct_os::process_table::FileId;

use super::processes::UserProcess;

/// The files that a bridge has open in its data folder.
pub(super) const LOG_LOCK: &str = "log.lock";
const LOG_DATABASE: &str = "log.sqlite3";
/// The file that a keeper has locked in its folder.
const KEEPER_LOCK: &str = "lock";
/// The folder of the keepers' folders, in the data folder.
pub(super) const KEEPERS: &str = "keepers";

/// What a process is. They are ended in this order: a bridge would start the agent of a waiting input again, and a keeper
/// ends its agent and everything that the agent started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TargetKind {
    /// `aqueduct serve`.
    Bridge,
    /// A keeper, which ends its agent.
    Agent,
    /// A process that an agent started, or the agent itself, whose keeper was killed.
    Leftover,
}

impl TargetKind {
    pub(super) const ALL: [TargetKind; 3] = [TargetKind::Bridge, TargetKind::Agent, TargetKind::Leftover];
}

/// A process to end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StopTarget {
    pub(super) pid: i32,
    pub(super) kind: TargetKind,
    /// The process's name.
    pub(super) name: String,
    /// The data folder that it uses, where that is known.
    pub(super) data: Option<DataFolder>,
    /// The working directory of the agent.
    pub(super) project: Option<PathBuf>,
    /// The value of [`MARK`]: of a leftover process.
    pub(super) mark: Option<Vec<u8>>,
}

/// The data folder of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DataFolder {
    pub(super) path: PathBuf,
    /// It was removed: the path is where it was.
    pub(super) is_removed: bool,
    /// Its identity: that of `log.lock` for a bridge, that of the folder for a keeper.
    pub(super) id: Option<FileId>,
}

/// A bridge or a keeper, if the process is one.
///
/// A name alone proves nothing: anyone can call a program `aqueduct` or `aqueduct-keeper`. A process counts
/// if it runs the file of this program, or if it has the files open that only a bridge or a keeper has open;
/// so those of another build are found too.
pub(super) fn identify(process: &UserProcess<'_>) -> Option<StopTarget> {
    let argument = |index: usize| process.arguments.get(index).map(Vec::as_slice);
    let target = |kind, data| StopTarget {
        pid: process.pid,
        kind,
        name: process.name.clone(),
        data,
        project: None,
        mark: None,
    };
    if argument(1) == Some(b"serve") {
        let data = bridge_folder(process);
        return (data.is_some() || process.runs_this_program()).then(|| target(TargetKind::Bridge, data));
    }
    let is_starting = || {
        // The keeper's child that becomes the agent has more arguments.
        argument(1) == Some(b"keeper")
            && argument(2).is_none_or(<[u8]>::is_empty)
            && process.runs_this_program()
    };
    let is_named = process.name.as_bytes() == PROCESS_NAME.to_bytes();
    if is_named && let Some(data) = keeper_folder(process) {
        return Some(target(TargetKind::Agent, Some(data)));
    }
    is_starting().then(|| target(TargetKind::Agent, None))
}

/// A process that has the mark of an agent's processes.
pub(super) fn marked(process: &UserProcess<'_>) -> Option<StopTarget> {
    let mark = process.variable(MARK).filter(|mark| !mark.is_empty())?;
    let project = process.folder().map(|folder| folder.path);
    let name = process.name.clone();
    Some(StopTarget {
        pid: process.pid,
        kind: TargetKind::Leftover,
        name,
        data: None,
        project,
        mark: Some(mark),
    })
}

/// The folder whose lock and database a process has open.
fn bridge_folder(process: &UserProcess<'_>) -> Option<DataFolder> {
    let files = process.open_files();
    let locks = files.iter().filter(|(link, _)| link.path.file_name().is_some_and(|name| name == LOG_LOCK));
    locks.into_iter().find_map(|(link, id)| {
        let folder = link.path.parent()?;
        let database = folder.join(LOG_DATABASE);
        let is_open = files.iter().any(|(link, _)| link.path == database);
        is_open.then(|| DataFolder { path: folder.to_owned(), is_removed: link.is_removed, id: *id })
    })
}

/// The data folder of a keeper: it works in its own folder there and has the lock in it open.
fn keeper_folder(process: &UserProcess<'_>) -> Option<DataFolder> {
    let own = process.folder()?;
    let lock = own.path.join(KEEPER_LOCK);
    if !process.open_files().iter().any(|(link, _)| link.path == lock) {
        return None;
    }
    let path = own.path.parent().and_then(|keepers| keepers.parent()).unwrap_or(&own.path).to_owned();
    Some(DataFolder { path, is_removed: own.is_removed, id: process.file_at("../..") })
}
