use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::hint::{Hint, HintedError};
use aqueduct_wire::json::Raw;
use aqueduct_wire::machine::ControlError;
use thiserror::Error;

use crate::{Exit, ExitStatus, NotDone, Report, StartFailure, Version};

/// Why something that was asked of a session did not happen.
///
/// How a run ended is not an error: see [`Outcome`](crate::Outcome). Messages state what failed and why;
/// [`hint`](HintedError::hint) has what to do next, and [`advised`](HintedError::advised) both.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use aqueduct_client::{Error, HintedError, Session, StartFailure};
///
/// match Session::builder().program("no-such-agent").query("Say hello.").await {
///     Ok(outcome) => println!("{outcome}"),
///     Err(Error::Start { program, failure: StartFailure::NotFound, .. }) => println!("{program} is not installed"),
///     Err(error) => println!("{}", error.advised()),
/// }
/// # }
/// ```
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum Error {
    /// The agent did not start: it could not be run, it ended before it was ready, it was not ready in time, or it has no
    /// access to a model. One cause gives one error, whatever comes first: the end of the process or of its pipes.
    #[error("can't start {program}: {reason}")]
    Start {
        /// What was to be started.
        program: String,
        /// The kind of failure, to decide by.
        failure: StartFailure,
        /// What happened, in a line: how it ended and its own reason, or the system's error.
        reason: String,
        /// How it ended; `None` if it never ran, or still did.
        exit: Option<ExitStatus>,
        /// The last lines that it printed: on stderr, or in its result where stderr is empty.
        stderr: Vec<String>,
        /// What to do about it.
        hint: String,
    },
    /// The agent's working directory does not exist, or is not a folder.
    #[error("working directory {} does not exist", path.display())]
    Directory {
        /// The folder.
        path: PathBuf,
    },
    /// The socket could not be reached.
    #[error("can't connect to {}: {reason}", path.display())]
    Connect {
        /// Where the socket was looked for.
        path: PathBuf,
        /// The system's error. The message has it, so it is not also a `source`.
        reason: Arc<std::io::Error>,
    },
    /// The agent has ended, so nothing can be asked of it any more.
    #[error("{0}")]
    Ended(Exit),
    /// The agent reads no more input, though it has not ended.
    #[error("the agent no longer reads its input: {0}")]
    InputClosed(String),
    /// The agent answered a request with an error.
    #[error("the agent refused {subtype}: {error}")]
    Refused {
        /// What was asked.
        subtype: String,
        /// Its error.
        error: ControlError,
    },
    /// The agent did not answer a request in time.
    #[error("the agent did not answer {subtype} within {}", seconds(.after))]
    TimedOut {
        /// What was asked.
        subtype: String,
        /// How long was waited.
        after: Duration,
    },
    /// This version of the agent can't do what is asked.
    #[error("{what} needs an agent of version {needs} or later, and this one is {has}")]
    Unsupported {
        /// An option or a request.
        what: String,
        /// The first version that can do it.
        needs: Version,
        /// The agent's version.
        has: Version,
    },
    /// The agent's dialect has no such thing. See [`Profile`](crate::Profile).
    #[error("{profile} has no {what}")]
    NotInProfile {
        /// A flag, a request, a mode.
        what: String,
        /// The agent's name.
        profile: &'static str,
        /// What to do instead.
        instead: String,
    },
    /// A file of a prompt can't be sent.
    #[error("can't attach {}: {problem}", path.display())]
    Attachment {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: String,
        /// What to do about it.
        hint: Option<&'static str>,
    },
    /// An answer lacks what it must have.
    #[error("the agent's answer to {subtype} can't be read: {answer}")]
    Unreadable {
        /// What was asked.
        subtype: String,
        /// The answer, or its beginning.
        answer: String,
    },
    /// Options that contradict each other or that can't be expressed.
    #[error("{problem}")]
    Options {
        /// What is wrong with them.
        problem: String,
        /// What to do about it.
        hint: Option<&'static str>,
    },
    /// A run is not done, where it had to be. The error has the outcome.
    #[error("{0}")]
    NotDone(NotDone),
    /// The answer does not have the type that was asked for.
    #[error("the answer is not {wanted}: {reason}")]
    Answer {
        /// The type.
        wanted: &'static str,
        /// What is wrong with the answer.
        reason: String,
        /// The report with the answer.
        report: Report,
    },
}

impl From<NotDone> for Error {
    fn from(not_done: NotDone) -> Self {
        Error::NotDone(not_done)
    }
}

impl HintedError for Error {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::sentence(match self {
            Error::Start { hint, .. } => hint,
            Error::Directory { .. } => "Create it, or name another",
            Error::Connect { .. } => "See whether what listens there is still running",
            Error::Ended(_) => "Start a session with `resume` to continue",
            Error::InputClosed(_) => "Close the session and resume it",
            Error::TimedOut { .. } => {
                "It may be too old to know the request, or stuck; unread events also block it"
            }
            Error::Unsupported { .. } => "Update the agent, or do without",
            Error::NotInProfile { instead, .. } => instead,
            Error::Attachment { hint, .. } | Error::Options { hint, .. } => return hint.map(Hint::sentence),
            Error::Unreadable { .. } => "See `aqueduct wire check` for what changed",
            Error::Answer { .. } => "Ask again, or describe the type's fields for the model",
            Error::Refused { .. } | Error::NotDone(_) => return None,
        }))
    }
}

impl Error {
    /// Options that contradict each other or that can't be expressed.
    pub(crate) fn options(problem: impl Into<String>) -> Self {
        Error::Options { problem: problem.into(), hint: None }
    }

    /// An answer lacks what it must have.
    pub(crate) fn unreadable(subtype: &str, answer: &Raw<'_>) -> Self {
        Error::Unreadable { subtype: subtype.to_owned(), answer: answer.as_str().chars().take(200).collect() }
    }
}

fn seconds(time: &Duration) -> String {
    format!("{} s", time.as_secs_f64())
}
