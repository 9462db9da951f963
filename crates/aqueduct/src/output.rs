//! The only place that prints for people.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use aqueduct_os::terminal;

use crate::explained::explained;
use crate::terminal::{MarkdownLayout, plain, shows_links};

/// The default width of lines.
const DEFAULT_WIDTH: usize = 100;

/// What standard output and standard error are connected to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TerminalInfo {
    /// Whether standard output is a terminal.
    pub(crate) is_terminal: bool,
    /// Whether standard output may be coloured.
    pub(crate) colour: bool,
    /// Whether standard error may be coloured.
    pub(crate) notes_colour: bool,
    /// How many columns standard output has, or standard error where that one is not a terminal.
    pub(crate) width: usize,
    /// Whether standard error is a terminal.
    pub(crate) notes_are_terminal: bool,
    /// Whether someone watches standard error, and lines there can be replaced.
    pub(crate) progress: bool,
    /// Whether the terminal knows no control sequences.
    pub(crate) is_dumb: bool,
    /// Whether the terminal shows links.
    pub(crate) links: bool,
}

impl TerminalInfo {
    /// Looks at the terminal, if there is one. The values are those of the environment.
    pub(crate) fn new(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let (no_color, columns) = (variable("NO_COLOR"), variable("COLUMNS"));
        let is_dumb = variable("TERM").is_some_and(|term| term == "dumb");
        let wanted = columns.and_then(|columns| columns.to_str()?.parse().ok());
        let measured = || terminal::columns(io::stdout()).or_else(|| terminal::columns(io::stderr()));
        let may_colour = no_color.is_none_or(|value| value.is_empty());
        TerminalInfo {
            is_terminal: io::stdout().is_terminal(),
            colour: may_colour && io::stdout().is_terminal(),
            notes_colour: may_colour && io::stderr().is_terminal(),
            width: wanted.or_else(measured).unwrap_or(DEFAULT_WIDTH).max(40),
            notes_are_terminal: io::stderr().is_terminal(),
            // A line can only be replaced where the terminal knows how.
            progress: io::stderr().is_terminal() && !is_dumb,
            is_dumb,
            links: shows_links(variable),
        }
    }

    /// How Markdown is shown on standard output. `None` where it is passed on as it is: to a file or a pipe, without
    /// colours, and on a terminal without control sequences.
    pub(crate) fn markdown(&self) -> Option<MarkdownLayout> {
        let is_shown = self.is_terminal && self.colour && !self.is_dumb;
        is_shown.then_some(MarkdownLayout { width: self.width, links: self.links })
    }
}

/// Prints an error with its causes in one line on stderr; the exit code is 2, for "could not be done". A
/// reader of standard output that closed it is not an error: it has read what it needs.
pub(crate) fn failure(error: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    trouble(&explained(error).replace('\n', " "));
    ExitCode::from(2)
}

/// Reports an error on stderr in one line.
pub(crate) fn trouble(text: &str) {
    let _ = writeln!(io::stderr(), "aqueduct: {}", plain(text));
}

/// Ends a line on stderr that something else began.
pub(crate) fn newline() {
    let _ = writeln!(io::stderr());
}

/// Prints a remark on stderr, in one line.
pub(crate) fn remark(text: &str) {
    // A closed stderr is not a reason to stop.
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
