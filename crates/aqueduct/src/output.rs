//! The only place that prints for people.

use std::io::{self, Write};
use std::process::ExitCode;

/// Prints an error with its causes in one line on stderr; the exit code is 2, for "could not be done".
pub(crate) fn failure(error: &anyhow::Error) -> ExitCode {
    eprintln!("aqueduct: {error:#}");
    ExitCode::from(2)
}

/// Prints text on stdout.
pub(crate) fn text(text: &str) -> anyhow::Result<()> {
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}

/// Prints something that is wrong but doesn't keep the work from being done, in one line on stderr.
pub(crate) fn warning(message: &impl std::fmt::Display) {
    // A closed stderr is no reason to stop.
    let _ = writeln!(io::stderr(), "aqueduct: warning: {message}");
}
