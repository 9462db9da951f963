//! Why a file could not be read or changed, and what to do next.

use std::io;
use std::path::{Path, PathBuf};

use aqueduct_os::regular_file::{self, is_link};
use aqueduct_wire::hint::{Hint, HintedError};

/// Why a file could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// There is nothing of that name.
    #[error("{} does not exist", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// A sentence about what is there instead.
        instead: Option<String>,
    },
    /// It is a folder.
    #[error("{} is a directory", .0.display())]
    Folder(PathBuf),
    /// It is a device, a pipe or a socket.
    #[error("{} is {kind}, not a regular file", path.display())]
    Special {
        /// The file.
        path: PathBuf,
        /// What it is, with its article.
        kind: &'static str,
    },
    /// A part of the path that should be a folder is a file.
    #[error("{} does not exist: a part of that path is a file, not a directory", .0.display())]
    ParentIsFile(PathBuf),
    /// Links that lead round in a circle.
    #[error("{} is a symbolic link that points to itself", .0.display())]
    Loop(PathBuf),
    /// A name that no file system takes.
    #[error("The file name is too long for the file system: {}", .0.display())]
    NameTooLong(PathBuf),
    /// The user may not do that.
    #[error("No permission to {doing} {}", path.display())]
    Denied {
        /// What was tried: a verb.
        doing: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// The file system can't be written to.
    #[error("{} is on a read-only file system", .0.display())]
    ReadOnly(PathBuf),
    /// No room for the new contents.
    #[error("The disk is full or a quota is exceeded: {} was not changed", .0.display())]
    DiskFull(PathBuf),
    /// It changed while the tool ran.
    #[error("{} changed on disk during the operation and was not changed", .0.display())]
    Changed(PathBuf),
    /// Something was laid in its way.
    #[error("{} resolves to another file than before and was not changed", .0.display())]
    Moved(PathBuf),
    /// Too much to hold in memory.
    #[error("{} has {size} bytes, more than the {limit} this tool works on as a whole", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// How large it is.
        size: u64,
        /// How large it may be.
        limit: u64,
    },
    /// Any other error of the operating system.
    #[error("Could not {doing} {}: {source}", path.display())]
    System {
        /// What was tried: a verb.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl FileError {
    /// The error of an operation on `path`; `doing` is the verb for it.
    pub fn new(doing: &'static str, path: &Path, source: io::Error) -> Self {
        use io::ErrorKind;

        let path = path.to_owned();
        match source.kind() {
            _ if is_link(&source) => FileError::Loop(path),
            ErrorKind::NotFound => FileError::Missing { path, instead: None },
            ErrorKind::IsADirectory => FileError::Folder(path),
            ErrorKind::NotADirectory => FileError::ParentIsFile(path),
            ErrorKind::InvalidFilename => FileError::NameTooLong(path),
            ErrorKind::PermissionDenied => FileError::Denied { doing, path },
            ErrorKind::ReadOnlyFilesystem => FileError::ReadOnly(path),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                FileError::DiskFull(path)
            }
            _ => FileError::System { doing, path, source },
        }
    }

    /// The error of reading or replacing the file at `path`.
    pub fn of(path: &Path) -> impl Fn(regular_file::RegularFileError) -> Self {
        move |error| {
            let path = path.to_owned();
            match error {
                regular_file::RegularFileError::Folder => FileError::Folder(path),
                regular_file::RegularFileError::Special(kind) => FileError::Special { path, kind },
                regular_file::RegularFileError::ParentIsFile => FileError::ParentIsFile(path),
                regular_file::RegularFileError::Changed => FileError::Changed(path),
                regular_file::RegularFileError::Moved => FileError::Moved(path),
                regular_file::RegularFileError::TooLarge { size, limit } => {
                    FileError::TooLarge { path, size, limit }
                }
                regular_file::RegularFileError::System { doing, source } => {
                    FileError::new(doing, &path, source)
                }
            }
        }
    }
}

impl HintedError for FileError {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::sentence(match self {
            FileError::Missing { instead, .. } => return instead.as_deref().map(Hint::sentence),
            FileError::Folder(_) => {
                "List it with Glob or with `ls` in Bash, or pass the path of a file in it."
            }
            FileError::Special { .. } => "This tool only works on regular files.",
            FileError::Loop(_) => "Inspect it with `ls -l`.",
            FileError::Denied { .. } => "Check it with `ls -l`, or ask the user.",
            FileError::ReadOnly(_) => "Nothing was written.",
            FileError::DiskFull(_) => "Free some space and try again.",
            FileError::Changed(_) => "Read it again, then try again.",
            FileError::Moved(_) => "Check the symbolic links in its path, then try again.",
            FileError::TooLarge { .. } => "Use a command in Bash.",
            FileError::ParentIsFile(_) | FileError::NameTooLong(_) | FileError::System { .. } => return None,
        }))
    }
}
