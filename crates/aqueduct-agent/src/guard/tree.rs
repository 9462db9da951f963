//! Processes: who descends from whom, and their end.

use std::collections::HashSet;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};

/// How long to wait before looking again at processes that were killed and are not gone yet.
const FIRST_LOOK: Duration = Duration::from_millis(1);
/// The same, at most: a process in the middle of a slow system call may take its time.
const LAST_LOOK: Duration = Duration::from_millis(100);

/// A line of the process table.
#[cfg(target_os = "linux")]
struct Process {
    pid: i32,
    parent: i32,
    session: i32,
}

/// All processes that are not dead yet, if the system has a table of them. A process that ends meanwhile is
/// left out.
#[cfg(target_os = "linux")]
fn processes() -> Option<Vec<Process>> {
    let folder = std::fs::read_dir("/proc").ok()?;
    let processes: Vec<_> = folder
        .filter_map(|entry| {
            let pid = entry.ok()?.file_name().to_str()?.parse().ok()?;
            parse(pid, &std::fs::read(format!("/proc/{pid}/stat")).ok()?)
        })
        .collect();
    // This process is always there, unless nothing is mounted.
    (!processes.is_empty()).then_some(processes)
}

/// A process from its `stat` file; none if it is dead. The name in it may hold anything, spaces and
/// parentheses too, but it ends at the last `)`.
#[cfg(target_os = "linux")]
fn parse(pid: i32, stat: &[u8]) -> Option<Process> {
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(&stat[end + 1..]).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X" | "x") {
        return None;
    }
    let parent = fields.next()?.parse().ok()?;
    let session = fields.nth(1)?.parse().ok()?;
    Some(Process { pid, parent, session })
}

/// Everyone under this process, at this moment; without a table of processes, the command's group.
fn descendants(group: Option<Pid>) -> Vec<Pid> {
    #[cfg(target_os = "linux")]
    if let Some(processes) = processes() {
        let mut family = vec![rustix::process::getpid().as_raw_nonzero().get()];
        let mut next = 0;
        while let Some(&parent) = family.get(next) {
            next += 1;
            family.extend(
                processes.iter().filter(|process| process.parent == parent).map(|process| process.pid),
            );
        }
        return family.into_iter().skip(1).filter_map(Pid::from_raw).collect();
    }
    group.into_iter().filter(|group| test_kill_process_group(*group).is_ok()).collect()
}

/// Whether someone may be left when there are no children any more. A subreaper's orphans are its children.
pub(super) fn is_left(group: Option<Pid>) -> bool {
    !cfg!(target_os = "linux") && !descendants(group).is_empty()
}

/// Sends a signal to everyone under this process and to the command's group; says who was there.
pub(super) fn signal(group: Option<Pid>, signal: Signal) -> Vec<Pid> {
    let found = descendants(group);
    // Who is gone by now needs no signal, and who may not be signalled can't be helped.
    if let Some(group) = group.filter(|_| !found.is_empty()) {
        let _ = kill_process_group(group, signal);
    }
    for pid in &found {
        let _ = kill_process(*pid, signal);
    }
    found
}

/// Kills everyone under this process, and looks again until nobody is left. `reap` sees to children that
/// have died.
pub(super) fn kill_all(group: Option<Pid>, mut reap: impl FnMut()) {
    let mut killed = HashSet::new();
    let mut pause = FIRST_LOOK;
    loop {
        let found = signal(group, Signal::KILL);
        reap();
        if found.is_empty() {
            return;
        }
        let mut new = false;
        for pid in found {
            new |= killed.insert(pid);
        }
        // Who was killed now may have left children; those are looked for at once. Who was killed before
        // and is still there is on his way.
        if !new {
            thread::sleep(pause);
            pause = (pause * 2).min(LAST_LOOK);
        }
    }
}

/// Kills what a guard left behind that is gone: the command's group, and whoever carries the guard's mark
/// or is of its session.
pub(super) fn sweep(mark: &str, guard: Option<i32>, group: Option<Pid>) {
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let mut pause = FIRST_LOOK;
    // A process may fork while it is being looked for, so a round counts only if it finds nobody. The
    // number of rounds is bounded for the sake of processes that the kernel does not let go.
    for _ in 0..SWEEPS {
        let found = left_by(mark, guard);
        if found.is_empty() {
            return;
        }
        for pid in found {
            let _ = kill_process(pid, Signal::KILL);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(LAST_LOOK);
    }
}

/// How often [`sweep`] looks.
const SWEEPS: usize = 64;

/// Whoever carries the mark of a guard, or is of its session.
#[cfg(target_os = "linux")]
fn left_by(mark: &str, guard: Option<i32>) -> Vec<Pid> {
    let entry = format!("{}={mark}", super::MARK).into_bytes();
    let me = rustix::process::getpid().as_raw_nonzero().get();
    let carries = |pid: i32| {
        std::fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|variables| variables.split(|byte| *byte == 0).any(|variable| variable == entry))
    };
    processes()
        .unwrap_or_default()
        .into_iter()
        .filter(|process| process.pid != me && Some(process.pid) != guard)
        .filter(|process| guard == Some(process.session) || carries(process.pid))
        .filter_map(|process| Pid::from_raw(process.pid))
        .collect()
}

/// Nobody can be found where there is no table of processes.
#[cfg(not(target_os = "linux"))]
fn left_by(_mark: &str, _guard: Option<i32>) -> Vec<Pid> {
    Vec::new()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::parse;

    #[test]
    fn a_process_name_may_look_like_the_fields_after_it() {
        let process = parse(7, b"7 (a) Z 1 (b) S 42 7 9 0 -1 4194304 1 0").expect("a live process");
        assert_eq!((process.pid, process.parent, process.session), (7, 42, 9));
    }

    #[test]
    fn the_dead_are_not_counted() {
        assert!(parse(7, b"7 (sh) Z 42 7 9 0 -1").is_none());
        assert!(parse(7, b"7 (sh").is_none());
        assert!(parse(7, b"").is_none());
    }
}
