//! The only place that prints for people.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// How wide lines are where nothing says.
const DEFAULT_WIDTH: usize = 100;

/// What standard output and standard error are connected to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Screen {
    /// Whether standard output may be coloured.
    pub(crate) colour: bool,
    /// How many columns standard output has.
    pub(crate) width: usize,
    /// Whether someone watches standard error.
    pub(crate) progress: bool,
}

impl Screen {
    /// Looks at the terminal, if there is one. The two values are those of the environment.
    pub(crate) fn new(no_color: Option<OsString>, columns: Option<OsString>) -> Self {
        let wanted = columns.and_then(|columns| columns.to_str()?.parse().ok());
        let measured = || {
            let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
            Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
        };
        Screen {
            colour: io::stdout().is_terminal() && no_color.is_none_or(|value| value.is_empty()),
            width: wanted.or_else(measured).unwrap_or(DEFAULT_WIDTH).max(40),
            progress: io::stderr().is_terminal(),
        }
    }
}

/// Prints an error with its causes in one line on stderr; the exit code is 2, for "could not be done". A
/// reader of standard output that went away is no error: it has seen what it wanted.
pub(crate) fn failure(error: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    eprintln!("aqueduct: {}", format!("{error:#}").replace('\n', " "));
    ExitCode::from(2)
}

/// Prints a remark on stderr, in one line.
pub(crate) fn remark(text: &str) {
    // A closed stderr is no reason to stop.
    let _ = writeln!(io::stderr(), "aqueduct: {text}");
}

/// Asks something on stderr; the answer follows on the same line.
pub(crate) fn question(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "{text}").and_then(|()| stderr.flush());
}

/// Passes a line of another program's stderr on, as it is.
pub(crate) fn pass_stderr(line: &[u8], terminated: bool) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(line);
    if terminated {
        let _ = stderr.write_all(b"\n");
    }
}

/// Prints how far a long run is, in place of what was printed before. An empty text takes it away.
pub(crate) fn progress(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "\r\x1b[K{text}").and_then(|()| stderr.flush());
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Prints text on stdout.
pub(crate) fn text(text: &str) -> anyhow::Result<()> {
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}
