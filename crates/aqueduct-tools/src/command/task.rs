//! A command as a task: what hosts and the model know of it beside its output.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::notice::{BackgroundCommandState, TaskLabel, TaskReport};

/// A command in the background.
#[derive(Debug)]
pub struct BackgroundCommand {
    /// What it is known by.
    pub label: TaskLabel,
    /// The command.
    pub command: String,
    /// Where its output goes.
    pub output: PathBuf,
    pub(crate) state: watch::Sender<BackgroundCommandState>,
    pub(crate) stop: CancellationToken,
    /// Someone has asked for its end and needs no notification of it.
    is_dismissed: AtomicBool,
}

impl BackgroundCommand {
    /// A task that begins. `stop` ends it.
    pub fn new(label: TaskLabel, command: String, output: PathBuf, stop: CancellationToken) -> Self {
        let state = watch::Sender::new(BackgroundCommandState::Running);
        BackgroundCommand { label, command, output, state, stop, is_dismissed: AtomicBool::new(false) }
    }

    /// Where it is now.
    pub fn state(&self) -> BackgroundCommandState {
        self.state.borrow().clone()
    }

    /// Waits until it has ended, and returns how.
    pub async fn ended(&self) -> BackgroundCommandState {
        let mut state = self.state.subscribe();
        // The sender is this task's own, so it can't be gone.
        state
            .wait_for(|state| *state != BackgroundCommandState::Running)
            .await
            .map_or(BackgroundCommandState::Stopped, |state| state.clone())
    }

    /// Ends it with everything it started; returns when that is done. The model gets no notification.
    pub async fn stop(&self) -> BackgroundCommandState {
        if self.state() == BackgroundCommandState::Running {
            self.is_dismissed.store(true, Ordering::Relaxed);
        }
        self.stop.cancel();
        self.ended().await
    }

    /// What is reported of its end. `remarks` are further lines for people and the model.
    pub fn report(&self, remarks: &[String]) -> TaskReport {
        TaskReport {
            label: self.label.clone(),
            state: self.state(),
            output: self.output.clone(),
            remarks: remarks.to_vec(),
            is_dismissed: self.is_dismissed.load(Ordering::Relaxed),
        }
    }
}
