//! Commands that run in the background, and what commands left running.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aqueduct_os::guard::CommandEnd;
use aqueduct_os::mutex::lock;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::job::{JobEnd, RunningCommand, inspect};
use super::task::BackgroundCommand;
use crate::notice::{BackgroundCommandState, Notice, TaskLabel};

/// How many commands may run in the background at a time.
pub(crate) const MAX_RUNNING: usize = 150;
/// How many commands that have ended are remembered, for calls that ask for their output.
const MAX_ENDED: usize = 150;

/// Commands that run in the background, and what commands left running. All of it ends with this.
#[derive(Debug, Default)]
pub struct Background {
    /// In the order in which they began.
    tasks: Mutex<Vec<Arc<BackgroundCommand>>>,
    work: Mutex<JoinSet<()>>,
    /// Ends all of it.
    over: CancellationToken,
}

impl Background {
    /// The task of this name.
    pub fn find(&self, id: &str) -> Option<Arc<BackgroundCommand>> {
        lock(&self.tasks).iter().find(|task| task.label.id == id).cloned()
    }

    /// The tasks that run, oldest first.
    pub fn running(&self) -> Vec<Arc<BackgroundCommand>> {
        lock(&self.tasks)
            .iter()
            .filter(|task| task.state() == BackgroundCommandState::Running)
            .cloned()
            .collect()
    }

    /// Whether one more may run.
    pub(crate) fn has_room(&self) -> bool {
        self.running().len() < MAX_RUNNING
    }

    /// The commands of a subagent that run.
    pub fn running_of(&self, subagent: &str) -> Vec<Arc<BackgroundCommand>> {
        let mut tasks = self.running();
        tasks.retain(|task| task.label.owner.as_deref() == Some(subagent));
        tasks
    }

    /// A task that begins.
    pub fn begin(&self, label: TaskLabel, command: String, output: PathBuf) -> Arc<BackgroundCommand> {
        let task = Arc::new(BackgroundCommand::new(label, command, output, self.over.child_token()));
        let mut tasks = lock(&self.tasks);
        tasks.push(Arc::clone(&task));
        let ended = tasks.iter().filter(|task| task.state() != BackgroundCommandState::Running).count();
        let mut surplus = ended.saturating_sub(MAX_ENDED);
        tasks.retain(|task| {
            let forget = surplus > 0 && task.state() != BackgroundCommandState::Running;
            surplus -= usize::from(forget);
            !forget
        });
        task
    }

    /// Takes over a task's command. It ends after `time` at the latest.
    pub(crate) fn adopt(
        &self,
        task: Arc<BackgroundCommand>,
        job: RunningCommand,
        time: Option<Duration>,
        notices: mpsc::Sender<Notice>,
    ) {
        self.spawn(attend(task, job, time, notices, self.over.clone()));
    }

    /// Stays with what a command left running.
    pub fn outlive(&self, job: RunningCommand, notices: mpsc::Sender<Notice>) {
        self.spawn(outlive(job, notices, self.over.clone()));
    }

    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut set = lock(&self.work);
        while set.try_join_next().is_some() {}
        set.spawn(work);
    }

    /// Ends every task and what commands left running; returns when all of it is gone. Nothing can run in
    /// the background after that.
    pub async fn end(&self) {
        self.over.cancel();
        let mut work = std::mem::take(&mut *lock(&self.work));
        while work.join_next().await.is_some() {}
    }
}

/// Waits until a command in the background has ended, and reports that.
async fn attend(
    task: Arc<BackgroundCommand>,
    mut job: RunningCommand,
    time: Option<Duration>,
    notices: mpsc::Sender<Notice>,
    over: CancellationToken,
) {
    let late = async {
        match time {
            Some(time) => tokio::time::sleep(time).await,
            None => std::future::pending().await,
        }
    };
    let end = tokio::select! {
        biased;
        () = task.stop.cancelled() => None,
        () = late => None,
        end = job.ended() => Some(end),
    };
    let state = match end {
        Some(JobEnd::Ended(CommandEnd::Exited(code))) => BackgroundCommandState::Exited(code),
        Some(JobEnd::Ended(CommandEnd::Signalled(signal))) => {
            BackgroundCommandState::Failed(format!("ended by signal {signal}"))
        }
        Some(JobEnd::Lost(lost)) => BackgroundCommandState::Failed(lost.to_string()),
        Some(JobEnd::Flooded) => {
            job.stop().await;
            BackgroundCommandState::Failed("it printed too much output and was terminated".into())
        }
        None => {
            job.stop().await;
            BackgroundCommandState::Stopped
        }
    };
    let reports = job.inspect().await;
    task.state.send_replace(state);
    let notice = Notice::TaskEnded(task.report(&reports));
    report(reports, &notices, &over).await;
    tokio::select! {
        // Without a listener the conversation is over.
        _ = notices.send(notice) => {}
        // At shutdown the notices may have no receiver.
        () = over.cancelled() => {}
    }
    outlive(job, notices, over).await;
}

/// Stays with what a command left running, and checks what that left when it has ended. When everything ends, the
/// session checks.
async fn outlive(job: RunningCommand, notices: mpsc::Sender<Notice>, over: CancellationToken) {
    let watch = job.stay.watch();
    // A listener waits for the end of all senders, so none is kept for longer than it is needed.
    let notices = watch.is_some().then_some(notices);
    job.outlive(over.clone()).await;
    if let Some((watch, notices)) = watch.zip(notices).filter(|_| !over.is_cancelled()) {
        report(inspect(watch).await, &notices, &over).await;
    }
}

/// Reports to the user what commands in the sandbox left.
async fn report(reports: Vec<String>, notices: &mpsc::Sender<Notice>, over: &CancellationToken) {
    for text in reports {
        tokio::select! {
            _ = notices.send(Notice::SandboxReport(text)) => {}
            () = over.cancelled() => return,
        }
    }
}
