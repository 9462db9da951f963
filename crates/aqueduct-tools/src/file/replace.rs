//! Files replaced as a whole, with errors that say what to do next.

use std::path::Path;

use aqueduct_os::atomic_file;
pub use aqueduct_os::atomic_file::Precondition;

use super::{FileError, FileStamp};

/// Puts `bytes` at `path` and gives the stamp of the new file. Missing folders are made. `path` must have its links
/// followed.
pub fn replace(path: &Path, bytes: &[u8], before: Precondition) -> Result<FileStamp, FileError> {
    atomic_file::replace(path, bytes, before).map_err(FileError::of(path))
}

/// Puts a file at `path` that only the user can read: as a whole, but without waiting for the disk.
pub fn put_private(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    atomic_file::put_private(path, bytes).map_err(FileError::of(path))
}
