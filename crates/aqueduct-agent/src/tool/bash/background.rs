//! Commands that run in the background, and what commands left running.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::input::Request;
use super::job::{End, Job, inspect};
use crate::guard::Ended;
use crate::tool::Notice;

/// How many commands may run in the background at a time.
pub(super) const MAX_RUNNING: usize = 32;
/// How many commands that have ended are remembered, for who asks for their output.
const MAX_ENDED: usize = 64;

/// Where a task is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    /// It runs.
    Running,
    /// It ended with this code.
    Exited(i32),
    /// It was ended because someone asked for that, or its time was over.
    Stopped,
    /// It ended in another way: a signal, too much output, a guard that was killed.
    Failed(String),
}

impl State {
    /// The word for hosts and the model.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            State::Running => "running",
            State::Exited(0) => "completed",
            State::Exited(_) | State::Failed(_) => "failed",
            State::Stopped => "stopped",
        }
    }

    /// The exit code, if it has one.
    pub(crate) fn code(&self) -> Option<i32> {
        match self {
            State::Exited(code) => Some(*code),
            _ => None,
        }
    }
}

/// A command in the background.
#[derive(Debug)]
pub(crate) struct Task {
    /// Its name.
    pub(crate) id: String,
    /// The call that started it.
    pub(crate) tool_use_id: String,
    /// The command.
    pub(crate) command: String,
    /// What it does, for people.
    pub(crate) description: String,
    /// Where its output goes.
    pub(crate) output: PathBuf,
    state: watch::Sender<State>,
    stop: CancellationToken,
}

impl Task {
    /// Where it is now.
    pub(crate) fn state(&self) -> State {
        self.state.borrow().clone()
    }

    /// Waits until it has ended, and says how.
    pub(crate) async fn ended(&self) -> State {
        let mut state = self.state.subscribe();
        // The sender is this task's own, so it can't be gone.
        state.wait_for(|state| *state != State::Running).await.map_or(State::Stopped, |state| state.clone())
    }

    /// Ends it with everything it started; returns when that is done.
    pub(crate) async fn stop(&self) -> State {
        self.stop.cancel();
        self.ended().await
    }

    /// One line for people.
    fn summary(&self, state: &State) -> String {
        let title = &self.description;
        match state {
            State::Running => title.clone(),
            State::Exited(0) => format!("Background command \"{title}\" completed (exit code 0)"),
            State::Exited(code) => format!("Background command \"{title}\" failed with exit code {code}"),
            State::Stopped => format!("Background command \"{title}\" was stopped"),
            State::Failed(why) => format!("Background command \"{title}\" failed: {why}"),
        }
    }
}

/// Commands that run in the background, and what commands left running. All of it ends with this.
#[derive(Debug, Default)]
pub(crate) struct Background {
    /// In the order in which they began.
    tasks: Mutex<Vec<Arc<Task>>>,
    work: Mutex<JoinSet<()>>,
    /// Ends all of it.
    over: CancellationToken,
}

impl Background {
    /// The task of this name.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<Task>> {
        locked(&self.tasks).iter().find(|task| task.id == id).cloned()
    }

    /// The tasks that run, oldest first.
    pub(crate) fn running(&self) -> Vec<Arc<Task>> {
        locked(&self.tasks).iter().filter(|task| task.state() == State::Running).cloned().collect()
    }

    /// Whether one more may run.
    pub(super) fn has_room(&self) -> bool {
        self.running().len() < MAX_RUNNING
    }

    /// A task that begins.
    pub(super) fn begin(
        &self,
        id: String,
        tool_use_id: &str,
        request: &Request,
        output: PathBuf,
    ) -> Arc<Task> {
        let task = Arc::new(Task {
            id,
            tool_use_id: tool_use_id.to_owned(),
            command: request.command.clone(),
            description: request.title().to_owned(),
            output,
            state: watch::Sender::new(State::Running),
            stop: self.over.child_token(),
        });
        let mut tasks = locked(&self.tasks);
        tasks.push(Arc::clone(&task));
        let ended = tasks.iter().filter(|task| task.state() != State::Running).count();
        let mut surplus = ended.saturating_sub(MAX_ENDED);
        tasks.retain(|task| {
            let forget = surplus > 0 && task.state() != State::Running;
            surplus -= usize::from(forget);
            !forget
        });
        task
    }

    /// Takes over a task's command. It ends after `time` at the latest.
    pub(super) fn adopt(
        &self,
        task: Arc<Task>,
        job: Job,
        time: Option<Duration>,
        notices: mpsc::Sender<Notice>,
    ) {
        self.spawn(attend(task, job, time, notices, self.over.clone()));
    }

    /// Stays with what a command left running.
    pub(super) fn outlive(&self, job: Job, notices: mpsc::Sender<Notice>) {
        self.spawn(outlive(job, notices, self.over.clone()));
    }

    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut set = locked(&self.work);
        while set.try_join_next().is_some() {}
        set.spawn(work);
    }

    /// Ends every task and what commands left running; returns when all of it is gone. Nothing can run in
    /// the background after that.
    pub(crate) async fn end(&self) {
        self.over.cancel();
        let mut work = std::mem::take(&mut *locked(&self.work));
        while work.join_next().await.is_some() {}
    }
}

/// Stays with a command in the background until it has ended, and tells of that.
async fn attend(
    task: Arc<Task>,
    mut job: Job,
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
        Some(End::Ended(Ended::Exited(code))) => State::Exited(code),
        Some(End::Ended(Ended::Signalled(signal))) => State::Failed(format!("ended by signal {signal}")),
        Some(End::Lost(lost)) => State::Failed(lost.to_string()),
        Some(End::Flooded) => {
            job.stop().await;
            State::Failed("it printed too much and was ended".into())
        }
        None => {
            job.stop().await;
            State::Stopped
        }
    };
    let reports = job.inspect().await;
    let summary =
        std::iter::once(task.summary(&state)).chain(reports.iter().cloned()).collect::<Vec<_>>().join("\n");
    let status = state.name();
    task.state.send_replace(state);
    let notice = Notice::TaskEnded {
        task_id: task.id.clone(),
        tool_use_id: task.tool_use_id.clone(),
        status,
        output_file: task.output.clone(),
        summary,
    };
    report(reports, &notices, &over).await;
    tokio::select! {
        // Without a listener the conversation is over.
        _ = notices.send(notice) => {}
        // Nobody may listen any more when everything ends.
        () = over.cancelled() => {}
    }
    outlive(job, notices, over).await;
}

/// Stays with what a command left running, and checks what that left when it has ended. When everything ends, the
/// session checks.
async fn outlive(job: Job, notices: mpsc::Sender<Notice>, over: CancellationToken) {
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

/// A lock that a panic elsewhere does not spoil: lists stay whole between any two statements here.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
