use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::json::Raw;
use aqueduct_wire::machine::ControlError;
use thiserror::Error;

use crate::{Exit, ExitStatus, NotDone, Report, StartFailure, Version};

/// Why something that was asked of a session did not happen.
///
/// How a run ended is not an error: see [`Outcome`](crate::Outcome). Messages state what to do next.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use aqueduct_client::{Error, Session, StartFailure};
///
/// match Session::builder().program("no-such-agent").query("Say hello.").await {
///     Ok(outcome) => println!("{outcome}"),
///     Err(Error::Start { program, failure: StartFailure::NotFound, .. }) => println!("{program} is not installed"),
///     Err(error) => println!("{error}"),
/// }
/// # }
/// ```
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum Error {
    /// The agent did not start: it could not be run, it ended before it was ready, it was not ready in time, or it has no
    /// access to a model. One cause gives one error, whatever comes first: the end of the process or of its pipes.
    #[error("can't start {program}: {reason}. {hint}")]
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
    #[error("working directory {} does not exist. Create it, or name another", path.display())]
    Directory {
        /// The folder.
        path: PathBuf,
    },
    /// The socket could not be reached.
    #[error("can't connect to {}: {reason}. See whether what listens there is still running", path.display())]
    Connect {
        /// Where the socket was looked for.
        path: PathBuf,
        /// The system's error. The message has it, so it is not also a `source`.
        reason: Arc<std::io::Error>,
    },
    /// The agent has ended, so nothing can be asked of it any more.
    #[error("{0}. Start a session with `resume` to continue")]
    Ended(Exit),
    /// The agent reads no more input, though it has not ended.
    #[error("the agent no longer reads its input: {0}. Close the session and resume it")]
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
    #[error(
        "the agent did not answer {subtype} within {}. It may be too old to know the request, or stuck; \
         unread events also block it",
        seconds(.after)
    )]
    TimedOut {
        /// What was asked.
        subtype: String,
        /// How long was waited.
        after: Duration,
    },
    /// This version of the agent can't do what is asked.
    #[error(
        "{what} needs an agent of version {needs} or later, and this one is {has}. Update the agent, or do without"
    )]
    Unsupported {
        /// An option or a request.
        what: String,
        /// The first version that can do it.
        needs: Version,
        /// The agent's version.
        has: Version,
    },
    /// The agent's dialect has no such thing. See [`Profile`](crate::Profile).
    #[error("{profile} has no {what}. {instead}")]
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
        /// Why, and what to do.
        problem: String,
    },
    /// An answer lacks what it must have.
    #[error(
        "the agent's answer to {subtype} can't be read: {answer}. See `aqueduct wire check` for what changed"
    )]
    Unreadable {
        /// What was asked.
        subtype: String,
        /// The answer, or its beginning.
        answer: String,
    },
    /// Options that contradict each other or that can't be expressed.
    #[error("{0}")]
    Options(String),
    /// A run is not done, where it had to be. The error has the outcome.
    #[error("{0}")]
    NotDone(NotDone),
    /// The answer does not have the type that was asked for.
    #[error("the answer is not {wanted}: {reason}. Ask again, or describe the type's fields for the model")]
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

impl Error {
    /// An answer lacks what it must have.
    pub(crate) fn unreadable(subtype: &str, answer: &Raw<'_>) -> Self {
        Error::Unreadable { subtype: subtype.to_owned(), answer: answer.as_str().chars().take(200).collect() }
    }
}

fn seconds(time: &Duration) -> String {
    format!("{} s", time.as_secs_f64())
}
