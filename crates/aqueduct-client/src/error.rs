use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::json::Raw;
use aqueduct_wire::machine::ControlError;
use thiserror::Error;

use crate::{Exit, Version};

/// Why something that was asked of a session did not happen.
///
/// How a run ended is not an error: see [`Outcome`](crate::Outcome). Messages state what to do next.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use aqueduct_client::{Error, Session};
///
/// match Session::builder().program("no-such-agent").query("Say hello.").await {
///     Ok(outcome) => println!("{outcome}"),
///     Err(Error::Spawn { program, .. }) => println!("{program} is not installed"),
///     Err(error) => println!("{error}"),
/// }
/// # }
/// ```
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum Error {
    /// The agent's program could not be started.
    #[error("can't start {program}: {reason}. {}", spawn_hint(.reason, program))]
    Spawn {
        /// What was to be started.
        program: String,
        /// The system's error. The message has it, so it is not also a `source`.
        reason: Arc<std::io::Error>,
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
    /// The agent did not answer `initialize` in time, and was ended.
    #[error(
        "the agent was not ready within {}: {exit}. Check whether it waits for something, such as a login, or give it \
         more time with `start_timeout`",
        seconds(.after)
    )]
    NotReady {
        /// How long was waited.
        after: Duration,
        /// How it ended, and its stderr.
        exit: Exit,
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
}

impl Error {
    /// An answer lacks what it must have.
    pub(crate) fn unreadable(subtype: &str, answer: &Raw<'_>) -> Self {
        Error::Unreadable { subtype: subtype.to_owned(), answer: answer.as_str().chars().take(200).collect() }
    }
}

fn spawn_hint(error: &std::io::Error, program: &str) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound if program.contains('/') => "See whether the file is there".to_owned(),
        std::io::ErrorKind::NotFound => {
            format!("Install it, put its folder on PATH, or give the whole path of {program}")
        }
        std::io::ErrorKind::PermissionDenied => format!("Make it executable: chmod +x {program}"),
        _ => "`aqueduct doctor` shows which agents can be started".to_owned(),
    }
}

fn seconds(time: &Duration) -> String {
    format!("{} s", time.as_secs_f64())
}
