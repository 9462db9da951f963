//! A command as a task: what hosts and the model know of it beside its output.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// What a task is known by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaskLabel {
    /// Its name.
    pub(crate) id: String,
    /// Tells the runs of one task apart.
    pub(crate) run_id: String,
    /// The call that started it.
    pub(crate) tool_use_id: String,
    /// What it does, for people.
    pub(crate) description: String,
    /// The subagent whose command it is; `None` for the agent's own.
    pub(crate) owner: Option<String>,
}

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
    /// What it is known by.
    pub(crate) label: TaskLabel,
    /// The command.
    pub(crate) command: String,
    /// Where its output goes.
    pub(crate) output: PathBuf,
    pub(super) state: watch::Sender<State>,
    pub(super) stop: CancellationToken,
    /// Someone has asked for its end and needs no notification of it.
    is_dismissed: AtomicBool,
}

impl Task {
    /// A task that begins. `stop` ends it.
    pub(super) fn new(label: TaskLabel, command: String, output: PathBuf, stop: CancellationToken) -> Self {
        let state = watch::Sender::new(State::Running);
        Task { label, command, output, state, stop, is_dismissed: AtomicBool::new(false) }
    }

    /// Where it is now.
    pub(crate) fn state(&self) -> State {
        self.state.borrow().clone()
    }

    /// Waits until it has ended, and returns how.
    pub(crate) async fn ended(&self) -> State {
        let mut state = self.state.subscribe();
        // The sender is this task's own, so it can't be gone.
        state.wait_for(|state| *state != State::Running).await.map_or(State::Stopped, |state| state.clone())
    }

    /// Ends it with everything it started; returns when that is done. The model gets no notification.
    pub(crate) async fn stop(&self) -> State {
        if self.state() == State::Running {
            self.is_dismissed.store(true, Ordering::Relaxed);
        }
        self.stop.cancel();
        self.ended().await
    }

    /// What is reported of its end. `remarks` are further lines for people and the model.
    pub(crate) fn report(&self, remarks: &[String]) -> TaskReport {
        TaskReport {
            label: self.label.clone(),
            state: self.state(),
            output: self.output.clone(),
            remarks: remarks.to_vec(),
            is_dismissed: self.is_dismissed.load(Ordering::Relaxed),
        }
    }
}

/// What is reported of a command in the background that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaskReport {
    /// What it is known by.
    pub(crate) label: TaskLabel,
    /// How it ended.
    pub(crate) state: State,
    /// Where its output is.
    pub(crate) output: PathBuf,
    /// Further lines for people and the model.
    remarks: Vec<String>,
    /// The model gets no notification.
    pub(crate) is_dismissed: bool,
}

impl TaskReport {
    /// The same without a notification of the model.
    pub(crate) fn dismissed(self) -> Self {
        TaskReport { is_dismissed: true, ..self }
    }

    /// What happened, for the model.
    pub(crate) fn summary(&self) -> String {
        let title = &self.label.description;
        let first = match &self.state {
            State::Running => title.clone(),
            State::Exited(0) => format!("Background command \"{title}\" completed (exit code 0)"),
            State::Exited(code) => format!("Background command \"{title}\" failed with exit code {code}"),
            State::Stopped => format!("Background command \"{title}\" was stopped"),
            State::Failed(why) => format!("Background command \"{title}\" failed: {why}"),
        };
        self.with_remarks(first)
    }

    /// The same for hosts, which show that a task was stopped by themselves.
    pub(crate) fn shown(&self) -> String {
        match self.state {
            State::Stopped => self.with_remarks(self.label.description.clone()),
            _ => self.summary(),
        }
    }

    fn with_remarks(&self, first: String) -> String {
        std::iter::once(first).chain(self.remarks.iter().cloned()).collect::<Vec<_>>().join("\n")
    }
}
