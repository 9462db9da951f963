//! The processes of a round, found by a variable in their environment.

use std::fs;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// The variable. Whatever the bridge starts inherits it.
pub(crate) const MARK: &str = "AQUEDUCT_CRASH_ROUND";

/// How much of a command line is shown.
const SHOWN: usize = 160;

/// The keepers and agents of one bridge.
#[derive(Debug, Clone)]
pub(crate) struct Processes {
    mark: String,
    keepers: PathBuf,
}

/// The processes of one session.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pair {
    pub(crate) keeper: Option<Pid>,
    pub(crate) agent: Option<Pid>,
}

impl Processes {
    pub(crate) fn new(mark: &str, data: &Path) -> Processes {
        Processes { mark: format!("{MARK}={mark}"), keepers: data.join("keepers") }
    }

    /// The keeper and the agent that run for a session now. An agent is known by the session in its command line, its
    /// keeper by the file that names both.
    pub(crate) fn of_session(&self, session: &str) -> Pair {
        let mut found = Pair::default();
        for folder in fs::read_dir(&self.keepers).into_iter().flatten().flatten() {
            let card = fs::read(folder.path().join("keeper.json")).unwrap_or_default();
            let card: Value = serde_json::from_slice(&card).unwrap_or_default();
            let running = |member: &str| pid(&card[member]).filter(|pid| self.is_ours(*pid));
            let (keeper, agent) = (running("keeper"), running("agent"));
            if agent.is_some_and(|agent| command_line(agent).contains(session)) {
                found = Pair { keeper: keeper.or(found.keeper), agent: agent.or(found.agent) };
            }
        }
        found
    }

    /// A keeper without an agent: its agent is gone, or it has not started one yet.
    pub(crate) fn lone_keeper(&self) -> Option<Pid> {
        let mut busy = Vec::new();
        for folder in fs::read_dir(&self.keepers).into_iter().flatten().flatten() {
            let card = fs::read(folder.path().join("keeper.json")).unwrap_or_default();
            let card: Value = serde_json::from_slice(&card).unwrap_or_default();
            if pid(&card["agent"]).is_some_and(|agent| self.is_ours(agent)) {
                busy.extend(pid(&card["keeper"]));
            }
        }
        let keepers = self.all().into_iter().filter(|(_, command)| command.ends_with(" keeper"));
        keepers.map(|(pid, _)| pid).find(|pid| !busy.contains(pid))
    }

    /// Whether a process belongs to this round and is not dead.
    pub(crate) fn is_ours(&self, pid: Pid) -> bool {
        let environment = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|pair| pair == self.mark.as_bytes())
    }

    /// All processes of this round with their command lines.
    pub(crate) fn all(&self) -> Vec<(Pid, String)> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?));
        pids.filter(|pid| self.is_ours(*pid)).map(|pid| (pid, command_line(pid))).collect()
    }

    /// Sends a signal to a process of this round. Returns whether it was there to receive it.
    pub(crate) fn signal(&self, pid: Pid, signal: Signal) -> bool {
        self.is_ours(pid) && kill_process(pid, signal).is_ok()
    }

    /// Ends everything of this round.
    pub(crate) fn kill_all(&self) {
        for (pid, _) in self.all() {
            self.signal(pid, Signal::KILL);
        }
    }
}

fn pid(value: &Value) -> Option<Pid> {
    Pid::from_raw(i32::try_from(value.as_i64()?).ok()?)
}

fn command_line(pid: Pid) -> String {
    let bytes = fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero())).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ").trim_end().to_owned()
}

/// A command line, cut for a report.
pub(crate) fn shortened(command: &str) -> String {
    command.chars().take(SHOWN).collect()
}
