//! A folder that is held open, and what is reached from it without following links.

use std::ffi::{CStr, OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, RawMode, Stat};
use rustix::io::Errno;

use crate::platform::file::{self, PASSAGE};

/// How deep a tree may be that is removed.
const DEEPEST: usize = 32;

/// A folder that is held open. What is reached from it is in it, whatever paths come to mean meanwhile: no
/// symbolic link below it is followed.
#[derive(Debug)]
pub struct Folder {
    fd: OwnedFd,
    path: PathBuf,
}

/// What something in a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A device, a pipe or a socket.
    Other,
}

/// A name in a folder.
#[derive(Debug, Clone)]
pub struct FolderEntry {
    /// The name.
    pub name: OsString,
    /// What has it.
    pub kind: FileKind,
}

/// What is known of something in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileFacts {
    /// What it is.
    pub kind: FileKind,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last written: seconds since 1970, and nanoseconds.
    pub modified: (i64, u32),
}

impl FileKind {
    fn of(kind: FileType) -> Self {
        match kind {
            FileType::RegularFile => FileKind::File,
            FileType::Directory => FileKind::Folder,
            FileType::Symlink => FileKind::Link,
            _ => FileKind::Other,
        }
    }
}

impl FileFacts {
    fn of(stat: &Stat) -> Self {
        FileFacts {
            kind: FileKind::of(FileType::from_raw_mode(stat.st_mode as RawMode)),
            size: u64::try_from(stat.st_size).unwrap_or(0),
            modified: (stat.st_mtime, stat.st_mtime_nsec as u32),
        }
    }
}

impl Folder {
    /// Opens a folder by its path, wherever that leads: one that the caller trusts.
    pub fn root(path: &Path) -> io::Result<Self> {
        let fd = rustix::fs::open(path, PASSAGE, Mode::empty())?;
        Ok(Folder { fd, path: path.to_owned() })
    }

    /// Its path when it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A folder somewhere below this one, or this one for an empty path.
    pub fn folder(&self, relative: &Path) -> io::Result<Self> {
        if relative.as_os_str().is_empty() {
            return Ok(Folder { fd: self.fd.try_clone()?, path: self.path.clone() });
        }
        Ok(Folder { fd: self.open(relative, PASSAGE)?, path: self.path.join(relative) })
    }

    /// A file somewhere below this one, to read. `None` where something else is in its place: a device must not even be
    /// opened, since that alone can do things.
    pub fn file(&self, relative: &Path) -> io::Result<Option<File>> {
        self.regular(relative, OFlags::RDONLY)
    }

    /// The same, to read and to append to.
    pub fn file_to_append(&self, relative: &Path) -> io::Result<Option<File>> {
        self.regular(relative, OFlags::RDWR | OFlags::APPEND)
    }

