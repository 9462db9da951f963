//! What the model has read of which file, so that it does not overwrite changes that it has not seen.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use aqueduct_wire::hint::{Hint, HintedError};

use super::{ContentDigest, FileStamp};

/// What was read of which file, and when. Clones share it.
///
/// Files go by their real path, all links followed. A file that was read in part counts as read: models look
/// at the part that they are about to change.
#[derive(Debug, Clone, Default)]
pub struct FileStates(Arc<Mutex<HashMap<PathBuf, FileState>>>);

/// What is known of one file.
#[derive(Debug, Clone, Copy)]
struct FileState {
    seen: KnownVersion,
    /// Whether the model has all of its contents.
    is_whole: bool,
}

/// How well the model knows a file that is to be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Knowledge {
    /// Not at all: it was not read in this conversation.
    Unread,
    /// As it was before another program changed it.
    Stale,
    /// As it is, in part.
    Part,
    /// As it is, all of it.
    Whole,
}

/// How well a file is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KnownVersion {
    /// By all of its bytes.
    Bytes(ContentDigest),
    /// By its stamp: it is too large to have been looked at as a whole.
    Stamp(FileStamp),
    /// From a conversation that is resumed: it was read at this time.
    At(SystemTime),
}

/// Why a file may not be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ChangeRefusal {
    /// It was not read in this conversation.
    #[error("has not been read in this conversation")]
    NeverRead,
    /// Another program wrote to it.
    #[error("has changed on disk since it was last read here")]
    Changed,
}

impl HintedError for ChangeRefusal {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::sentence(match self {
            ChangeRefusal::NeverRead => "Read it first, then change it.",
            ChangeRefusal::Changed => "Read it again before you change it.",
        }))
    }
}

impl FileStates {
    /// Remembers that a file was read, or written, in this state. `is_whole`: the model has all of its contents.
    pub(crate) fn note(&self, real: &Path, seen: KnownVersion, is_whole: bool) {
        let state = FileState { seen, is_whole };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(real.to_owned(), state);
    }

    /// Remembers a read of an earlier process: for conversations that are resumed.
    pub fn note_read(&self, path: &Path, at: SystemTime) {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        self.note(&real, KnownVersion::At(at), true);
    }

    /// Forgets all files.
    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// How well the model knows a file whose bytes are `bytes` now.
    pub(crate) fn knowledge(&self, real: &Path, stamp: FileStamp, bytes: &[u8]) -> Knowledge {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(real).copied();
        let Some(FileState { seen, is_whole }) = state else { return Knowledge::Unread };
        let same = match seen {
            KnownVersion::Bytes(digest) => digest == ContentDigest::of(bytes),
            KnownVersion::Stamp(seen) => seen == stamp,
            KnownVersion::At(time) => stamp.written <= nanoseconds(time),
        };
        match (same, is_whole) {
            (false, _) => Knowledge::Stale,
            (true, true) => Knowledge::Whole,
            (true, false) => Knowledge::Part,
        }
    }
}

fn nanoseconds(time: SystemTime) -> i128 {
    let nanoseconds =
        |duration: std::time::Duration| i128::try_from(duration.as_nanos()).unwrap_or(i128::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => nanoseconds(after),
        Err(error) => -nanoseconds(error.duration()),
    }
}
