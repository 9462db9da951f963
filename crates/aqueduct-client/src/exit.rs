use std::fmt;

/// How an agent's process or connection ended, and its last output.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// # async fn example() -> Result<(), aqueduct_client::Error> {
/// use aqueduct_client::{ExitStatus, Session};
///
/// let builder = Session::builder().program("/bin/sh").leading_arguments(["-c", "echo no key >&2; exit 3"]);
/// # let builder = builder.without_initialize();
/// let session = builder.start_without_events().await?;
/// let exit = session.ended().await;
/// assert_eq!(exit.status, ExitStatus::Code(3));
/// assert_eq!(exit.stderr, ["no key"]);
/// assert_eq!(exit.to_string(), "the agent ended with exit code 3: no key");
/// # Ok(())
/// # }
/// # example().await.unwrap();
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exit {
    /// What became of it.
    pub status: ExitStatus,
    /// The last lines on stderr, oldest first.
    pub stderr: Vec<String>,
    /// What its last result named as wrong: some agents report there, and not on stderr, why they can't
    /// start.
    pub errors: Vec<String>,
}

/// What became of an agent's process or connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExitStatus {
    /// The process ended by itself with this code.
    Code(i32),
    /// A signal ended the process.
    Signal(i32),
    /// There is no process: the connection was closed, or its outcome is unknown.
    Disconnected,
}

impl Exit {
    pub(crate) fn new(status: ExitStatus, stderr: Vec<String>) -> Self {
        Exit { status, stderr, errors: Vec::new() }
    }

    /// Whether the process reported success.
    ///
    /// ```no_run
    /// # async fn example(session: aqueduct_client::Session) {
    /// let exit = session.close().await;
    /// if !exit.is_success() {
    ///     eprintln!("{exit}");
    /// }
    /// # }
    /// ```
    pub fn is_success(&self) -> bool {
        self.status == ExitStatus::Code(0)
    }
}

impl fmt::Display for Exit {
    /// One line: how it ended, and its last word.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            ExitStatus::Code(code) => write!(f, "the agent ended with exit code {code}")?,
            ExitStatus::Signal(signal) => write!(f, "the agent was ended by signal {signal}")?,
            ExitStatus::Disconnected => write!(f, "the connection to the agent was closed")?,
        }
        let last_words = self.stderr.iter().rev().chain(&self.errors);
        match last_words.into_iter().find(|line| !line.trim().is_empty()) {
            Some(line) => write!(f, ": {}", line.trim()),
            None => Ok(()),
        }
    }
}
