//! Ending processes: a request, time to follow it, and a kill.

use std::collections::HashSet;
use std::io;
use std::time::Duration;

use anyhow::bail;
use aqueduct_os::process::{Pid, Signal};
use aqueduct_os::process_handle::ProcessHandle;

use super::search::ProcessSearch;
use super::target::{StopTarget, TargetKind};
use crate::explained::advice;

/// How long a process may take to end that was killed.
const KILLED: Duration = Duration::from_secs(5);
/// How often to look for processes of one kind: some may start others while they end. A service that is started again
/// and again is not waited for.
const ROUNDS: usize = 16;

/// What became of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StopOutcome {
    /// It was only listed.
    Running,
    /// It ended when it was asked to.
    Ended,
    /// It was killed, since it had not ended in time.
    Killed,
    /// It still runs.
    Failed(String),
}

/// A process that was found, and the handle that signals go through.
struct TargetHandle {
    target: StopTarget,
    process: ProcessHandle,
}

/// Ends all processes of these kinds, each kind before the next.
pub(super) fn end(
    search: &mut ProcessSearch,
    kinds: &[TargetKind],
    timeout: Duration,
) -> anyhow::Result<Vec<(StopTarget, StopOutcome)>> {
    let mut outcomes = Vec::new();
    let mut failed = HashSet::new();
    for kind in kinds {
        for _ in 0..ROUNDS {
            let mut found = search.look()?;
            found.retain(|target| target.kind == *kind && !failed.contains(&target.pid));
            if found.is_empty() {
                break;
            }
            let ended = end_all(open(search, found)?, timeout)?;
            failed
                .extend(ended.iter().filter(|(_, outcome)| is_failed(outcome)).map(|(target, _)| target.pid));
            outcomes.extend(ended);
        }
    }
    let again = "it was started while others ended; stop the service that starts it";
    let left = search.look()?.into_iter();
    let left = left.filter(|target| kinds.contains(&target.kind) && !failed.contains(&target.pid));
    outcomes.extend(left.map(|target| (target, StopOutcome::Failed(again.to_owned()))));
    Ok(outcomes)
}

fn is_failed(outcome: &StopOutcome) -> bool {
    matches!(outcome, StopOutcome::Failed(_))
}

/// Handles on the processes that are still what was found.
fn open(search: &ProcessSearch, targets: Vec<StopTarget>) -> anyhow::Result<Vec<TargetHandle>> {
    let mut handles = Vec::new();
    for target in targets {
        let Some(pid) = Pid::from_raw(target.pid) else { continue };
        match ProcessHandle::open_if(pid, || search.confirms(&target)) {
            Ok(Some(process)) => handles.push(TargetHandle { target, process }),
            Ok(None) => {}
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                bail!(advice("this kernel has no pidfd", "aqueduct stop needs Linux 5.3 or newer"))
            }
            Err(error) => bail!("can't open the process {}: {error}", target.pid),
        }
    }
    Ok(handles)
}

/// Asks all of them to end, and kills those that have not ended in time.
fn end_all(handles: Vec<TargetHandle>, timeout: Duration) -> anyhow::Result<Vec<(StopTarget, StopOutcome)>> {
    let mut outcomes = Vec::new();
    let mut running = Vec::new();
    for handle in handles {
        match handle.process.signal(Signal::TERM) {
            // A stopped process receives the request when it continues.
            Ok(()) => {
                let _ = handle.process.signal(Signal::CONT);
                running.push(handle);
            }
            Err(error) => outcomes.push((handle.target, StopOutcome::Failed(error.to_string()))),
        }
    }
    let (ended, running) = wait(running, timeout)?;
    outcomes.extend(ended.into_iter().map(|handle| (handle.target, StopOutcome::Ended)));
    for handle in &running {
        // It answered to the request before; a process that has ended since needs no kill.
        let _ = handle.process.signal(Signal::KILL);
    }
    let (killed, running) = wait(running, KILLED)?;
    outcomes.extend(killed.into_iter().map(|handle| (handle.target, StopOutcome::Killed)));
    let stuck = "the system does not end it, as when it waits for a disk that does not answer";
    outcomes.extend(running.into_iter().map(|handle| (handle.target, StopOutcome::Failed(stuck.to_owned()))));
    Ok(outcomes)
}

/// Waits until all have ended or the time is over. Returns those that have ended, and the others.
fn wait(
    running: Vec<TargetHandle>,
    timeout: Duration,
) -> anyhow::Result<(Vec<TargetHandle>, Vec<TargetHandle>)> {
    let processes: Vec<&ProcessHandle> = running.iter().map(|handle| &handle.process).collect();
    let ended = match ProcessHandle::wait_for_all(&processes, timeout) {
        Ok(ended) => ended,
        Err(error) => bail!("can't wait for processes to end: {error}"),
    };
    let mut has_ended = ended.into_iter();
    Ok(running.into_iter().partition(|_| has_ended.next().unwrap_or(false)))
}
