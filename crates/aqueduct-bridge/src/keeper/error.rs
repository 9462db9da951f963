use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use aqueduct_wire::hint::{Hint, HintedError};
use thiserror::Error;

use super::job::KeeperStartFailure;
use super::protocol::{Malformed, OffsetError, VERSION};

/// Why a keeper could not be started.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum KeeperStartError {
    /// The keeper could not start the agent.
    #[error(transparent)]
    Failed(#[from] KeeperStartFailure),
    /// The keeper's own program can't be run.
    #[error("the keeper can't be started: {0}")]
    Program(#[source] io::Error),
    /// The session's folder can't be made.
    #[error("the session's folder {} can't be made: {source}", folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The job can't be sent to a keeper.
    #[error("the job can't be passed to a keeper: {0}")]
    Job(#[source] serde_json::Error),
    /// The keeper ended without an answer.
    #[error("the keeper ended ({status}) without an answer{}", stderr_suffix(.stderr))]
    NoAnswer {
        /// How it ended.
        status: ExitStatus,
        /// Its stderr.
        stderr: String,
    },
    /// The keeper did not answer in time, and was killed.
    #[error("the keeper gave no answer in time and was killed")]
    Timeout,
}

impl HintedError for KeeperStartError {
    fn hint(&self) -> Option<Hint> {
        Some(match self {
            KeeperStartError::Failed(failure) => return failure.hint(),
            KeeperStartError::Program(_) => {
                Hint::sentence("It is the program of the bridge itself: see that it may be run")
            }
            KeeperStartError::Folder { .. } => {
                Hint::sentence("It must be on a disk that can be written, and yours alone")
            }
            KeeperStartError::Job(_) => Hint::clause("its paths must be valid UTF-8"),
            KeeperStartError::NoAnswer { .. } => Hint::sentence("See whether it is the right program"),
            KeeperStartError::Timeout => Hint::sentence("The machine may be too busy: try again"),
        })
    }
}

fn stderr_suffix(stderr: &str) -> String {
    let stderr = stderr.trim();
    if stderr.is_empty() { String::new() } else { format!(" and wrote {stderr:?}") }
}

/// Why a bridge could not attach to a keeper.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AttachError {
    /// No keeper answers in this folder.
    #[error("no keeper answers in the session's folder: {0}")]
    Dead(#[source] io::Error),
    /// The keeper is another user's.
    #[error("the keeper in the session's folder is another user's, and is not to be trusted")]
    Foreign,
    /// The keeper uses a protocol that this bridge is too old for.
    #[error("the keeper uses version {0} of the protocol, and this bridge supports up to {VERSION}")]
    Newer(u32),
    /// No line starts at that offset.
    #[error("{}", misplaced(.0))]
    Misplaced(OffsetError),
    /// The peer is not a keeper.
    #[error("the process that answers in the session's folder is not a keeper: {0}")]
    Malformed(#[from] Malformed),
    /// The keeper's message is not an answer.
    #[error("the process that answers in the session's folder sent a keeper's message out of order")]
    OutOfTurn,
}

impl HintedError for AttachError {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::sentence(match self {
            AttachError::Dead(_) => "See what the last one left behind",
            AttachError::Newer(_) => "Upgrade the bridge",
            AttachError::Misplaced(OffsetError::Inside) => "Attach at the `next` of a line",
            AttachError::Malformed(malformed) => return malformed.hint(),
            AttachError::Misplaced(OffsetError::Gone { .. } | OffsetError::Ahead { .. })
            | AttachError::Foreign
            | AttachError::OutOfTurn => return None,
        }))
    }
}

fn misplaced(misplaced: &OffsetError) -> String {
    match misplaced {
        OffsetError::Gone { oldest } => {
            format!("output from that offset was acknowledged and is gone; the oldest is at {oldest}")
        }
        OffsetError::Ahead { next } => {
            format!("there is no output at that offset yet; the next will be at {next}")
        }
        OffsetError::Inside => "no line begins at that offset".to_owned(),
    }
}

/// The connection to the keeper is closed, so nothing can be sent to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the connection to the keeper is closed")]
pub struct ConnectionClosed;

impl HintedError for ConnectionClosed {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::sentence("Look for the keeper and attach again"))
    }
}
