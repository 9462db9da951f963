use std::io;
use std::process::Stdio;
use std::time::Duration;

use aqueduct_os::marked::SWEEP_SCRIPT;
use aqueduct_os::stdio;
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, Command};

use super::mark::ProcessMark;

/// What the watcher does: it learns which group to watch, and ends that group and all that carries the mark
/// when its input ends without a word. The input is held by this process alone, so it ends when this process
/// does, however it dies.
const SCRIPT: &str = r#"
read -r group || exit 0
[ "$group" = done ] && exit 0
read -r word
[ "$word" = done ] && exit 0
kill -s TERM -- "-$group"
sleep 2
kill -s KILL -- "-$group"
"#;

/// How long a watcher may take to exit on request.
const DISMISS_TIME: Duration = Duration::from_secs(1);

/// A shell that ends a process group when this process is gone.
///
/// A death signal would be tied to the thread that started the agent, and threads of a runtime come and go; a
/// guard inside this process would die with it. A pipe that only this process holds has neither problem.
#[derive(Debug)]
pub(super) struct GroupWatcher {
    child: Child,
    lifeline: Option<ChildStdin>,
}

impl GroupWatcher {
    pub(super) fn start(mark: &ProcessMark) -> io::Result<Self> {
        let mut child = Command::new("/bin/sh")
            .args(["-c", &[SCRIPT, SWEEP_SCRIPT].concat(), "watcher", &mark.entry()])
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let lifeline = child.stdin.take();
        Ok(GroupWatcher { child, lifeline })
    }

    /// Sends the group to end. A pipe that was just made takes a few bytes at once.
    pub(super) fn watch(&mut self, group: u32) {
        if let Some(lifeline) = &self.lifeline {
            write_now(lifeline, format!("{group}\n").as_bytes());
        }
    }

    /// Reports that the group has ended, and waits for the watcher's own end.
    pub(super) async fn dismiss(mut self) {
        if let Some(mut lifeline) = self.lifeline.take() {
            // A watcher that does not read has ended already.
            let _ = lifeline.write_all(b"done\n").await;
        }
        if tokio::time::timeout(DISMISS_TIME, self.child.wait()).await.is_err() {
            // It was stopped. Nothing is left for it to do.
            let _ = self.child.kill().await;
        }
    }

    /// Ends it without a word, once there is nothing left to watch.
    pub(super) fn kill(&mut self) {
        // One that has ended already can't be ended.
        let _ = self.child.start_kill();
    }

    /// Whether it has ended.
    pub(super) fn is_gone(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }
}

impl Drop for GroupWatcher {
    /// A dropped watcher's group has ended; only a death of this process leaves the word unsaid.
    fn drop(&mut self) {
        if let Some(lifeline) = &self.lifeline {
            write_now(lifeline, b"done\n");
        }
    }
}

/// Writes a few bytes without waiting.
fn write_now(lifeline: &ChildStdin, bytes: &[u8]) {
    // The pipe is empty and has room for pages; a watcher that has ended can't be notified.
    let _ = stdio::write_now(lifeline, bytes);
}
