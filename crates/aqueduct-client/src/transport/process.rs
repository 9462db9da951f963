use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

use aqueduct_os::process::Signal;
use aqueduct_os::process_group::GroupChild;

use super::mark::ProcessMark;
use super::stderr::StderrTail;
use super::watcher::GroupWatcher;
use crate::{Exit, ExitStatus};

/// How long the last words on stderr are waited for once the process is gone.
const STDERR_PATIENCE: Duration = Duration::from_millis(500);

/// How long a process that was killed may take to end, where no other task waits for it.
const REAP_TIME: Duration = Duration::from_secs(1);

/// How often that is looked at.
const REAP_STEP: Duration = Duration::from_millis(1);

/// A process that was started, with all that belongs to it. Dropped, it takes its group with it.
#[derive(Debug)]
pub(crate) struct StartedProcess {
    child: GroupChild,
    mark: ProcessMark,
    watcher: Option<GroupWatcher>,
    stderr: Option<StderrTail>,
}

impl StartedProcess {
    pub(super) fn new(
        child: GroupChild,
        mark: ProcessMark,
        watcher: GroupWatcher,
        stderr: StderrTail,
    ) -> Self {
        StartedProcess { child, mark, watcher: Some(watcher), stderr: Some(stderr) }
    }

    pub(crate) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits until the process has ended. May be called again, and dropped before it is done.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        // What it started and left behind goes too.
        match self.child.wait().await {
            Ok(status) => match (status.code(), status.signal()) {
                (Some(code), _) => ExitStatus::Code(code),
                (None, Some(signal)) => ExitStatus::Signal(signal),
                (None, None) => ExitStatus::Disconnected,
            },
            Err(_) => ExitStatus::Disconnected,
        }
    }

    pub(crate) fn terminate(&self) {
        self.child.signal(Signal::TERM);
    }

    pub(crate) fn kill(&self) {
        self.child.signal(Signal::KILL);
    }

    /// Cleans up what is left once the process has ended.
    pub(crate) async fn into_exit(mut self, status: ExitStatus) -> Exit {
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

impl Drop for StartedProcess {
    /// Only a runtime that is shut down leaves a process unreaped, and then no other task waits for what
    /// was killed. It takes milliseconds.
    fn drop(&mut self) {
        let Some(watcher) = &mut self.watcher else { return };
        self.child.signal(Signal::KILL);
        self.mark.sweep();
        watcher.kill();
        let began = Instant::now();
        while !(self.child.try_wait().is_ok_and(|status| status.is_some()) && watcher.is_gone()) {
            if began.elapsed() > REAP_TIME {
                return;
            }
            std::thread::sleep(REAP_STEP);
        }
    }
}
