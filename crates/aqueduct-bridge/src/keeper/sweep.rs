//! Ending what is left of an agent whose keeper was killed.

#[cfg(target_os = "linux")]
pub(super) use linux::sweep;

/// Nobody can be found where there is no table of processes.
#[cfg(not(target_os = "linux"))]
pub(super) fn sweep(_mark: &str) -> usize {
    0
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashSet;
    use std::thread;
    use std::time::Duration;

    use rustix::process::{Pid, PidfdFlags, Signal, getpid, pidfd_open, pidfd_send_signal};

    use crate::keeper::MARK;

    /// How often to look. A process may fork while it is looked for, so a look counts only if it finds nobody;
    /// but one that the kernel does not let go is not waited for.
    const LOOKS: usize = 64;
    /// How long to wait before looking again.
    const PAUSE: Duration = Duration::from_millis(5);

    /// Kills everyone who bears the mark; says how many there were.
    pub(in crate::keeper) fn sweep(mark: &str) -> usize {
        let entry = format!("{MARK}={mark}").into_bytes();
        let mut killed = HashSet::new();
        for look in 0..LOOKS {
            if look > 0 {
                thread::sleep(PAUSE);
            }
            let found = bearers(&entry);
            if found.is_empty() {
                break;
            }
            killed.extend(found.into_iter().filter(|pid| kill(*pid, &entry)));
        }
        killed.len()
    }

    fn bearers(entry: &[u8]) -> Vec<Pid> {
        let entries = std::fs::read_dir("/proc").into_iter().flatten();
        entries
            .filter_map(|process| Pid::from_raw(process.ok()?.file_name().to_str()?.parse().ok()?))
            .filter(|pid| *pid != getpid() && bears(*pid, entry))
            .collect()
    }

    /// Whether a process has this in its environment. Nobody else's can be read, and a dead one has none.
    fn bears(pid: Pid, entry: &[u8]) -> bool {
        std::fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero()))
            .is_ok_and(|variables| variables.split(|byte| *byte == 0).any(|variable| variable == entry))
    }

    /// Kills a process that bears the mark. Its number may be another one's by now: a handle on it can't.
    fn kill(pid: Pid, entry: &[u8]) -> bool {
        pidfd_open(pid, PidfdFlags::empty())
            .is_ok_and(|process| bears(pid, entry) && pidfd_send_signal(process, Signal::KILL).is_ok())
    }
}
