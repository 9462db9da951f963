use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::inotify::{CreateFlags, WatchFlags, add_watch, init};
use rustix::fs::{CWD, Mode, OFlags, RenameFlags, ResolveFlags, fstatfs, openat2, renameat_with};
use rustix::io::Errno;

/// How a folder is opened that is only gone through: that takes less than to read it.
pub(crate) const PASSAGE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// The file systems of the kernel: `/proc` and `/sys`.
const KERNELS: [u64; 2] = [0x9fa0, 0x6265_6572];

/// Opens a path without following any link in it. None where the system can't do that in one call.
pub(crate) fn open_without_links(
    folder: impl AsFd,
    path: &Path,
    flags: OFlags,
    is_beneath: bool,
) -> Option<io::Result<OwnedFd>> {
    let mut resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    resolve.set(ResolveFlags::BENEATH, is_beneath);
    match openat2(folder, path, flags, Mode::empty(), resolve) {
        // Kernels before 5.6, and some sandboxes.
        Err(Errno::NOSYS | Errno::PERM) => None,
        opened => Some(opened.map_err(io::Error::from)),
    }
}

/// A path that leads to an open file, whatever becomes of its name.
pub(crate) fn path_of(file: impl AsFd) -> Option<PathBuf> {
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_fd().as_raw_fd()));
    // It may not be mounted.
    path.exists().then_some(path)
}

pub(crate) fn is_of_kernel(folder: impl AsFd) -> io::Result<bool> {
    Ok(KERNELS.contains(&(fstatfs(folder)?.f_type as u64)))
}

/// A file that is readable after the links of the file at a path changed.
pub(crate) fn watch_links(path: &Path) -> io::Result<Option<OwnedFd>> {
    let events = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?;
    add_watch(&events, path, WatchFlags::ATTRIB)?;
    Ok(Some(events))
}

/// Exchanges what two names lead to.
pub(crate) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        // Kernels and file systems without it.
        Err(Errno::INVAL | Errno::NOSYS) => Err(io::ErrorKind::Unsupported.into()),
        done => Ok(done?),
    }
}
