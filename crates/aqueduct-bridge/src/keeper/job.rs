use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use aqueduct_wire::codec::DEFAULT_LINE_LIMIT;
use aqueduct_wire::hint::{Hint, HintedError};
use serde::{Deserialize, Serialize};

use super::protocol::Unattended;

/// What a keeper is to do. It comes as one line of JSON on its stdin, so nothing of it shows in a list of
/// processes.
#[derive(Clone, Serialize, Deserialize)]
pub struct KeeperJob {
    /// The session's folder. The process that starts the keeper creates it.
    pub folder: PathBuf,
    /// The agent: a path, or a name that is looked for in the agent's `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it runs.
    pub cwd: PathBuf,
    /// What its environment has more than the bridge's.
    #[serde(default)]
    pub set: Vec<(String, String)>,
    /// What its environment has not.
    #[serde(default)]
    pub unset: Vec<String>,
    /// Sizes and times.
    #[serde(default)]
    pub limits: KeeperLimits,
    /// What to do while no bridge is attached.
    #[serde(default)]
    pub unattended: Unattended,
}

/// Arguments and variables can hold secrets: neither is shown.
impl fmt::Debug for KeeperJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeeperJob")
            .field("folder", &self.folder)
            .field("program", &self.program)
            .field("arguments", &self.arguments.len())
            .field("cwd", &self.cwd)
            .field("set", &self.set.iter().map(|(name, _)| name).collect::<Vec<_>>())
            .field("unset", &self.unset)
            .field("limits", &self.limits)
            .field("unattended", &self.unattended)
            .finish()
    }
}

/// Sizes and times that a keeper keeps to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeeperLimits {
    /// How long a line may be. A longer one is skipped, and a mark replaces it.
    pub line: u64,
    /// How long a file of the spool is before the next one is begun.
    pub segment: u64,
    /// How long the spool may become before the agent has to wait for acknowledgements.
    pub spool: u64,
    /// How long the keeper stays after the agent's end for a bridge to come. One that received it, or that comes
    /// later, finds all in the folder.
    pub linger: Duration,
}

impl Default for KeeperLimits {
    fn default() -> KeeperLimits {
        KeeperLimits {
            line: DEFAULT_LINE_LIMIT as u64,
            segment: 1 << 20,
            spool: 512 << 20,
            linger: Duration::from_secs(2),
        }
    }
}

/// What a keeper writes to its stdout, once: the agent runs, or why it does not.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StartReply {
    /// The agent runs as this process.
    Ready {
        /// The agent's process.
        agent: u32,
    },
    /// No agent was started, and the keeper has ended.
    Failed(KeeperStartFailure),
}

/// Why an agent could not be started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct KeeperStartFailure {
    /// What kind of failure it is.
    pub kind: KeeperFailureKind,
    /// What is wrong.
    pub message: String,
    /// What to do about it: a sentence without a full stop. Keepers of older versions have it in the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl HintedError for KeeperStartFailure {
    fn hint(&self) -> Option<Hint> {
        self.hint.as_deref().map(Hint::sentence)
    }
}

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum KeeperFailureKind {
    /// The job can't be read.
    Job,
    /// Another keeper has the session's folder.
    Taken,
    /// The session's folder can't be used.
    Folder,
    /// The agent's working directory can't be used.
    Cwd,
    /// The program does not exist.
    ProgramNotFound,
    /// The program may not be run.
    ProgramNotExecutable,
    /// The system could not start it for another reason.
    System,
}
