//! Processes of an agent that has ended, identified by a mark in their environment.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// The variable. Whatever an agent starts inherits it.
pub(super) const MARK: &str = "AQUEDUCT_KILL_TEST";

/// How long a process may take to notice that its agent was killed.
const GRACE: Duration = Duration::from_secs(3);

/// How much of a command line is shown.
const SHORT: usize = 60;

/// Waits until none is left, and returns the command lines of those that stay.
pub(super) fn wait_for_none(mark: &str) -> Vec<String> {
    let deadline = Instant::now() + GRACE;
    loop {
        let left = find(mark);
        if left.is_empty() || Instant::now() > deadline {
            return left.into_iter().map(|(_, command)| command).collect();
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// How many processes an agent has started that run now. The recorder and the agent have the mark too.
pub(super) fn running(mark: &str) -> usize {
    find(mark).len().saturating_sub(2)
}

/// Ends what is left, so that one failure is not seen again in the next round.
pub(super) fn kill(mark: &str) {
    for (pid, _) in find(mark) {
        // It may have ended by itself meanwhile.
        let _ = kill_process(pid, Signal::KILL);
    }
}

fn find(mark: &str) -> Vec<(Pid, String)> {
    let wanted = format!("{MARK}={mark}");
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|process| {
            let pid = Pid::from_raw(process.file_name().to_str()?.parse().ok()?)?;
            let environment = fs::read(process.path().join("environ")).ok()?;
            let has_mark = environment.split(|byte| *byte == 0).any(|pair| pair == wanted.as_bytes());
            let command = fs::read(process.path().join("cmdline")).ok()?;
            let command = String::from_utf8_lossy(&command).replace('\0', " ");
            let command = command.trim_end().chars().take(SHORT).collect();
            has_mark.then_some((pid, command))
        })
        .collect()
}
