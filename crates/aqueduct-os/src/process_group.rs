//! A child that leads a process group, which ends with it.

use std::io;
use std::process::ExitStatus;

use rustix::process::kill_process_group;
use tokio::process::Child;

use crate::platform::process_handle::ChildEnd;
use crate::process::{Pid, Signal, pid};

/// A child that was started with `process_group(0)`. When it has ended, what it left in its group is killed; dropped, it
/// takes its group with it.
///
/// The group is signalled only as long as its leader has not been reaped: after that, its number may be another's.
#[derive(Debug)]
pub struct GroupChild {
    child: Child,
    group: Option<Pid>,
    /// Where it is none, the child's end is known only when the child is reaped.
    end: Option<ChildEnd>,
}

impl GroupChild {
    /// Takes a child that leads a group. Call it in a runtime.
    pub fn new(child: Child) -> Self {
        let group = child.id().and_then(pid);
        GroupChild { child, group, end: group.and_then(ChildEnd::watch) }
    }

    /// The child, for its streams.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Its number, until it has been reaped.
    pub fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits until the child has ended, and kills what it left in its group. May be called again, and dropped before it
    /// is done.
    pub async fn wait(&mut self) -> io::Result<ExitStatus> {
        drop(self.child.stdin.take());
        let Some(end) = &self.end else {
            let group = self.child.id().and(self.group);
            let status = self.child.wait().await;
            // Nothing else is known of the group. Between the two calls its number could be used again.
            if let Some(group) = group {
                signal(group, Signal::KILL);
            }
            return status;
        };
        end.ended().await?;
        self.signal(Signal::KILL);
        self.child.wait().await
    }

    /// Reaps the child if it has ended; how it ended.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }

    /// Sends a signal to the group.
    pub fn signal(&self, kind: Signal) {
        if let Some(group) = self.child.id().and(self.group) {
            signal(group, kind);
        }
    }
}

impl Drop for GroupChild {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

/// Sends a signal to a process group. Its leader must not have been reaped, unless no other process can be
/// found.
pub fn signal(group: Pid, signal: Signal) {
    // A group without a process can't be signalled, and needn't.
    let _ = kill_process_group(group, signal);
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use tokio::io::AsyncReadExt as _;
    use tokio::process::Command;

    use super::GroupChild;

    fn shell(script: &str) -> GroupChild {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::piped()).process_group(0);
        GroupChild::new(command.spawn().unwrap())
    }

    #[tokio::test(flavor = "current_thread")]
    async fn what_a_child_leaves_in_its_group_ends_with_it() {
        let mut group = shell("sleep 60 & exit 3");
        let mut output = group.child().stdout.take().unwrap();
        assert_eq!(group.wait().await.unwrap().code(), Some(3));
        assert_eq!(group.wait().await.unwrap().code(), Some(3));
        // The pipe ends when no process holds it any more.
        output.read_to_end(&mut Vec::new()).await.unwrap();
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_dropped_child_takes_its_group_with_it() {
        let mut group = shell("sleep 60 & wait");
        let mut output = group.child().stdout.take().unwrap();
        drop(group);
        output.read_to_end(&mut Vec::new()).await.unwrap();
    }
}
