use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;

use super::mark::Mark;
use super::stderr::LastWords;
use super::watcher::Watcher;
use crate::{Exit, ExitStatus};

/// How long the last words on stderr are waited for once the process is gone.
const STDERR_PATIENCE: Duration = Duration::from_millis(500);

/// A process that was started, with all that belongs to it. Dropped, it takes its group with it.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    group: Group,
    mark: Mark,
    watcher: Option<Watcher>,
    stderr: Option<LastWords>,
}

/// A process group, which ends with this value.
#[derive(Debug)]
struct Group(Option<Pid>);

impl Group {
    fn signal(&self, signal: Signal) {
        if let Some(group) = self.0 {
            // A group without a process can't be signalled, and needn't.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

impl Process {
    pub(super) fn new(child: Child, id: u32, mark: Mark, watcher: Watcher, stderr: LastWords) -> Self {
        let group = Group(i32::try_from(id).ok().and_then(Pid::from_raw));
        Process { child, group, mark, watcher: Some(watcher), stderr: Some(stderr) }
    }

    pub(crate) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits until the process has ended. May be called again, and dropped before it is done.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        let status = self.child.wait().await;
        // What it started and left behind goes too.
        self.group.signal(Signal::KILL);
        match status {
            Ok(status) => match (status.code(), status.signal()) {
                (Some(code), _) => ExitStatus::Code(code),
                (None, Some(signal)) => ExitStatus::Signal(signal),
                (None, None) => ExitStatus::Disconnected,
            },
            Err(_) => ExitStatus::Disconnected,
        }
    }

    pub(crate) fn terminate(&self) {
        self.group.signal(Signal::TERM);
    }

    pub(crate) fn kill(&self) {
        self.group.signal(Signal::KILL);
    }

    /// Lets go of what is left once the process has ended.
    pub(crate) async fn bury(mut self, status: ExitStatus) -> Exit {
        self.group.0 = None;
        let mark = self.mark.clone();
        // Looking through all processes takes a few milliseconds; others must not wait for it.
        let _ = tokio::task::spawn_blocking(move || mark.sweep()).await;
        let stderr = match self.stderr.take() {
            Some(stderr) => stderr.finish(STDERR_PATIENCE).await,
            None => Vec::new(),
        };
        if let Some(watcher) = self.watcher.take() {
            watcher.dismiss().await;
        }
        Exit::new(status, stderr)
    }
}
