//! Opening files so that nothing can make the agent wait: only regular files, never pipes or devices.

use std::fs::{File, Metadata};
use std::hash::Hasher;
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

#[cfg(target_os = "linux")]
use rustix::fs::{CWD, ResolveFlags, openat2};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::FileError;

/// The largest file that is worked on as a whole: edited, overwritten, kept in a checkpoint.
pub(crate) const WHOLE_LIMIT: u64 = 64 << 20;

/// Tells one state of a file from another without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// When it was last written, in nanoseconds since 1970.
    pub(crate) written: i128,
    /// Its size in bytes.
    pub(crate) size: u64,
    /// Its number in the file system.
    inode: u64,
}

impl Stamp {
    /// The stamp of a file's metadata.
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Stamp {
            written: i128::from(metadata.mtime()) * 1_000_000_000 + i128::from(metadata.mtime_nsec()),
            size: metadata.len(),
            inode: metadata.ino(),
        }
    }
}

/// Tells contents apart. Good against chance, not against someone who wants two contents to look alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Digest(u64, usize);

impl Digest {
    /// The digest of these bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write(bytes);
        Digest(hasher.finish(), bytes.len())
    }
}

/// A regular file that is open for reading.
#[derive(Debug)]
pub(crate) struct Opened {
    /// The file.
    pub(crate) file: File,
    /// What it was when it was opened.
    pub(crate) metadata: Metadata,
}

impl Opened {
    /// The stamp it had when it was opened.
    pub(crate) fn stamp(&self) -> Stamp {
        Stamp::of(&self.metadata)
    }
}

/// Opens a regular file. Anything else is refused at once: the type is looked at before, because opening a
/// device can do things, and again after, because a name can change hands in between.
///
/// `path` must have its links followed: one that was laid in its way since then is not.
pub(crate) fn open(path: &Path) -> Result<Opened, FileError> {
    let failed = |error: io::Error| FileError::new("read", path, error);
    must_be_regular(path, &path.metadata().map_err(failed)?)?;
    let file = open_unlinked(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY)?;
    let metadata = file.metadata().map_err(failed)?;
    must_be_regular(path, &metadata)?;
    Ok(Opened { file, metadata })
}

/// Opens what is at a path that has no links in it.
pub(super) fn open_unlinked(path: &Path, flags: OFlags) -> Result<File, FileError> {
    let flags = flags | OFlags::CLOEXEC;
    #[cfg(target_os = "linux")]
    let opened = {
        let whole = ResolveFlags::NO_SYMLINKS;
        match openat2(CWD, path, flags, Mode::empty(), whole) {
            // Systems that have no such call, or forbid it, can't do better than by the name.
            Err(Errno::NOSYS | Errno::PERM) => rustix::fs::open(path, flags, Mode::empty()),
            opened => opened,
        }
    };
    #[cfg(not(target_os = "linux"))]
    let opened = rustix::fs::open(path, flags, Mode::empty());
    match opened {
        Ok(file) => Ok(file.into()),
        Err(Errno::LOOP) => Err(FileError::Moved(path.to_owned())),
        Err(error) => Err(FileError::new("open", path, error.into())),
    }
}

/// Fails unless these are the metadata of a regular file.
pub(super) fn must_be_regular(path: &Path, metadata: &Metadata) -> Result<(), FileError> {
    let kind = metadata.file_type();
    if kind.is_file() {
        return Ok(());
    }
    if kind.is_dir() {
        return Err(FileError::Folder(path.to_owned()));
    }
    let kind = if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    };
    Err(FileError::Special { path: path.to_owned(), kind })
}

/// How often a file that changes under the reader is read again.
const ATTEMPTS: usize = 3;

/// Reads a whole file, with the metadata of the state that was read. A file of more than `limit` bytes is
/// refused; one that is written to meanwhile is read again.
pub(crate) fn read_whole(path: &Path, limit: u64) -> Result<(Vec<u8>, Metadata), FileError> {
    let failed = |error: io::Error| FileError::new("read", path, error);
    let too_large = |size| FileError::TooLarge { path: path.to_owned(), size, limit };
    for attempt in 1.. {
        let opened = open(path)?;
        if opened.metadata.len() > limit {
            return Err(too_large(opened.metadata.len()));
        }
        // Files of /proc say that they are empty, so the size is a hint and the limit is checked again.
        let mut bytes = Vec::with_capacity(usize::try_from(opened.metadata.len()).unwrap_or_default());
        let got = (&opened.file).take(limit + 1).read_to_end(&mut bytes).map_err(failed)? as u64;
        if got > limit {
            return Err(too_large(got));
        }
        let after = opened.file.metadata().map_err(failed)?;
        if Stamp::of(&after) == opened.stamp() || attempt == ATTEMPTS {
            return Ok((bytes, opened.metadata));
        }
    }
    Err(FileError::Changed(path.to_owned()))
}
