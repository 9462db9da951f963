//! What is reported about a command in the background.

use std::path::PathBuf;

/// What a task is known by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskLabel {
    /// Its name.
    pub id: String,
    /// Distinguishes the runs of one task.
    pub run_id: String,
    /// The call that started it.
    pub tool_use_id: String,
    /// What it does, for people.
    pub description: String,
    /// The subagent whose command it is; `None` for the agent's own.
    pub owner: Option<String>,
}

/// Where a task is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackgroundCommandState {
    /// It runs.
    Running,
    /// It ended with this code.
    Exited(i32),
    /// It was ended because someone asked for that, or its time was over.
    Stopped,
    /// It ended in another way: a signal, too much output, a guard that was killed.
    Failed(String),
}

impl BackgroundCommandState {
    /// The word for hosts and the model.
    pub fn name(&self) -> &'static str {
        match self {
            BackgroundCommandState::Running => "running",
            BackgroundCommandState::Exited(0) => "completed",
            BackgroundCommandState::Exited(_) | BackgroundCommandState::Failed(_) => "failed",
            BackgroundCommandState::Stopped => "stopped",
        }
    }

    /// The exit code, if it has one.
    pub fn code(&self) -> Option<i32> {
        match self {
            BackgroundCommandState::Exited(code) => Some(*code),
            _ => None,
        }
    }
}

/// What is reported of a command in the background that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskReport {
    /// What it is known by.
    pub label: TaskLabel,
    /// How it ended.
    pub state: BackgroundCommandState,
    /// Where its output is.
    pub output: PathBuf,
    /// Further lines for people and the model.
    pub(crate) remarks: Vec<String>,
    /// The model gets no notification.
    pub is_dismissed: bool,
}

impl TaskReport {
    /// The same without a notification of the model.
    pub fn dismissed(self) -> Self {
        TaskReport { is_dismissed: true, ..self }
    }

    /// What happened, for the model.
    pub fn summary(&self) -> String {
        let title = &self.label.description;
        let first = match &self.state {
            BackgroundCommandState::Running => title.clone(),
            BackgroundCommandState::Exited(0) => {
                format!("Background command \"{title}\" completed (exit code 0)")
            }
            BackgroundCommandState::Exited(code) => {
                format!("Background command \"{title}\" failed with exit code {code}")
            }
            BackgroundCommandState::Stopped => format!("Background command \"{title}\" was stopped"),
            BackgroundCommandState::Failed(why) => format!("Background command \"{title}\" failed: {why}"),
        };
        self.with_remarks(first)
    }

    /// The same for hosts, which show that a task was stopped by themselves.
    pub fn shown(&self) -> String {
        match self.state {
            BackgroundCommandState::Stopped => self.with_remarks(self.label.description.clone()),
            _ => self.summary(),
        }
    }

    fn with_remarks(&self, first: String) -> String {
        std::iter::once(first).chain(self.remarks.iter().cloned()).collect::<Vec<_>>().join("\n")
    }
}
