//! What files were before they were changed, and the way back.
//!
//! A folder of the session holds an index and the contents it names. The index is append-only: a line when a
//! user's message begins a turn, with every tracked file that is no longer what it was, and a line before a
//! file is changed for the first time. Contents are stored by their hash, so equal ones are stored once. A
//! line is written after the contents it names and before the change, so a process that dies at any time
//! leaves a consistent history; a torn line is skipped. Several processes may append to it.
//!
//! `contents.rs` stores contents, `index.rs` is the index, `rewind.rs` restores files.

mod contents;
mod index;
mod rewind;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::file::{FileError, FileStamp};
use aqueduct_wire::hint::{Hint, HintedError};
use contents::{CheckpointState, Contents};
use index::{CheckpointEntry, CheckpointIndex};

pub use rewind::RewindReport;

/// The checkpoints of a session. Clones share them. All of its work is on files: call it where blocking is
/// allowed.
#[derive(Debug, Clone, Default)]
pub struct Checkpoints(Option<Arc<Mutex<CheckpointHistory>>>);

/// Why a checkpoint was not made, or files were not rewound.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The session keeps no checkpoints.
    #[error("File rewinding is not enabled.")]
    Off,
    /// No turn began with that message.
    #[error("No file checkpoint found for this message.")]
    Unknown,
    /// The history can't be read or written.
    #[error("The file history can't be kept: {0}")]
    Folder(#[source] FileError),
    /// A file can't be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl HintedError for CheckpointError {
    fn hint(&self) -> Option<Hint> {
        match self {
            CheckpointError::Off | CheckpointError::Unknown => None,
            CheckpointError::Folder(error) | CheckpointError::File(error) => error.hint(),
        }
    }
}

#[derive(Debug)]
struct CheckpointHistory {
    index: CheckpointIndex,
    contents: Contents,
    /// The user's messages, oldest first.
    turns: Vec<String>,
    /// Of every tracked file what it was: at the beginning of the turn of that number, or in it before it was
    /// changed for the first time. In the order of turns; a turn without an entry left the file as it was.
    files: BTreeMap<PathBuf, Vec<KnownFile>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct KnownFile {
    turn: usize,
    state: CheckpointState,
    /// Spares reading a file that has not changed. Not kept on disk.
    stamp: Option<FileStamp>,
}

impl Checkpoints {
    /// For sessions that leave nothing on disk: notes nothing, and can't rewind.
    pub fn off() -> Self {
        Checkpoints(None)
    }

    /// Opens the history in `folder`, which is made when there is something to keep.
    pub fn open(folder: PathBuf) -> Result<Self, CheckpointError> {
        Ok(Checkpoints(Some(Arc::new(Mutex::new(CheckpointHistory::open(folder)?)))))
    }

    /// Reads the history again, after another process has added to it.
    pub fn reload(&self) -> Result<(), CheckpointError> {
        self.with(CheckpointHistory::reload).unwrap_or(Ok(()))
    }

    /// A user's message begins a turn: what the tracked files are now is what a rewind to it gives back.
    pub fn begin(&self, user_message_uuid: &str) -> Result<(), CheckpointError> {
        self.with(|history| history.begin(user_message_uuid)).unwrap_or(Ok(()))
    }

    /// Keeps what the file at `real` is, if this is the first change of it. Call it before every change.
    pub(crate) fn before_change(&self, real: &Path) -> Result<(), CheckpointError> {
        self.with(|history| history.before_change(real)).unwrap_or(Ok(()))
    }

    /// Restores all tracked files to their state before the turn of that message; a dry run only reports what that
    /// would change.
    pub fn rewind(&self, user_message_uuid: &str, dry_run: bool) -> Result<RewindReport, CheckpointError> {
        self.with(|history| history.rewind(user_message_uuid, dry_run)).unwrap_or(Err(CheckpointError::Off))
    }

    fn with<T>(&self, work: impl FnOnce(&mut CheckpointHistory) -> T) -> Option<T> {
        let history = self.0.as_ref()?;
        Some(work(&mut history.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl CheckpointHistory {
    fn open(folder: PathBuf) -> Result<Self, CheckpointError> {
        let (index, entries) = CheckpointIndex::open(&folder).map_err(CheckpointError::Folder)?;
        let mut history = CheckpointHistory {
            index,
            contents: Contents::new(folder),
            turns: Vec::new(),
            files: BTreeMap::new(),
        };
        for entry in entries {
            history.apply(entry);
        }
        Ok(history)
    }

    fn reload(&mut self) -> Result<(), CheckpointError> {
        *self = CheckpointHistory::open(self.contents.folder().to_owned())?;
        Ok(())
    }

    fn begin(&mut self, message: &str) -> Result<(), CheckpointError> {
        let mut changed = Vec::new();
        let mut stamps = Vec::new();
        for (path, known) in &self.files {
            let Some(last) = known.last() else { continue };
            let stamp = path.symlink_metadata().ok().map(|metadata| FileStamp::of(&metadata));
            if stamp.is_some() && stamp == last.stamp {
                continue;
            }
            // A file that can't be read now must not keep the user's message from being served.
            let state = self.contents.keep(path).unwrap_or(CheckpointState::Unkept);
            if state != last.state {
                changed.push((path.clone(), state));
            }
            stamps.push((path.clone(), stamp));
        }
        self.record(CheckpointEntry::Begin { message: message.to_owned(), files: changed })?;
        for (path, stamp) in stamps {
            if let Some(last) = self.files.get_mut(&path).and_then(|known| known.last_mut()) {
                last.stamp = stamp;
            }
        }
        Ok(())
    }

    fn before_change(&mut self, path: &Path) -> Result<(), CheckpointError> {
        if self.files.contains_key(path) {
            return Ok(());
        }
        if self.turns.is_empty() {
            // A change before any message belongs to a turn without a message id.
            self.record(CheckpointEntry::Begin { message: String::new(), files: Vec::new() })?;
        }
        let state = self.contents.keep(path)?;
        if state == CheckpointState::Unkept {
            return Err(self.contents.too_large(path).into());
        }
        self.record(CheckpointEntry::File { path: path.to_owned(), state })
    }

    fn record(&mut self, entry: CheckpointEntry) -> Result<(), CheckpointError> {
        self.index.append(&entry).map_err(CheckpointError::Folder)?;
        self.apply(entry);
        Ok(())
    }

    fn apply(&mut self, entry: CheckpointEntry) {
        let files = match entry {
            CheckpointEntry::Begin { message, files } => {
                self.turns.push(message);
                files
            }
            CheckpointEntry::File { path, state } => vec![(path, state)],
        };
        let turn = self.turns.len().saturating_sub(1);
        for (path, state) in files {
            self.files.entry(path).or_default().push(KnownFile { turn, state, stamp: None });
        }
    }
}

#[cfg(test)]
mod tests;
