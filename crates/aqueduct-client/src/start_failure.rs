use std::io;
use std::time::Duration;

use crate::{Error, Exit, ExitStatus, Report};

/// The number of the system's error for a file that is not a program.
const NOT_A_PROGRAM: i32 = 8;

/// Why an agent did not start: [`Error::Start`] has this to decide by, beside the text for people.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use aqueduct_client::{Error, Session, StartFailure};
///
/// // A program that ends without reading anything.
/// match Session::builder().program("true").query("Say hello.").await {
///     Err(Error::Start { failure: StartFailure::NotAnAgent, hint, .. }) => println!("{hint}"),
///     other => panic!("{other:?}"),
/// }
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StartFailure {
    /// There is no such program.
    NotFound,
    /// The file can't be run.
    NotExecutable,
    /// It runs, and does not understand stream-json.
    NotAnAgent,
    /// It does not know an option.
    UnknownOption,
    /// It does not accept the JSON Schema of the answer.
    BadSchema,
    /// The session to resume does not exist.
    UnknownSession,
    /// It has no access to a model.
    NotSignedIn,
    /// It did not answer in time.
    NoAnswer,
    /// Something else: what it printed has the reason.
    Other,
}

/// What lines of agents mean: a line that has all words of a row, in lower case, is of that kind. The first row counts.
const MEANINGS: &[(&[&str], StartFailure)] = &[
    (&["--json-schema"], StartFailure::BadSchema),
    (&["no conversation found"], StartFailure::UnknownSession),
    (&["is no session id"], StartFailure::UnknownSession),
    (&["--resume", "session"], StartFailure::UnknownSession),
    // What this side answers to its own request, when a program repeats it.
    (&["unsupported control request: initialize"], StartFailure::NotAnAgent),
    (&["output-format"], StartFailure::NotAnAgent),
    (&["input-format"], StartFailure::NotAnAgent),
    (&["unknown option"], StartFailure::UnknownOption),
    (&["unrecognized option"], StartFailure::UnknownOption),
    (&["unexpected argument"], StartFailure::UnknownOption),
    (&["unknown argument"], StartFailure::UnknownOption),
    (&["not logged in"], StartFailure::NotSignedIn),
    (&["please run /login"], StartFailure::NotSignedIn),
    (&["log in"], StartFailure::NotSignedIn),
    (&["sign in"], StartFailure::NotSignedIn),
    (&["api key"], StartFailure::NotSignedIn),
    (&["auth", "method"], StartFailure::NotSignedIn),
];

/// The texts of a first run that only a host without access to a model gets.
const SIGNED_OUT: &[&str] = &["not logged in", "please run /login", "invalid api key"];

/// What happened instead of an answer to `initialize`.
#[derive(Debug)]
pub(crate) enum NoStart {
    /// The agent ended.
    Ended,
    /// It closed its input.
    InputClosed,
    /// It said nothing for this long.
    Silent(Duration),
    /// It answered with an error.
    Refused(String),
    /// It answered with something else.
    Unreadable(String),
}

/// What was to be started.
#[derive(Debug, Clone)]
pub(crate) struct StartTarget {
    /// The program, or where the agent was to be reached.
    pub(crate) program: String,
    /// The answer was to have a schema.
    pub(crate) has_schema: bool,
}

impl StartTarget {
    /// The system could not start the program.
    pub(crate) fn not_spawned(program: &str, error: &io::Error) -> Error {
        let (failure, hint) = match error.kind() {
            io::ErrorKind::NotFound if program.contains('/') => {
                (StartFailure::NotFound, "See whether the file is there".to_owned())
            }
            io::ErrorKind::NotFound => (
                StartFailure::NotFound,
                format!("Install it, put its folder on PATH, or give the whole path of {program}"),
            ),
            io::ErrorKind::PermissionDenied => {
                (StartFailure::NotExecutable, format!("Make it executable: chmod +x {program}"))
            }
            _ if error.raw_os_error() == Some(NOT_A_PROGRAM) => (
                StartFailure::NotExecutable,
                "The file is not a program for this system: name the agent's executable".to_owned(),
            ),
            _ => (StartFailure::Other, "`aqueduct doctor` shows which agents can be started".to_owned()),
        };
        let (program, reason) = (program.to_owned(), error.to_string());
        Error::Start { program, failure, reason, exit: None, stderr: Vec::new(), hint }
    }

