//! The contents that a history keeps, each under a name made of its bytes.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use aqueduct_os::private_dir::make_private;
use uuid::Uuid;

use crate::file::{FileError, WHOLE_LIMIT, put_private, read_whole};

/// The state of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CheckpointState {
    /// It did not exist, or was not a regular file; the tools create and change regular files only.
    Absent,
    /// It existed.
    Present {
        /// The name of its contents.
        contents: String,
        /// Its permission bits.
        mode: u32,
    },
    /// It was too large to keep, or could not be read. It can't be restored, and stays as it is.
    Unkept,
}

/// The kept contents.
#[derive(Debug)]
pub(super) struct Contents {
    folder: PathBuf,
}

impl Contents {
    pub(super) fn new(folder: PathBuf) -> Self {
        Contents { folder }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Keeps what `path` is now.
    pub(super) fn keep(&self, path: &Path) -> Result<CheckpointState, FileError> {
        let (bytes, metadata) = match read_whole(path, WHOLE_LIMIT) {
            Ok(read) => read,
            Err(FileError::TooLarge { .. }) => return Ok(CheckpointState::Unkept),
            Err(FileError::Missing { .. } | FileError::ParentIsFile(_)) => {
                return Ok(CheckpointState::Absent);
            }
            Err(FileError::Folder(_) | FileError::Special { .. } | FileError::Loop(_)) => {
                return Ok(CheckpointState::Absent);
            }
            Err(error) => return Err(error),
        };
        let name = name(&bytes);
        let kept = self.folder.join(&name);
        if !kept.exists() {
            make_private(&self.folder).map_err(|error| FileError::new("make", &self.folder, error))?;
            put_private(&kept, &bytes)?;
        }
        Ok(CheckpointState::Present { contents: name, mode: metadata.mode() & 0o7777 })
    }

    /// The bytes of that name, if they are still those.
    pub(super) fn get(&self, kept: &str) -> Result<Vec<u8>, FileError> {
        let path = self.folder.join(kept);
        let bytes = fs::read(&path).map_err(|error| FileError::new("read", &path, error))?;
        if name(&bytes) != kept {
            let damaged = io::Error::new(io::ErrorKind::InvalidData, "it is damaged");
            return Err(FileError::new("read", &path, damaged));
        }
        Ok(bytes)
    }

    pub(super) fn too_large(&self, path: &Path) -> FileError {
        let size = path.metadata().map_or(0, |metadata| metadata.len());
        FileError::TooLarge { path: path.to_owned(), size, limit: WHOLE_LIMIT }
    }
}

/// A name that only these bytes have: a UUID of version 5 is a SHA-1 of what it names.
fn name(bytes: &[u8]) -> String {
    Uuid::new_v5(&Uuid::NAMESPACE_OID, bytes).simple().to_string()
}
