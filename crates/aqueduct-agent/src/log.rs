//! The log of the agent: nothing is written unless it is asked for, by a flag or by the environment.

use std::io;
use std::path::PathBuf;

use aqueduct_tracing::{LogFile, LogFilter, LogFormat, LogSink, install};

use crate::Environment;
use crate::options::AgentOptions;

/// The variables that ask for a log on stderr: a filter, and the format.
const FILTER: &str = "AQUEDUCT_LOG";
const FORMAT: &str = "AQUEDUCT_LOG_FORMAT";

/// The filter of `--debug` and `--debug-file`.
const DEBUG: &str = "debug";

/// How long a file of `--debug-file` becomes until it is renamed, and how many older ones are kept.
const FILE_BYTES: u64 = 64 << 20;
const OLDER_FILES: u32 = 1;

/// Why the log can't be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LogStartError {
    /// The file can't be opened.
    #[error("{} can't be used: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A variable has no value of its kind.
    #[error("the variable {variable} can't be used: `{value}` is not {what}")]
    Variable {
        /// Its name.
        variable: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        what: &'static str,
    },
    /// The process has a log already.
    #[error("the log can't be started: {0}")]
    Taken(#[from] tracing::subscriber::SetGlobalDefaultError),
}

/// Writes events from now on, if they are asked for.
pub(crate) fn begin(environment: &Environment, options: &AgentOptions) -> Result<(), LogStartError> {
    let named = environment.variable(FILTER);
    let (text, sink) = match (&options.debug_file, options.debug, named) {
        (Some(path), _, _) => (DEBUG, file(path)?),
        (None, true, _) => (DEBUG, LogSink::stderr()),
        (None, false, Some(text)) => (text, LogSink::stderr()),
        (None, false, None) => return Ok(()),
    };
    let filter = LogFilter::parse(text).ok_or_else(|| {
        let what = "a level (off, error, warn, info, debug, trace) or a filter, such as warn,agent=debug";
        LogStartError::Variable { variable: FILTER, value: text.to_owned(), what }
    })?;
    let format = match environment.variable(FORMAT) {
        Some(text) => LogFormat::parse(text).ok_or_else(|| LogStartError::Variable {
            variable: FORMAT,
            value: text.to_owned(),
            what: "text or json",
        })?,
        None => LogFormat::default(),
    };
    Ok(install(filter, format, sink)?)
}

fn file(path: &std::path::Path) -> Result<LogSink, LogStartError> {
    let opened = LogFile::open(path, FILE_BYTES, OLDER_FILES);
    opened.map(LogSink::file).map_err(|error| LogStartError::File { path: path.to_owned(), error })
}