    /// The agent did not answer `initialize` as it must. `exit`: how it ended, or was ended.
    pub(crate) fn failed(&self, why: &NoStart, exit: Exit) -> Error {
        let status = match (why, exit.status) {
            (NoStart::Ended, status) | (NoStart::InputClosed, status @ ExitStatus::Code(_)) => Some(status),
            // It was ended from here, so how it ended is no evidence.
            _ => None,
        };
        // Some agents report on stderr why they can't start, some in a result, and some in both.
        let is_silent = exit.stderr.iter().all(|line| line.trim().is_empty());
        let words = if is_silent { exit.errors } else { exit.stderr };
        let refusal = match why {
            NoStart::Refused(error) => Some(error.clone()),
            _ => None,
        };
        let meaning = words.iter().chain(&refusal).rev().find_map(|line| Some((line, meaning(line)?)));
        let line = meaning.map(|(line, _)| line);
        let line = line.or_else(|| words.iter().rev().find(|line| !line.trim().is_empty()));
        let what = match why {
            NoStart::Ended => ended(exit.status),
            NoStart::InputClosed => status.map_or_else(|| "it closed its input".to_owned(), ended),
            NoStart::Silent(time) => format!("it did not answer within {} s", time.as_secs_f64()),
            NoStart::Refused(error) => format!("it refused `initialize`: {error}"),
            NoStart::Unreadable(answer) => format!("its answer can't be read: {answer}"),
        };
        let reason = match line.filter(|line| refusal.as_ref() != Some(*line)) {
            Some(line) => format!("{what}: {}", line.trim().trim_end_matches('.')),
            None => what,
        };
        let failure = meaning.map(|(_, meaning)| meaning).unwrap_or(match (why, status) {
            (NoStart::Silent(_), _) => StartFailure::NoAnswer,
            (NoStart::Unreadable(_), _) => StartFailure::NotAnAgent,
            // An agent reads its input until it is closed.
            (NoStart::Ended | NoStart::InputClosed, Some(ExitStatus::Code(0)) | None) if line.is_none() => {
                StartFailure::NotAnAgent
            }
            _ => StartFailure::Other,
        });
        let hint = self.hint(failure, line.is_some());
        let program = self.program.clone();
        Error::Start { program, failure, reason, exit: status, stderr: words, hint }
    }

    /// The program did not report its version as it must.
    pub(crate) fn failed_probe(&self, error: Error) -> Error {
        let why = match error {
            Error::Unreadable { subtype, answer } => {
                NoStart::Unreadable(format!("{subtype} gives {answer:?}"))
            }
            Error::TimedOut { after, .. } => NoStart::Silent(after),
            other => return other,
        };
        self.failed(&why, Exit::new(ExitStatus::Disconnected, Vec::new()))
    }

    /// The agent's first run showed that it is not signed in; `None` if it did not.
    pub(crate) fn signed_out(&self, report: &Report) -> Option<Error> {
        let text = report.text().to_lowercase();
        if !SIGNED_OUT.iter().any(|words| text.contains(words)) {
            return None;
        }
        let failure = StartFailure::NotSignedIn;
        let (program, reason) = (self.program.clone(), report.text().trim().to_owned());
        let hint = self.hint(failure, true);
        Some(Error::Start { program, failure, reason, exit: None, stderr: Vec::new(), hint })
    }

    /// What to do about it. `has_reason`: the agent has given a reason.
    fn hint(&self, failure: StartFailure, has_reason: bool) -> String {
        let program = &self.program;
        match failure {
            StartFailure::NotAnAgent => format!(
                "{program} does not understand stream-json: name a program that does, such as claude or \
                 aqueduct-agent; a program behind another needs `leading_arguments`"
            ),
            StartFailure::UnknownOption => {
                "Update the agent, or leave the option out; `OPTIONS` lists since which version each is there"
                    .to_owned()
            }
            StartFailure::BadSchema => {
                "Give `json_schema` a JSON Schema (draft 7) of type object; `answer` makes one from a type".to_owned()
            }
            StartFailure::UnknownSession => {
                "Sessions belong to the directory that they ran in: set `directory`, or choose one of \
                 `aqueduct sessions list`"
                    .to_owned()
            }
            StartFailure::NotSignedIn => {
                format!("Sign in with {program} in a terminal, or set ANTHROPIC_API_KEY with `env`")
            }
            StartFailure::NoAnswer => {
                "Check whether it waits for something, such as a login, or give it more time with `start_timeout`"
                    .to_owned()
            }
            _ if self.has_schema && !has_reason => {
                "It gave no reason. Some agents end so when the schema of `json_schema` is not valid: check it"
                    .to_owned()
            }
            _ => format!("Run {program} in a terminal to see more; `aqueduct doctor` checks agents"),
        }
    }
}

/// What a line of an agent means, if that is known.
fn meaning(line: &str) -> Option<StartFailure> {
    let line = line.to_lowercase();
    MEANINGS
        .iter()
        .find(|(words, _)| words.iter().all(|word| line.contains(word)))
        .map(|(_, meaning)| *meaning)
}

fn ended(status: ExitStatus) -> String {
    match status {
        ExitStatus::Code(code) => format!("it ended with exit code {code}"),
        ExitStatus::Signal(signal) => format!("signal {signal} ended it"),
        ExitStatus::Disconnected => "the connection was closed".to_owned(),
    }
}
