//! A file that people write, as text.

use std::fmt;
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use aqueduct_os::regular_file::open_without_waiting;

use crate::diagnostic::Diagnostic;

/// How much of a file with front matter is read.
const FILE_LIMIT: u64 = 256 * 1024;

/// How much of a file with settings is read.
const SETTINGS_LIMIT: u64 = 64 * 1024 * 1024;

/// Why a file can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnreadableFile {
    /// The file does not exist, which may be expected.
    pub(crate) is_absent: bool,
    /// The line that can't be read, from 1.
    pub(crate) line: usize,
    what: String,
}

impl UnreadableFile {
    /// For people, with file and line.
    pub(crate) fn describe(&self, path: &Path) -> Diagnostic {
        Diagnostic::problem(format!("can't be read: {}", self.what)).in_file(path).at_line(self.line)
    }

    fn new(what: impl Into<String>) -> Self {
        UnreadableFile { is_absent: false, line: 1, what: what.into() }
    }

    fn of(error: &io::Error, path: &Path) -> Self {
        let is_missing = matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
        // A link is there, whatever it leads to.
        if is_missing && fs::symlink_metadata(path).is_ok() {
            return UnreadableFile::new("it is a link that leads nowhere");
        }
        UnreadableFile { is_absent: is_missing, ..UnreadableFile::new(error.to_string()) }
    }
}

impl fmt::Display for UnreadableFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// The text of a file that is no longer than such files are.
pub(crate) fn read_file(path: &Path) -> Result<String, UnreadableFile> {
    read_bounded(path, FILE_LIMIT)
}

/// The text of a file with settings, which programs may have filled.
pub(crate) fn read_settings(path: &Path) -> Result<String, UnreadableFile> {
    read_bounded(path, SETTINGS_LIMIT)
}

/// The text of a regular file up to a length. A project can link its files to devices and pipes, which never end.
fn read_bounded(path: &Path, limit: u64) -> Result<String, UnreadableFile> {
    let failed = |error: io::Error| UnreadableFile::of(&error, path);
    let file = open_without_waiting(path).map_err(failed)?;
    let about = file.metadata().map_err(failed)?;
    if !about.is_file() {
        return Err(UnreadableFile::new("it is not a file"));
    }
    if about.len() > limit {
        return Err(UnreadableFile::new(format!("it has more than {} KiB", limit / 1024)));
    }
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes).map_err(failed)?;
    text_of(bytes)
}

fn text_of(bytes: Vec<u8>) -> Result<String, UnreadableFile> {
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..good].iter().filter(|byte| **byte == b'\n').count() + 1;
        UnreadableFile { line, ..UnreadableFile::new("it is not UTF-8") }
    })
}
