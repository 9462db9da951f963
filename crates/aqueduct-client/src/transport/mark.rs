use std::ffi::OsString;

use uuid::Uuid;

/// The variable that all processes of a session carry.
const VARIABLE: &str = "AQUEDUCT_SESSION_MARK";

/// How often processes are looked for. One may fork while it is being looked for, so looking ends when nobody
/// is found; the bound is for processes that the kernel does not let go.
#[cfg(target_os = "linux")]
const ROUNDS: usize = 50;

/// A word in the environment of an agent, by which all that it started is found again: also what has left its
/// process group, and what was left behind by its parent.
#[derive(Debug, Clone)]
pub(super) struct Mark(String);

impl Mark {
    pub(super) fn new() -> Self {
        Mark(Uuid::new_v4().simple().to_string())
    }

    /// The variable and its value.
    pub(super) fn variable(&self) -> (OsString, OsString) {
        (VARIABLE.into(), self.0.clone().into())
    }

    /// The variable as it stands in an environment.
    pub(super) fn entry(&self) -> String {
        format!("{VARIABLE}={}", self.0)
    }

    /// Kills whoever carries the mark.
    #[cfg(target_os = "linux")]
    pub(super) fn sweep(&self) {
        use rustix::process::{Signal, kill_process};

        for _ in 0..ROUNDS {
            let found = self.carriers();
            if found.is_empty() {
                return;
            }
            for pid in found {
                // Who is gone by now needs no signal.
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }

    /// Without a table of processes there is only the process group, which has been ended.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn sweep(&self) {}

    /// Processes that carry the mark. One that is dead has no environment any more.
    #[cfg(target_os = "linux")]
    fn carriers(&self) -> Vec<rustix::process::Pid> {
        let entry = self.entry();
        let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
        processes
            .filter_map(|process| {
                let pid: i32 = process.ok()?.file_name().to_str()?.parse().ok()?;
                let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
                let carries =
                    environment.split(|byte| *byte == 0).any(|variable| variable == entry.as_bytes());
                rustix::process::Pid::from_raw(pid).filter(|_| carries)
            })
            .collect()
    }
}
