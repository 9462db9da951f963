//! Ending a keeper that does not answer.

use std::io;
use std::path::Path;

use rustix::process::Signal;

use super::folder::Folder;

/// Kills the keeper in this folder, and with it the agent; gives its process, or none if there was no keeper. What it
/// has spooled stays: [`find`](super::find) leads to it.
#[cfg(target_os = "linux")]
pub fn kill(folder: &Path) -> io::Result<Option<u32>> {
    use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};

    let folder = Folder::new(folder);
    let Some(keeper) = folder.owner()? else { return Ok(None) };
    // The number may be another process's by the time it is used; a handle can't.
    let process = match pidfd_open(keeper, PidfdFlags::empty()) {
        Ok(process) => process,
        Err(rustix::io::Errno::SRCH) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if folder.owner()? != Some(keeper) {
        return Ok(None);
    }
    pidfd_send_signal(process, Signal::KILL)?;
    Ok(Some(keeper.as_raw_nonzero().get().unsigned_abs()))
}

/// Kills the keeper in this folder, and with it the agent; gives its process, or none if there was no keeper.
#[cfg(not(target_os = "linux"))]
pub fn kill(folder: &Path) -> io::Result<Option<u32>> {
    let Some(keeper) = Folder::new(folder).owner()? else { return Ok(None) };
    rustix::process::kill_process(keeper, Signal::KILL)?;
    Ok(Some(keeper.as_raw_nonzero().get().unsigned_abs()))
}