    fn regular(&self, relative: &Path, flags: OFlags) -> io::Result<Option<File>> {
        let (holder, name) = self.holder(relative)?;
        if facts(holder.as_fd(), name)?.kind != FileKind::File {
            return Ok(None);
        }
        // It may have become something else by now: opening it must not block.
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::openat(holder.as_fd(), name, flags, Mode::empty())?);
        Ok(file.metadata()?.is_file().then_some(file))
    }

    /// Makes a file that is the user's alone. It must not be there yet.
    pub fn create(&self, relative: &Path) -> io::Result<File> {
        let (holder, name) = self.holder(relative)?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(rustix::fs::openat(holder.as_fd(), name, flags, Mode::from_raw_mode(0o600))?))
    }

    /// What is known of something below this folder. Of a link that is at the end of the path, the link itself.
    pub fn facts(&self, relative: &Path) -> io::Result<FileFacts> {
        let (holder, name) = self.holder(relative)?;
        facts(holder.as_fd(), name)
    }

    /// The target of a link below this folder, as stored.
    pub fn link(&self, relative: &Path) -> io::Result<PathBuf> {
        let (holder, name) = self.holder(relative)?;
        let text = rustix::fs::readlinkat(holder.as_fd(), name, Vec::new())?;
        Ok(PathBuf::from(OsStr::from_bytes(text.as_bytes())))
    }

    /// What is in the folder, unsorted.
    pub fn entries(&self) -> io::Result<impl Iterator<Item = io::Result<FolderEntry>>> {
        let names = listing(&self.fd)?.filter(|entry| {
            let name = entry.as_ref().map(|entry| entry.file_name());
            !name.is_ok_and(is_dots)
        });
        Ok(names.map(|entry| {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes()).to_owned();
            let kind = match entry.file_type() {
                // Not every file system reports it.
                FileType::Unknown => facts(self.fd.as_fd(), &name)?.kind,
                known => FileKind::of(known),
            };
            Ok(FolderEntry { name, kind })
        }))
    }

    /// Gives a file in this folder another name, unless that is taken.
    pub fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        let flags = rustix::fs::RenameFlags::NOREPLACE;
        match rustix::fs::renameat_with(&self.fd, from, &self.fd, to, flags) {
            // Not every file system guarantees it. No other program creates a file with a fresh random name.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                Ok(rustix::fs::renameat(&self.fd, from, &self.fd, to)?)
            }
            other => Ok(other?),
        }
    }

    /// Removes a file in this folder.
    pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.fd, name, AtFlags::empty())?)
    }

    /// Removes a folder in this one with all that is in it. Links are removed, never followed.
    pub fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        let folder = self.folder(Path::new(name))?;
        empty(&folder.fd, DEEPEST)?;
        Ok(rustix::fs::unlinkat(&self.fd, name, AtFlags::REMOVEDIR)?)
    }

    /// Whether it is one of the kernel's own, such as `/proc`: what looks like a file there is none.
    pub fn is_of_kernel(&self) -> io::Result<bool> {
        file::is_of_kernel(&self.fd)
    }

    /// The folder that something is in, and its name there.
    fn holder<'p>(&self, relative: &'p Path) -> io::Result<(ParentFolder<'_>, &'p OsStr)> {
        let name = relative.file_name().ok_or(Errno::INVAL)?;
        match relative.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            Some(parent) => Ok((ParentFolder::Below(self.open(parent, PASSAGE)?), name)),
            None => Ok((ParentFolder::This(self.fd.as_fd()), name)),
        }
    }

    fn open(&self, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        file::open_without_links(&self.fd, relative, flags | OFlags::NOFOLLOW, true)
            .unwrap_or_else(|| self.open_in_steps(relative, flags))
    }

    /// Goes from folder to folder, so that a link can't replace one in between.
    fn open_in_steps(&self, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let mut fd = self.fd.try_clone()?;
        let mut components = relative.components().peekable();
        while let Some(component) = components.next() {
            let Component::Normal(name) = component else { return Err(Errno::INVAL.into()) };
            let flags = if components.peek().is_some() { PASSAGE } else { flags };
            fd = rustix::fs::openat(&fd, name, flags | OFlags::NOFOLLOW, Mode::empty())?;
        }
        Ok(fd)
    }
}

/// The folder that holds something.
enum ParentFolder<'f> {
    This(BorrowedFd<'f>),
    Below(OwnedFd),
}

impl AsFd for ParentFolder<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            ParentFolder::This(fd) => *fd,
            ParentFolder::Below(fd) => fd.as_fd(),
        }
    }
}

fn facts(folder: BorrowedFd<'_>, name: &OsStr) -> io::Result<FileFacts> {
    Ok(FileFacts::of(&rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?))
}

/// The entries of a folder that may have been opened to be gone through only.
fn listing(folder: &OwnedFd) -> io::Result<Dir> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(Dir::new(rustix::fs::openat(folder, ".", flags, Mode::empty())?)?)
}

fn is_dots(name: &CStr) -> bool {
    name == c"." || name == c".."
}

/// Removes everything in a folder.
fn empty(folder: &OwnedFd, depth: usize) -> io::Result<()> {
    for entry in listing(folder)? {
        let entry = entry?;
        let name: &CStr = entry.file_name();
        if is_dots(name) {
            continue;
        }
        match rustix::fs::unlinkat(folder, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => continue,
            Err(Errno::ISDIR | Errno::PERM) if depth > 0 => {}
            Err(error) => return Err(error.into()),
        }
        let inner = rustix::fs::openat(folder, name, PASSAGE | OFlags::NOFOLLOW, Mode::empty())?;
        empty(&inner, depth - 1)?;
        rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR)?;
    }
    Ok(())
}

/// What is not there, or is a link or something else than was wanted, is `None`.
pub fn present<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    let absent = [Errno::NOENT, Errno::NOTDIR, Errno::LOOP, Errno::MLINK, Errno::ISDIR, Errno::NXIO];
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if Errno::from_io_error(&error).is_some_and(|errno| absent.contains(&errno)) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// Both ways to open must refuse the same; kernels have only one of them.
    #[test]
    fn no_way_leads_through_a_link_or_upwards() {
        let top = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(top.path().join("in/a/b")).unwrap();
        std::fs::create_dir(top.path().join("out")).unwrap();
        symlink(top.path().join("out"), top.path().join("in/link")).unwrap();
        symlink("a", top.path().join("in/near")).unwrap();
        let folder = Folder::root(&top.path().join("in")).unwrap();
        for open in [Folder::open, Folder::open_in_steps] {
            assert!(open(&folder, Path::new("a/b"), PASSAGE).is_ok());
            for wrong in ["link", "near", "near/b", "a/../../out", "..", "/", "a/none"] {
                assert!(open(&folder, Path::new(wrong), PASSAGE).is_err(), "{wrong}");
            }
        }
    }
}
