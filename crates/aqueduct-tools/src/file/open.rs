//! Regular files, with errors that say what to do next.

use std::fs::Metadata;
use std::hash::Hasher;
use std::path::Path;

use aqueduct_os::regular_file;
pub(crate) use aqueduct_os::regular_file::{FileStamp, OpenedFile};

use super::FileError;

/// The largest file that is worked on as a whole: edited, overwritten, kept in a checkpoint.
pub(crate) const WHOLE_LIMIT: u64 = 64 << 20;

/// Distinguishes contents. It is safe against accidental collisions, not against deliberate ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ContentDigest(u64, usize);

impl ContentDigest {
    /// The digest of these bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write(bytes);
        ContentDigest(hasher.finish(), bytes.len())
    }
}

/// Opens a regular file; anything else is refused at once. `path` must have its links followed.
pub(crate) fn open(path: &Path) -> Result<OpenedFile, FileError> {
    regular_file::open(path).map_err(FileError::of(path))
}

/// Reads a whole file, with the metadata of the state that was read. A file of more than `limit` bytes is
/// refused; one that is written to meanwhile is read again.
pub(crate) fn read_whole(path: &Path, limit: u64) -> Result<(Vec<u8>, Metadata), FileError> {
    regular_file::read_whole(path, limit).map_err(FileError::of(path))
}
