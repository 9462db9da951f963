//! The debug log: `--debug` and `--debug-file`.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Mutex;

use crate::clock;

/// Where the log is written. Prompts, answers and results are left out, because they may be confidential.
#[derive(Debug, Default)]
pub(crate) struct DebugLog {
    place: Option<LogTarget>,
}

#[derive(Debug)]
enum LogTarget {
    Stderr,
    File(Mutex<File>),
}

impl DebugLog {
    /// A debug log in a file that only the user may read, or on stderr.
    pub(crate) fn open(file: Option<&Path>, on_stderr: bool) -> io::Result<Self> {
        let place = match file {
            Some(path) => {
                let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
                Some(LogTarget::File(Mutex::new(file)))
            }
            None => on_stderr.then_some(LogTarget::Stderr),
        };
        Ok(DebugLog { place })
    }

    /// Writes a line. The text is formatted only if the log is enabled; a line that can't be written is lost.
    pub(crate) fn note(&self, text: impl FnOnce() -> String) {
        let Some(place) = &self.place else { return };
        let line = format!("{} {}\n", clock::now(), text().replace('\n', " "));
        match place {
            LogTarget::Stderr => drop(io::stderr().write_all(line.as_bytes())),
            LogTarget::File(file) => {
                if let Ok(mut file) = file.lock() {
                    let _ = file.write_all(line.as_bytes());
                }
            }
        }
    }
}
