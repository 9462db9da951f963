use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, RawMode, Stat};
use rustix::io::Errno;

/// How deep a tree may be that is removed.
const DEEPEST: usize = 32;

/// A folder that is held open. What is done in it is done there, whatever its path comes to mean meanwhile, and no
/// symbolic link in it is followed.
#[derive(Debug)]
pub(super) struct Folder {
    fd: OwnedFd,
    /// For messages.
    path: PathBuf,
}

/// Something in a folder.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) is_folder: bool,
    pub(super) is_file: bool,
}

impl Folder {
    /// Opens a folder by its path, wherever that leads. `None` where there is none.
    pub(super) fn root(path: &Path) -> io::Result<Option<Self>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        there(rustix::fs::open(path, flags, Mode::empty()).map(|fd| Folder { fd, path: path.to_owned() }))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The path of something in the folder, for messages.
    pub(super) fn path_of(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A folder in this one; `None` where there is none, or a link in its place.
    pub(super) fn folder(&self, name: &str) -> io::Result<Option<Self>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = rustix::fs::openat(&self.fd, checked(name)?, flags, Mode::empty());
        there(opened.map(|fd| Folder { fd, path: self.path_of(name) }))
    }

    /// A file in this folder to read; `None` where there is none, or something else in its place.
    pub(super) fn file(&self, name: &str) -> io::Result<Option<File>> {
        self.open(name, OFlags::RDONLY)
    }

    /// A file in this folder to read and to append to; `None` as for [`Folder::file`].
    pub(super) fn file_to_append(&self, name: &str) -> io::Result<Option<File>> {
        self.open(name, OFlags::RDWR | OFlags::APPEND)
    }

    /// Makes a file that is the user's alone. It must not be there yet.
    pub(super) fn create(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd = rustix::fs::openat(&self.fd, checked(name)?, flags, Mode::from_raw_mode(0o600))?;
        Ok(File::from(fd))
    }

    fn open(&self, name: &str, flags: OFlags) -> io::Result<Option<File>> {
        // What is no file must not make anybody wait.
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = rustix::fs::openat(&self.fd, checked(name)?, flags, Mode::empty());
        let Some(file) = there(opened.map(File::from))? else { return Ok(None) };
        Ok(file.metadata()?.is_file().then_some(file))
    }

    /// What is known of something in this folder; `None` where it is not there.
    pub(super) fn stat(&self, name: &str) -> io::Result<Option<Stat>> {
        there(rustix::fs::statat(&self.fd, checked(name)?, AtFlags::SYMLINK_NOFOLLOW))
    }

    /// What is in the folder, unsorted. Names that are no text are not ours.
    pub(super) fn entries(&self) -> io::Result<Vec<Named>> {
        let mut found = Vec::new();
        for entry in Dir::read_from(&self.fd)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().to_str() else { continue };
            if name == "." || name == ".." {
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => match self.stat(name)? {
                    Some(stat) => FileType::from_raw_mode(stat.st_mode as RawMode),
                    None => continue,
                },
                known => known,
            };
            found.push(Named {
                name: name.to_owned(),
                is_folder: kind == FileType::Directory,
                is_file: kind == FileType::RegularFile,
            });
        }
        Ok(found)
    }

    /// Gives a file of this folder another name, unless that is taken.
    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let flags = rustix::fs::RenameFlags::NOREPLACE;
        match rustix::fs::renameat_with(&self.fd, checked(from)?, &self.fd, checked(to)?, flags) {
            // Not every file system can promise it. Nobody else makes a file with a fresh random name.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                Ok(rustix::fs::renameat(&self.fd, from, &self.fd, to)?)
            }
            other => Ok(other?),
        }
    }

    /// Removes a file. One that is not there is fine.
    pub(super) fn remove_file(&self, name: &str) -> io::Result<()> {
        there(rustix::fs::unlinkat(&self.fd, checked(name)?, AtFlags::empty())).map(drop)
    }

    /// Removes a folder with all that is in it. Links are removed, never followed.
    pub(super) fn remove_folder(&self, name: &str) -> io::Result<()> {
        if let Some(folder) = self.folder(name)? {
            empty(&folder.fd, DEEPEST)?;
            there(rustix::fs::unlinkat(&self.fd, name, AtFlags::REMOVEDIR))?;
        }
        Ok(())
    }
}

/// Removes everything in a folder.
fn empty(folder: &OwnedFd, depth: usize) -> io::Result<()> {
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name: &CStr = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        match rustix::fs::unlinkat(folder, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => continue,
            Err(Errno::ISDIR | Errno::PERM) if depth > 0 => {}
            Err(error) => return Err(error.into()),
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let inner = rustix::fs::openat(folder, name, flags, Mode::empty())?;
        empty(&inner, depth - 1)?;
        rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR)?;
    }
    Ok(())
}

/// A name and no path: nothing leads out of the folder.
fn checked(name: &str) -> io::Result<&str> {
    match name {
        "" | "." | ".." => Err(io::ErrorKind::InvalidInput.into()),
        _ if name.contains(['/', '\0']) => Err(io::ErrorKind::InvalidInput.into()),
        _ => Ok(name),
    }
}

/// What is not there, or is a link or something else than was wanted, is `None`.
fn there<T>(result: rustix::io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::MLINK | Errno::ISDIR | Errno::NXIO) => {
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}
