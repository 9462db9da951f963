//! The index of a history: one JSON object a line, only ever appended to.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use aqueduct_os::private_dir::make_private;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::contents::CheckpointState;
use crate::file::FileError;

const NAME: &str = "index.jsonl";

/// A line of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CheckpointEntry {
    /// A message began a turn; these files were not what was last known of them.
    Begin { message: String, files: Vec<(PathBuf, CheckpointState)> },
    /// A file is about to be changed for the first time.
    File { path: PathBuf, state: CheckpointState },
}

/// The index, open for appending once there is something to append.
#[derive(Debug)]
pub(super) struct CheckpointIndex {
    path: PathBuf,
    file: Option<File>,
}

impl CheckpointIndex {
    /// Reads the index of a history. What a process that died left half written is passed over: it may also be the
    /// beginning of a line that another process is writing.
    pub(super) fn open(folder: &Path) -> Result<(CheckpointIndex, Vec<CheckpointEntry>), FileError> {
        let path = folder.join(NAME);
        let failed = |error| FileError::new("read", &path, error);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(failed(error)),
        };
        let whole = memchr::memrchr(b'\n', &text).map_or(0, |end| end + 1);
        // A line of a newer version may be unknown to this one; the others are still valid.
        let entries = text[..whole].split(|byte| *byte == b'\n').filter_map(CheckpointEntry::parse).collect();
        Ok((CheckpointIndex { path, file: None }, entries))
    }

    /// Appends a line, in one write.
    pub(super) fn append(&mut self, entry: &CheckpointEntry) -> Result<(), FileError> {
        let path = self.path.clone();
        let failed = |error: io::Error| FileError::new("write", &path, error);
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                if let Some(folder) = path.parent() {
                    make_private(folder).map_err(failed)?;
                }
                let file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(&path);
                self.file.insert(file.map_err(failed)?)
            }
        };
        let size = file.metadata().map_err(failed)?.len();
        let mut last = [b'\n'];
        if let Some(end) = size.checked_sub(1) {
            file.read_exact_at(&mut last, end).map_err(failed)?;
        }
        let begin = if last == *b"\n" { "" } else { "\n" };
        let written = file.write_all(format!("{begin}{}", entry.line()).as_bytes());
        if written.is_err() {
            // Half a line would spoil the next one.
            let _ = file.set_len(size);
        }
        written.map_err(failed)
    }
}

#[derive(Serialize, Deserialize)]
struct CheckpointLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    begin: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    files: Vec<CheckpointFileLine>,
}

#[derive(Serialize, Deserialize)]
struct CheckpointFileLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// For paths that are not text.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_base64: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contents: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<u32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unkept: bool,
}

impl CheckpointEntry {
    fn parse(line: &[u8]) -> Option<CheckpointEntry> {
        let line: CheckpointLine = serde_json::from_slice(line).ok()?;
        let mut files = line.files.into_iter().map(CheckpointFileLine::read).collect::<Option<Vec<_>>>()?;
        match line.begin {
            Some(message) => Some(CheckpointEntry::Begin { message, files }),
            None => files.pop().map(|(path, state)| CheckpointEntry::File { path, state }),
        }
    }

    fn line(&self) -> String {
        let line = match self {
            CheckpointEntry::Begin { message, files } => CheckpointLine {
                begin: Some(message.clone()),
                files: files.iter().map(|(path, state)| CheckpointFileLine::new(path, state)).collect(),
            },
            CheckpointEntry::File { path, state } => {
                CheckpointLine { begin: None, files: vec![CheckpointFileLine::new(path, state)] }
            }
        };
        let mut text = serde_json::to_string(&line).unwrap_or_default();
        text.push('\n');
        text
    }
}

impl CheckpointFileLine {
    fn new(path: &Path, state: &CheckpointState) -> CheckpointFileLine {
        let text = path.to_str().map(str::to_owned);
        let path_base64 = text.is_none().then(|| STANDARD.encode(path.as_os_str().as_bytes()));
        let (contents, mode) = match state {
            CheckpointState::Present { contents, mode } => (Some(contents.clone()), Some(*mode)),
            CheckpointState::Absent | CheckpointState::Unkept => (None, None),
        };
        CheckpointFileLine {
            path: text,
            path_base64,
            contents,
            mode,
            unkept: *state == CheckpointState::Unkept,
        }
    }

    fn read(self) -> Option<(PathBuf, CheckpointState)> {
        let path = match (self.path, self.path_base64) {
            (Some(path), _) => PathBuf::from(path),
            (None, Some(bytes)) => PathBuf::from(OsString::from_vec(STANDARD.decode(bytes).ok()?)),
            (None, None) => return None,
        };
        let state = match self.contents {
            Some(contents) => CheckpointState::Present { contents, mode: self.mode.unwrap_or(0o644) },
            None if self.unkept => CheckpointState::Unkept,
            None => CheckpointState::Absent,
        };
        Some((path, state))
    }
}
