//! All processes below this one, and their end.
//!
//! Where this process adopts orphans ([`process::adopt_orphans`](crate::process::adopt_orphans)), everyone who descends
//! from what it started is below it, whatever sessions and forks are between. Elsewhere the command's process group is all
//! that can be found.

use std::collections::HashSet;
use std::thread;
use std::time::Duration;

use rustix::process::{kill_process_group, test_kill_process_group};

use crate::process::{ADOPTS_ORPHANS, Pid, Signal};
use crate::process_handle::ProcessHandle;
use crate::process_table::{ProcessTable, Stat};

/// How long to wait before looking again at processes that were killed and are not gone yet.
const FIRST_LOOK: Duration = Duration::from_millis(1);
/// The same, at most: a process in the middle of a slow system call may take its time.
const LAST_LOOK: Duration = Duration::from_millis(100);

/// Sends a signal to everyone below this process and to a process group; who was there.
///
/// The group is signalled first and at once, so that no process in it can fork meanwhile. Pass it only as
/// long as its leader has not been reaped, or where no other process can be found.
pub fn signal(group: Option<Pid>, signal: Signal) -> Vec<Pid> {
    // Who is gone by now needs no signal, and who may not be signalled can't be helped.
    let has_group = group.is_some_and(|group| kill_process_group(group, signal).is_ok());
    let Some(table) = ProcessTable::of_system().filter(|_| ADOPTS_ORPHANS) else {
        return group.into_iter().filter(|_| has_group).collect();
    };
    let found = below(std::process::id().cast_signed(), &table.stats());
    for stat in &found {
        let Some(pid) = Pid::from_raw(stat.pid) else { continue };
        let is_same = || table.stat(stat.pid).is_some_and(|now| now.start == stat.start);
        if let Ok(Some(process)) = ProcessHandle::open_if(pid, is_same) {
            let _ = process.signal(signal);
        }
    }
    found.iter().filter_map(|stat| Pid::from_raw(stat.pid)).collect()
}

/// How many processes are below this one; none where they can't be found.
pub fn count() -> usize {
    let table = ProcessTable::of_system().filter(|_| ADOPTS_ORPHANS);
    table.map_or(0, |table| below(std::process::id().cast_signed(), &table.stats()).len())
}

/// Whether a process may be left when no child is left. Adopted orphans are children.
pub fn may_be_left(group: Option<Pid>) -> bool {
    !ADOPTS_ORPHANS && group.is_some_and(|group| test_kill_process_group(group).is_ok())
}

/// Kills every process below this one, repeatedly until none is left. `reap` reaps children that have ended,
/// and returns the group that may still be signalled.
pub fn kill_all(mut group: Option<Pid>, mut reap: impl FnMut() -> Option<Pid>) {
    let mut killed = HashSet::new();
    let mut pause = FIRST_LOOK;
    loop {
        let found = signal(group, Signal::KILL);
        group = reap();
        if found.is_empty() {
            return;
        }
        let mut new = false;
        for pid in found {
            new |= killed.insert(pid);
        }
        // Who was killed now may have left children; those are looked for at once. Who was killed before and is still
        // there is about to end.
        if !new {
            thread::sleep(pause);
            pause = (pause * 2).min(LAST_LOOK);
        }
    }
}

/// Everyone below a process, in the order of generations.
fn below(top: i32, processes: &[Stat]) -> Vec<Stat> {
    let mut family: Vec<Stat> = Vec::new();
    let mut parents = vec![top];
    while let Some(parent) = parents.pop() {
        for stat in processes.iter().filter(|stat| stat.parent == parent) {
            parents.push(stat.pid);
            family.push(stat.clone());
        }
    }
    family
}

#[cfg(test)]
mod tests {
    use super::below;
    use crate::process_table::Stat;

    #[test]
    fn descendants_of_all_generations_are_found_and_no_other() {
        let line =
            |pid: i32, parent: i32| format!("{pid} (p) S {parent} 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 7 0");
        let pairs = [(2, 1), (3, 2), (4, 3), (5, 1), (6, 9)];
        let table: Vec<Stat> = pairs
            .iter()
            .map(|(pid, parent)| Stat::parse(*pid, line(*pid, *parent).as_bytes()).unwrap())
            .collect();
        let mut found: Vec<i32> = below(2, &table).iter().map(|stat| stat.pid).collect();
        found.sort_unstable();
        assert_eq!(found, [3, 4]);
    }
}
