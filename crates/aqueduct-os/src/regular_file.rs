//! Regular files, opened so that nothing can make a process wait: never pipes, devices or links.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{Access, CWD, Mode, OFlags, SeekFrom, access};
use rustix::io::Errno;
use thiserror::Error;

use crate::platform;

/// Why a file could not be read or replaced.
#[derive(Debug, Error)]
pub enum RegularFileError {
    /// It is a folder.
    #[error("it is a folder")]
    Folder,
    /// It is a device, a pipe or a socket.
    #[error("it is {0}, not a regular file")]
    Special(&'static str),
    /// A part of the path that should be a folder is a file.
    #[error("a part of the path is a file")]
    ParentIsFile,
    /// It changed meanwhile.
    #[error("it changed meanwhile")]
    Changed,
    /// A link took the place of a part of the path.
    #[error("a link is in its path")]
    Moved,
    /// It is too large.
    #[error("it has {size} bytes, more than {limit}")]
    TooLarge {
        /// How large it is.
        size: u64,
        /// How large it may be.
        limit: u64,
    },
    /// Anything else that the system reports.
    #[error("can't {doing} it: {source}")]
    System {
        /// What was tried: a verb.
        doing: &'static str,
        /// What the system reports.
        source: io::Error,
    },
}

impl RegularFileError {
    /// The error of a system call; `doing` is the verb for what was tried.
    pub(crate) fn system(doing: &'static str) -> impl Fn(io::Error) -> RegularFileError {
        move |source| RegularFileError::System { doing, source }
    }
}

/// Distinguishes states of a file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStamp {
    /// When it was last written, in nanoseconds since 1970.
    pub written: i128,
    /// Its size in bytes.
    pub size: u64,
    /// Its number in the file system.
    inode: u64,
}

impl FileStamp {
    /// The stamp of a file's metadata.
    pub fn of(metadata: &Metadata) -> Self {
        FileStamp {
            written: i128::from(metadata.mtime()) * 1_000_000_000 + i128::from(metadata.mtime_nsec()),
            size: metadata.len(),
            inode: metadata.ino(),
        }
    }
}

/// A regular file that is open for reading.
#[derive(Debug)]
pub struct OpenedFile {
    /// The file.
    pub file: File,
    /// What it was when it was opened.
    pub metadata: Metadata,
}

impl OpenedFile {
    /// The stamp it had when it was opened.
    pub fn stamp(&self) -> FileStamp {
        FileStamp::of(&self.metadata)
    }
}

/// Opens a regular file. Anything else is refused at once: the type is looked at before, because opening a device can do
/// things, and again after, because a name can change hands in between.
///
/// `path` must have its links followed: one that was put in its way since then is not.
pub fn open(path: &Path) -> Result<OpenedFile, RegularFileError> {
    let failed = RegularFileError::system("read");
    must_be_regular(&path.metadata().map_err(&failed)?)?;
    let file = open_unlinked(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY)?;
    let metadata = file.metadata().map_err(&failed)?;
    must_be_regular(&metadata)?;
    Ok(OpenedFile { file, metadata })
}

/// Opens what is at a path that has no links in it.
pub(crate) fn open_unlinked(path: &Path, flags: OFlags) -> Result<File, RegularFileError> {
    let flags = flags | OFlags::CLOEXEC;
    let opened = platform::file::open_without_links(CWD, path, flags, false)
        .unwrap_or_else(|| open_between_checks(path, flags));
    match opened {
        Ok(file) => Ok(file.into()),
        Err(error) if is_link(&error) => Err(RegularFileError::Moved),
        Err(error) => Err(RegularFileError::System { doing: "open", source: error }),
    }
}

/// Opens a path where the system can't refuse links: it is checked before, and again after, because a part of it may have
/// become a link in between.
fn open_between_checks(path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    must_have_no_links(path)?;
    let file = rustix::fs::open(path, flags | OFlags::NOFOLLOW, Mode::empty())?;
    must_have_no_links(path)?;
    let (opened, named) = (rustix::fs::fstat(&file)?, rustix::fs::lstat(path)?);
    if (opened.st_dev, opened.st_ino) != (named.st_dev, named.st_ino) {
        return Err(Errno::LOOP.into());
    }
    Ok(file)
}

/// Fails if a part of a path is a link.
fn must_have_no_links(path: &Path) -> io::Result<()> {
    for part in path.ancestors().filter(|part| !part.as_os_str().is_empty()) {
        if part.symlink_metadata()?.is_symlink() {
            return Err(Errno::LOOP.into());
        }
    }
    Ok(())
}

/// Whether an error means that a link was in the way, or that links lead in a circle.
pub fn is_link(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::LOOP | Errno::MLINK))
}

/// Whether an error means that a path changed while it was resolved.
pub fn is_moving(error: &io::Error) -> bool {
    let moving = [Errno::LOOP, Errno::MLINK, Errno::XDEV, Errno::AGAIN];
    Errno::from_io_error(error).is_some_and(|errno| moving.contains(&errno))
}

/// Fails unless these are the metadata of a regular file.
pub(crate) fn must_be_regular(metadata: &Metadata) -> Result<(), RegularFileError> {
    let kind = metadata.file_type();
    if kind.is_file() {
        return Ok(());
    }
    if kind.is_dir() {
        return Err(RegularFileError::Folder);
    }
    Err(RegularFileError::Special(if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }))
}

/// How often a file that changes under the reader is read again.
const ATTEMPTS: usize = 3;

/// Reads a whole file, with the metadata of the state that was read. A file of more than `limit` bytes is refused; one
/// that is written to meanwhile is read again.
pub fn read_whole(path: &Path, limit: u64) -> Result<(Vec<u8>, Metadata), RegularFileError> {
    let failed = RegularFileError::system("read");
    for attempt in 1.. {
        let opened = open(path)?;
        if opened.metadata.len() > limit {
            return Err(RegularFileError::TooLarge { size: opened.metadata.len(), limit });
        }
        // Files of the kernel report that they are empty, so the size is a hint and the limit is checked again.
        let mut bytes = Vec::with_capacity(usize::try_from(opened.metadata.len()).unwrap_or_default());
        let size = (&opened.file).take(limit + 1).read_to_end(&mut bytes).map_err(&failed)? as u64;
        if size > limit {
            return Err(RegularFileError::TooLarge { size, limit });
        }
        let after = opened.file.metadata().map_err(&failed)?;
        if FileStamp::of(&after) == opened.stamp() || attempt == ATTEMPTS {
            return Ok((bytes, opened.metadata));
        }
    }
    Err(RegularFileError::Changed)
}

/// Opens what is at a path, links followed, without waiting for the other end of a pipe. Look at its metadata before
/// reading it.
pub fn open_without_waiting(path: &Path) -> io::Result<File> {
    File::options().read(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path)
}

/// The same; a link at the end of the path is an error.
pub fn open_without_last_link(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    File::options().read(true).custom_flags(flags).open(path)
}

/// The position of the next written byte of a file, from this one on; `None` where the rest is a hole. A file
/// system that does not know its holes has none.
pub fn next_data(file: impl AsFd, from: u64) -> Option<u64> {
    match rustix::fs::seek(file, SeekFrom::Data(from)) {
        Ok(data) => Some(data),
        Err(Errno::NXIO) => None,
        Err(_) => Some(from),
    }
}

/// Whether this process may make files in a folder.
pub fn check_writable_folder(folder: &Path) -> io::Result<()> {
    Ok(access(folder, Access::WRITE_OK | Access::EXEC_OK)?)
}
