use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// How a folder is opened that is only gone through.
pub(crate) const PASSAGE: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

pub(crate) fn open_without_links(
    _folder: impl AsFd,
    _path: &Path,
    _flags: OFlags,
    _is_beneath: bool,
) -> Option<io::Result<OwnedFd>> {
    None
}

pub(crate) fn path_of(_file: impl AsFd) -> Option<PathBuf> {
    None
}

pub(crate) fn is_of_kernel(_folder: impl AsFd) -> io::Result<bool> {
    Ok(false)
}

pub(crate) fn watch_links(_path: &Path) -> io::Result<Option<OwnedFd>> {
    Ok(None)
}

pub(crate) fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
