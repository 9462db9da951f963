//! Processes that have a variable in their environment.
//!
//! What an agent or a keeper starts inherits a variable with a value of its own, the mark. By it everyone is found who left
//! the process group, or whose parent is gone.

use std::collections::HashSet;
use std::thread;
use std::time::Duration;

use crate::platform;
use crate::process::{Pid, Signal};
use crate::process_handle::ProcessHandle;
use crate::process_table::{ProcessTable, Stat};

/// How often to look. A process may fork while it is looked for, so a scan counts only if it finds none; but
/// one that the kernel does not end is not waited for.
const LOOKS: usize = 64;
/// How long to wait before looking again.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
/// The same, at most.
const LAST_PAUSE: Duration = Duration::from_millis(20);

/// Shell commands that kill every process with the environment entry `$1`: for a watcher that must be a shell. They do
/// nothing without a process table.
pub const SWEEP_SCRIPT: &str = platform::system::SWEEP_SCRIPT;

/// A session whose leader is gone, or about to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionOf {
    /// This process, which has not been reaped.
    Leader(i32),
    /// The process that had this number and has been reaped. Where a process has the number again, the session is another.
    Reaped(i32),
}

/// Kills every process with this variable in its environment; how many there were. It finds none without a
/// process table.
pub fn kill(variable: &str, value: &str) -> usize {
    sweep(&entry(variable, value), None)
}

/// The same, and every process of a session but its leader.
pub fn kill_with_session(variable: &str, value: &str, session: Option<SessionOf>) -> usize {
    sweep(&entry(variable, value), session)
}

/// A variable as an entry of an environment.
pub fn entry(variable: &str, value: &str) -> Vec<u8> {
    format!("{variable}={value}").into_bytes()
}

fn sweep(entry: &[u8], session: Option<SessionOf>) -> usize {
    let Some(table) = ProcessTable::of_system() else { return 0 };
    let mut killed = HashSet::new();
    let mut pause = FIRST_PAUSE;
    for look in 0..LOOKS {
        if look > 0 {
            thread::sleep(pause);
            pause = (pause * 2).min(LAST_PAUSE);
        }
        let is_meant = |stat: &Stat| belongs(&table, stat, session) || table.has_variable(stat.pid, entry);
        let own = std::process::id().cast_signed();
        let found: Vec<Stat> =
            table.stats().into_iter().filter(|stat| stat.pid != own && is_meant(stat)).collect();
        if found.is_empty() {
            break;
        }
        for stat in found {
            let Some(pid) = Pid::from_raw(stat.pid) else { continue };
            // The number may be another's by now. With the process open, a second look makes sure that it is not.
            let is_same =
                || table.stat(stat.pid).is_some_and(|now| now.start == stat.start && is_meant(&now));
            if let Ok(Some(process)) = ProcessHandle::open_if(pid, is_same)
                && process.signal(Signal::KILL).is_ok()
            {
                killed.insert((stat.pid, stat.start));
            }
        }
    }
    killed.len()
}

fn belongs(table: &ProcessTable, stat: &Stat, session: Option<SessionOf>) -> bool {
    match session {
        Some(SessionOf::Leader(leader)) => stat.session == leader && stat.pid != leader,
        Some(SessionOf::Reaped(leader)) => stat.session == leader && !table.is_used(leader),
        None => false,
    }
}

#[cfg(all(test, target_os = "linux", not(aqueduct_portable)))]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    use super::{kill, kill_with_session};

    #[test]
    fn only_who_has_the_mark_is_killed() {
        let mark = uuid::Uuid::new_v4().to_string();
        let sleeper = |value: &str| Command::new("sleep").arg("60").env("AQUEDUCT_TEST_MARK", value).spawn();
        let (mut marked, mut other) = (sleeper(&mark).unwrap(), sleeper("another").unwrap());
        assert_eq!(kill("AQUEDUCT_TEST_MARK", &mark), 1);
        assert_eq!(marked.wait().unwrap().signal(), Some(9));
        assert!(other.try_wait().unwrap().is_none());
        assert_eq!(kill_with_session("AQUEDUCT_TEST_MARK", &mark, None), 0);
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
