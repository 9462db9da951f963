use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

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
    #[error(
        "the keeper can't be started: {0}. It is the program of the bridge itself: see that it may be run"
    )]
    Program(#[source] io::Error),
    /// The session's folder can't be made.
    #[error(
        "the session's folder {} can't be made: {source}. It must be on a disk that can be written, and yours alone",
        folder.display()
    )]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The job can't be sent to a keeper.
    #[error("the job can't be passed to a keeper: {0}; its paths must be valid UTF-8")]
    Job(#[source] serde_json::Error),
    /// The keeper ended without an answer.
    #[error("the keeper ended ({status}) without an answer{}. See whether it is the right program", stderr_suffix(.stderr))]
    NoAnswer {
        /// How it ended.
        status: ExitStatus,
        /// Its stderr.
        stderr: String,
    },
    /// The keeper did not answer in time, and was killed.
    #[error("the keeper gave no answer in time and was killed. The machine may be too busy: try again")]
    Timeout,
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
    #[error("no keeper answers in the session's folder: {0}. See what the last one left behind")]
    Dead(#[source] io::Error),
    /// The keeper is another user's.
    #[error("the keeper in the session's folder is another user's, and is not to be trusted")]
    Foreign,
    /// The keeper uses a protocol that this bridge is too old for.
    #[error(
        "the keeper uses version {0} of the protocol, and this bridge supports up to {VERSION}. Upgrade the bridge"
    )]
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

fn misplaced(misplaced: &OffsetError) -> String {
    match misplaced {
        OffsetError::Gone { oldest } => {
            format!("output from that offset was acknowledged and is gone. The oldest is at {oldest}")
        }
        OffsetError::Ahead { next } => {
            format!("there is no output at that offset yet. The next will be at {next}")
        }
        OffsetError::Inside => "no line begins at that offset. Attach at the `next` of a line".to_owned(),
    }
}

/// The connection to the keeper is closed, so nothing can be sent to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the connection to the keeper is closed. Look for the keeper and attach again")]
pub struct ConnectionClosed;
