//! Moves what git would run out of a repository, into a folder of the agent.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use aqueduct_os::atomic_file::put_private;
use aqueduct_os::private_dir::make_private;
use rustix::fs::{AtFlags, Mode, OFlags, openat, renameat, symlinkat, unlinkat};

use super::place::{RepositoryFault, RepositoryItem, open_below};
use super::walk::FoundRepository;

/// What is added to the name of a file that is too large to be moved. Git runs no hook of such a name.
const SET_ASIDE: &str = ".quarantined.sample";

/// The folder of the agent for what was moved.
#[derive(Debug, Clone)]
pub(super) struct Quarantine {
    folder: PathBuf,
}

impl Quarantine {
    /// The quarantine in a folder; it is made when it is needed.
    pub(super) fn new(folder: PathBuf) -> Quarantine {
        Quarantine { folder }
    }

    /// Moves what is wrong with a repository; where it is now.
    ///
    /// A process that is still running may replace what is on the way with links. So all access is through
    /// folders that are open, and no link is followed.
    pub(super) fn take(&self, found: &FoundRepository, faults: &[RepositoryFault]) -> io::Result<PathBuf> {
        make_private(&self.folder)?;
        let kept = self.new_folder()?;
        let folder = open_below(&found.root, &found.folder)?;
        let mut note = format!(
            "A command in the sandbox left a git repository that would run programs.\n\nRepository: {}\n",
            found.path().display()
        );
        for (number, fault) in faults.iter().enumerate() {
            let copy =
                kept.join(format!("{number}-{}", fault.name.replace('/', "-").trim_start_matches('.')));
            note.push_str(&format!("{}: {}; {}\n", fault.name, fault.why, keep(found, fault, &copy)?));
        }
        put_private(&kept.join("note.txt"), note.as_bytes()).map_err(io::Error::other)?;
        for fault in faults {
            let is_kept = !matches!(found.state.items.get(&fault.name), Some(RepositoryItem::Other(..)));
            put_right(&folder, fault, is_kept)?;
        }
        Ok(kept)
    }

    fn new_folder(&self) -> io::Result<PathBuf> {
        for number in 1_u32.. {
            let folder = self.folder.join(number.to_string());
            match fs::create_dir(&folder) {
                Ok(()) => return Ok(folder),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::QuotaExceeded.into())
    }
}

/// Makes a folder readable that a command left unreadable: git may use what can't be listed. No link is followed.
#[cfg(all(target_os = "linux", not(aqueduct_portable)))]
pub(super) fn make_readable(root: &Path, folder: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd as _;
    use std::os::unix::fs::PermissionsExt as _;

    let (Some(above), Some(name)) = (folder.parent(), folder.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let above = open_below(root, above)?;
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = openat(&above, name, flags, Mode::empty())?;
    let opened = format!("/proc/self/fd/{}", opened.as_raw_fd());
    fs::set_permissions(opened, fs::Permissions::from_mode(0o700))
}

/// Other systems have no sandbox.
#[cfg(not(all(target_os = "linux", not(aqueduct_portable))))]
pub(super) fn make_readable(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Writes a copy of an item, which can't be run; returns its entry in the note.
fn keep(found: &FoundRepository, fault: &RepositoryFault, copy: &Path) -> io::Result<String> {
    match found.state.items.get(&fault.name) {
        Some(RepositoryItem::File(bytes, _)) => {
            put_private(copy, bytes).map_err(io::Error::other)?;
            Ok(format!("kept as {}", copy.display()))
        }
        Some(RepositoryItem::Link(target)) => {
            Ok(format!("it was a link to {}", OsStr::from_bytes(target).display()))
        }
        Some(RepositoryItem::Other(..)) | None => Ok(format!("renamed, with {SET_ASIDE} behind its name")),
    }
}

/// Removes an item, and puts what it was before in its place.
fn put_right(folder: &OwnedFd, fault: &RepositoryFault, is_kept: bool) -> io::Result<()> {
    let (inner, name) = match fault.name.split_once('/') {
        Some((inner, name)) => {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            (openat(folder, inner, flags, Mode::empty())?, name)
        }
        None => (folder.try_clone()?, fault.name.as_str()),
    };
    if !is_kept {
        return Ok(renameat(&inner, name, &inner, format!("{name}{SET_ASIDE}"))?);
    }
    match &fault.instead {
        Some(RepositoryItem::File(bytes, is_program)) => put_file(&inner, name, bytes, *is_program),
        Some(RepositoryItem::Link(target)) => {
            remove(&inner, name)?;
            Ok(symlinkat(OsStr::from_bytes(target), &inner, name)?)
        }
        Some(RepositoryItem::Other(..)) | None => remove(&inner, name),
    }
}

/// Puts a file in the place of another at once.
fn put_file(folder: impl AsFd, name: &str, bytes: &[u8], is_program: bool) -> io::Result<()> {
    let draft = format!(".aqueduct-{:016x}", fastrand::u64(..));
    let mode = if is_program { 0o755 } else { 0o644 };
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(openat(&folder, draft.as_str(), flags, Mode::from_raw_mode(mode))?);
    let put = file.write_all(bytes).and_then(|()| Ok(renameat(&folder, draft.as_str(), &folder, name)?));
    if put.is_err() {
        // The first error counts.
        let _ = remove(&folder, &draft);
    }
    put
}

fn remove(folder: impl AsFd, name: &str) -> io::Result<()> {
    match unlinkat(folder, name, AtFlags::empty()) {
        Ok(()) | Err(rustix::io::Errno::NOENT) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
