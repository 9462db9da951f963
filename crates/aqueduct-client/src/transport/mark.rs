use std::ffi::OsString;

use aqueduct_os::marked;
use uuid::Uuid;

/// The variable that all processes of a session carry.
const VARIABLE: &str = "AQUEDUCT_SESSION_MARK";

/// A word in the environment of an agent, by which all that it started is found again: also what has left its
/// process group, and what was left behind by its parent.
#[derive(Debug, Clone)]
pub(super) struct ProcessMark(String);

impl ProcessMark {
    pub(super) fn new() -> Self {
        ProcessMark(Uuid::new_v4().simple().to_string())
    }

    /// The variable and its value.
    pub(super) fn variable(&self) -> (OsString, OsString) {
        (VARIABLE.into(), self.0.clone().into())
    }

    /// The variable as an entry of an environment.
    pub(super) fn entry(&self) -> String {
        format!("{VARIABLE}={}", self.0)
    }

    /// Kills every process that has the mark. Without a table of processes there is only the process group, which has
    /// been ended.
    pub(super) fn sweep(&self) {
        marked::kill(VARIABLE, &self.0);
    }
}
