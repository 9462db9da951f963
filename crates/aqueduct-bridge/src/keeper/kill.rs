//! Ending a keeper that does not answer.

use std::io;
use std::path::Path;

use aqueduct_os::process::Signal;
use aqueduct_os::process_handle::ProcessHandle;

use super::folder::KeeperFolder;

/// Kills the keeper in this folder, and with it the agent; returns its process, or none if no keeper ran.
/// What it has spooled stays: [`find`](super::find) leads to it.
pub fn kill(folder: &Path) -> io::Result<Option<u32>> {
    let folder = KeeperFolder::new(folder);
    let Some(keeper) = folder.owner()? else { return Ok(None) };
    let Some(process) = ProcessHandle::open(keeper)? else { return Ok(None) };
    // The number may have been another process's when it was opened.
    if folder.owner()? != Some(keeper) {
        return Ok(None);
    }
    process.signal(Signal::KILL)?;
    Ok(Some(keeper.as_raw_nonzero().get().unsigned_abs()))
}
