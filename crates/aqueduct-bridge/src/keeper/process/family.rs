//! The agent and everyone who descends from it.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// Sends a signal to everyone under this process.
///
/// The keeper adopts those who lose their parent, so everyone who descends from the agent is under the keeper,
/// whatever sessions and forks lie between. Elsewhere than on Linux this is the agent's process group only.
///
/// The group is hit at once, so that nobody in it can fork meanwhile. It is the agent's only as long as the
/// agent has not been waited for; after that its number may be someone else's.
pub(super) fn signal(group: Option<Pid>, signal: Signal) {
    // Who is gone by now needs no signal, and who may not be signalled can't be helped.
    if let Some(group) = group {
        let _ = kill_process_group(group, signal);
    }
    for pid in descendants() {
        let _ = kill_process(pid, signal);
    }
}

/// Everyone under this process, at this moment, the dead not counted.
#[cfg(target_os = "linux")]
pub(super) fn descendants() -> Vec<Pid> {
    let processes = processes();
    let mut family = vec![rustix::process::getpid().as_raw_nonzero().get()];
    let mut next = 0;
    while let Some(&parent) = family.get(next) {
        next += 1;
        family.extend(processes.iter().filter(|(_, of)| *of == parent).map(|(pid, _)| *pid));
    }
    family.into_iter().skip(1).filter_map(Pid::from_raw).collect()
}

/// Nobody can be found where there is no table of processes.
#[cfg(not(target_os = "linux"))]
pub(super) fn descendants() -> Vec<Pid> {
    Vec::new()
}

/// All processes that are not dead, with their parents. Who ends meanwhile is left out.
#[cfg(target_os = "linux")]
fn processes() -> Vec<(i32, i32)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten();
    entries
        .filter_map(|entry| {
            let pid = entry.ok()?.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
            Some((pid, parent(&stat)?))
        })
        .collect()
}

/// The parent of a process, from its `stat` file; none if it is dead. The name in it may hold anything, spaces
/// and parentheses too, but it ends at the last `)`.
#[cfg(target_os = "linux")]
fn parent(stat: &[u8]) -> Option<i32> {
    let end = memchr::memrchr(b')', stat)?;
    let rest = std::str::from_utf8(&stat[end + 1..]).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X" | "x") {
        return None;
    }
    fields.next()?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::parent;

    #[test]
    fn a_process_name_may_look_like_what_follows_it() {
        assert_eq!(parent(b"7 (a) Z 1 (b) S 42 7 9 0 -1 4194304 1 0"), Some(42));
    }

    #[test]
    fn the_dead_have_no_parent() {
        assert_eq!(parent(b"7 (sh) Z 42 7 9 0 -1"), None);
        assert_eq!(parent(b"7 (sh"), None);
        assert_eq!(parent(b""), None);
    }
}
