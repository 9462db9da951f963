//! Why a file could not be read or changed, in words that say what to do next.

use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

/// Why a file could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    /// There is nothing of that name.
    #[error("{} does not exist.{hint}", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// A sentence about what is there instead; begins with a space, or is empty.
        hint: String,
    },
    /// It is a folder.
    #[error(
        "{} is a folder. List it with Glob or with `ls` in Bash; name a file in it to read or write one.",
        .0.display()
    )]
    Folder(PathBuf),
    /// It is a device, a pipe or a socket.
    #[error("{} is {kind}, not a regular file. This tool only works on regular files.", path.display())]
    Special {
        /// The file.
        path: PathBuf,
        /// What it is, with its article.
        kind: &'static str,
    },
    /// A part of the path that should be a folder is a file.
    #[error("{} can't exist: a part of that path is a file, not a folder.", .0.display())]
    ParentIsFile(PathBuf),
    /// Links that lead round in a circle.
    #[error("{} is a symbolic link that leads back to itself. Look at it with `ls -l`.", .0.display())]
    Loop(PathBuf),
    /// A name that no file system takes.
    #[error("The file system takes no name this long: {}", .0.display())]
    NameTooLong(PathBuf),
    /// The user may not do that.
    #[error("No permission to {doing} {}. Check it with `ls -l`, or ask the user.", path.display())]
    Denied {
        /// What was tried: a verb.
        doing: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// The file system can't be written to.
    #[error("{} is on a read-only file system. Nothing was written.", .0.display())]
    ReadOnly(PathBuf),
    /// No room for the new contents.
    #[error("The disk is full, or a quota is used up: {} was left as it was. Make room and try again.", .0.display())]
    DiskFull(PathBuf),
    /// It changed while the tool was at work.
    #[error("{} changed on disk at this very moment and was left alone. Read it again, then try again.", .0.display())]
    Changed(PathBuf),
    /// Something was laid in its way.
    #[error("{} leads to another file than a moment ago and was left alone. Look at the links on its way, then try again.", .0.display())]
    Moved(PathBuf),
    /// Too much to hold in memory.
    #[error(
        "{} has {size} bytes, more than the {limit} this tool works on as a whole. Use a command in Bash.",
        path.display()
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// How large it is.
        size: u64,
        /// How large it may be.
        limit: u64,
    },
    /// Anything else the system says.
    #[error("Could not {doing} {}: {source}", path.display())]
    System {
        /// What was tried: a verb.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl FileError {
    /// The error of an operation on `path`; `doing` is the verb for it.
    pub(crate) fn new(doing: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match Errno::from_io_error(&source) {
            Some(Errno::NOENT) => FileError::Missing { path, hint: String::new() },
            Some(Errno::ISDIR) => FileError::Folder(path),
            Some(Errno::NOTDIR) => FileError::ParentIsFile(path),
            Some(Errno::LOOP) => FileError::Loop(path),
            Some(Errno::NAMETOOLONG) => FileError::NameTooLong(path),
            Some(Errno::ACCESS | Errno::PERM) => FileError::Denied { doing, path },
            Some(Errno::ROFS) => FileError::ReadOnly(path),
            Some(Errno::NOSPC | Errno::DQUOT | Errno::FBIG) => FileError::DiskFull(path),
            _ => FileError::System { doing, path, source },
        }
    }
}
