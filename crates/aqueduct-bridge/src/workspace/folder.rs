use std::ffi::{CStr, OsStr};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, RawMode, Stat};
use rustix::io::Errno;

/// How a folder is opened that is only gone through. Listing it opens it again.
#[cfg(target_os = "linux")]
const PASSAGE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const PASSAGE: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// A folder that is held open. What is reached from it lies in it, whatever paths come to mean meanwhile: no
/// symbolic link below it is followed.
#[derive(Debug)]
pub(super) struct Folder {
    fd: OwnedFd,
    path: PathBuf,
}

/// A name in a folder.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) name: std::ffi::OsString,
    pub(super) kind: FileType,
}

impl Folder {
    /// Opens a folder by its path, wherever that leads: a root, which whoever runs the bridge vouches for.
    pub(super) fn root(path: &Path) -> io::Result<Self> {
        let fd = rustix::fs::open(path, PASSAGE, Mode::empty())?;
        Ok(Folder { fd, path: path.to_owned() })
    }

    /// Its path when it was opened, without symbolic links.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A folder somewhere below this one, or this one for an empty path.
    pub(super) fn folder(&self, relative: &Path) -> io::Result<Self> {
        let path = self.path.join(relative);
        if relative.as_os_str().is_empty() {
            return Ok(Folder { fd: self.fd.try_clone()?, path: self.path.clone() });
        }
        Ok(Folder { fd: self.open(relative, PASSAGE)?, path })
    }

    /// A file somewhere below this one. `None` where something else is in its place: a device must not even be
    /// opened, since that alone can do things.
    pub(super) fn file(&self, relative: &Path) -> io::Result<Option<File>> {
        let (folder, name) = self.holder(relative)?;
        if FileType::from_raw_mode(folder.stat_name(name)?.st_mode as RawMode) != FileType::RegularFile {
            return Ok(None);
        }
        // It may have become something else by now: that must not make anybody wait.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::openat(&folder.fd, name, flags, Mode::empty())?);
        Ok(file.metadata()?.is_file().then_some(file))
    }

    /// What is known of something below this folder. Of a link that is at the end of the path, the link itself.
    pub(super) fn stat(&self, relative: &Path) -> io::Result<Stat> {
        let (folder, name) = self.holder(relative)?;
        folder.stat_name(name)
    }

    /// Where a link below this folder leads, as it says.
    pub(super) fn link(&self, relative: &Path) -> io::Result<PathBuf> {
        let (folder, name) = self.holder(relative)?;
        let text = rustix::fs::readlinkat(&folder.fd, name, Vec::new())?;
        Ok(PathBuf::from(OsStr::from_bytes(text.as_bytes())))
    }

    /// What is in the folder, unsorted.
    pub(super) fn entries(&self) -> io::Result<impl Iterator<Item = io::Result<Named>>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let names = Dir::new(rustix::fs::openat(&self.fd, ".", flags, Mode::empty())?)?.filter(|entry| {
            let name = entry.as_ref().map(|entry| entry.file_name());
            !name.is_ok_and(|name: &CStr| name == c"." || name == c"..")
        });
        Ok(names.map(|entry| {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes()).to_owned();
            let kind = match entry.file_type() {
                // Not every file system tells.
                FileType::Unknown => FileType::from_raw_mode(self.stat_name(&name)?.st_mode as RawMode),
                known => known,
            };
            Ok(Named { name, kind })
        }))
    }

    /// Whether it is one of the kernel's own, such as `/proc`: what looks like a file there is none.
    #[cfg(target_os = "linux")]
    pub(super) fn is_of_kernel(&self) -> io::Result<bool> {
        /// What `/proc` and `/sys` call themselves.
        const KERNELS: [u64; 2] = [0x9fa0, 0x6265_6572];
        Ok(KERNELS.contains(&(rustix::fs::fstatfs(&self.fd)?.f_type as u64)))
    }
    #[cfg(not(target_os = "linux"))]
    pub(super) fn is_of_kernel(&self) -> io::Result<bool> {
        Ok(false)
    }

    /// The folder that something is in, and its name there.
    fn holder<'p>(&self, relative: &'p Path) -> io::Result<(Self, &'p OsStr)> {
        let name = relative.file_name().ok_or(Errno::INVAL)?;
        Ok((self.folder(relative.parent().unwrap_or(Path::new("")))?, name))
    }

    fn stat_name(&self, name: &OsStr) -> io::Result<Stat> {
        Ok(rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW)?)
    }

    #[cfg(target_os = "linux")]
    fn open(&self, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        use rustix::fs::ResolveFlags;

        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match rustix::fs::openat2(&self.fd, relative, flags | OFlags::NOFOLLOW, Mode::empty(), resolve) {
            // Kernels before 5.6, and some sandboxes.
            Err(Errno::NOSYS | Errno::PERM) => self.open_in_steps(relative, flags),
            opened => Ok(opened?),
        }
    }
    #[cfg(not(target_os = "linux"))]
    fn open(&self, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        self.open_in_steps(relative, flags)
    }

    /// Goes from folder to folder, so that there is no moment for a link to take the place of one.
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
