//! The only place that prints for people.

use std::process::ExitCode;

/// Prints an error with its causes in one line on stderr; the exit code is 2, for "could not be done".
pub(crate) fn failure(error: &anyhow::Error) -> ExitCode {
    eprintln!("aqueduct: {error:#}");
    ExitCode::from(2)
}
