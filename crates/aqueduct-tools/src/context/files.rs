//! The files of a conversation.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::checkpoint::Checkpoints;
use crate::file::{FileStates, ResolvedPathTable};
use crate::hidden::Hidden;

/// What is known about the files of a conversation.
#[derive(Debug)]
pub struct FileContext {
    /// What was read of which file, and when.
    pub read_state: FileStates,
    /// Earlier contents of changed files.
    pub checkpoints: Checkpoints,
    /// Where the paths of calls led when rules and users decided about them.
    pub resolved_paths: ResolvedPathTable,
    /// The file for the plan.
    pub(crate) plan: PathBuf,
    hidden: Mutex<Hidden>,
}

impl FileContext {
    /// The files of a new conversation.
    pub fn new(checkpoints: Checkpoints, plan: PathBuf) -> Self {
        FileContext {
            read_state: FileStates::default(),
            checkpoints,
            resolved_paths: ResolvedPathTable::default(),
            plan,
            hidden: Mutex::default(),
        }
    }

    /// The same for a subagent, which has read nothing.
    pub(super) fn for_subagent(&self) -> Self {
        let files = FileContext::new(self.checkpoints.clone(), self.plan.clone());
        files.hide(self.hidden());
        files
    }

    /// The files that searches skip.
    pub(crate) fn hidden(&self) -> Hidden {
        self.hidden.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the files that searches skip.
    pub fn hide(&self, hidden: Hidden) {
        *self.hidden.lock().unwrap_or_else(PoisonError::into_inner) = hidden;
    }
}
