//! What git reads programs from at one place.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, openat, readlinkat, statat};
use serde::{Deserialize, Serialize};

use super::config;

/// How large a file may be to be read. Larger ones are not harmless.
const LIMIT: u64 = 256 << 10;
/// How many hooks are read of one repository at a time.
const HOOKS: usize = 256;

/// The folder of hooks in a repository.
const HOOKS_FOLDER: &str = "hooks";
/// The files of a repository that name programs, or the place of those that do.
const CONFIGS: &[&str] = &["config", "config.worktree"];
const COMMON: &str = "commondir";

/// A file of a repository that defines what runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum RepositoryItem {
    /// A file with these bytes; whether it may be run.
    File(Vec<u8>, bool),
    /// A link to this path.
    Link(Vec<u8>),
    /// Something else, or a file that is too large or can't be read: its number, when it changed, its size.
    Other(u64, i128, u64),
}

/// What git reads programs from at one place: the items by their names in the folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RepositoryState {
    /// Names from the folder: `config`, `hooks/pre-commit`; of a `.git` file or link, its own name.
    pub(super) items: BTreeMap<String, RepositoryItem>,
}

/// How a repository is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RepositoryKind {
    /// A folder with a repository's records: `.git`, a bare repository, a submodule's or a worktree's folder.
    Folder,
    /// A `.git` that is not a folder and names the repository.
    Pointer,
}

/// An item that may make git run something, and what to put in its place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RepositoryFault {
    /// The name of the item.
    pub(super) name: String,
    /// Why.
    pub(super) why: String,
    /// What takes its place, if anything does.
    pub(super) instead: Option<RepositoryItem>,
}

/// Opens a folder below a root, without following links on the way.
pub(super) fn open_below(root: &Path, path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let mut folder = rustix::fs::open(root, flags, Mode::empty())?;
    let below = path.strip_prefix(root).map_err(io::Error::other)?;
    for part in below.components() {
        let Component::Normal(name) = part else { return Err(io::ErrorKind::InvalidInput.into()) };
        folder = openat(&folder, name, flags, Mode::empty())?;
    }
    Ok(folder)
}

impl RepositoryState {
    /// Reads a place in a folder that is open: the folder's own items, or those of `.git` in it.
    pub(super) fn read(folder: impl AsFd, kind: RepositoryKind, name: &OsStr) -> RepositoryState {
        let mut items = BTreeMap::new();
        if kind == RepositoryKind::Pointer {
            if let Some(item) = RepositoryItem::read(&folder, name) {
                items.insert(name.to_string_lossy().into_owned(), item);
            }
            return RepositoryState { items };
        }
        for name in CONFIGS.iter().copied().chain([COMMON]) {
            if let Some(item) = RepositoryItem::read(&folder, OsStr::new(name)) {
                items.insert(name.to_owned(), item);
            }
        }
        read_hooks(folder.as_fd(), &mut items);
        RepositoryState { items }
    }

    /// What may make git run something that it did not run before. `place` is the folder, or the pointer's own folder.
    pub(super) fn faults(
        &self,
        place: &Path,
        kind: RepositoryKind,
        before: Option<&RepositoryState>,
    ) -> Vec<RepositoryFault> {
        let mut faults = Vec::new();
        for (name, item) in &self.items {
            let known = before.and_then(|before| before.items.get(name));
            if known == Some(item) {
                continue;
            }
            let fault = |why: String| RepositoryFault { name: name.clone(), why, instead: known.cloned() };
            if CONFIGS.contains(&name.as_str()) && kind == RepositoryKind::Folder {
                let before = match known {
                    Some(RepositoryItem::File(bytes, _)) => Some(bytes.as_slice()),
                    _ => None,
                };
                let RepositoryItem::File(bytes, _) = item else {
                    faults.push(fault("it can't be checked".to_owned()));
                    continue;
                };
                if let Some((why, rest)) = config::judge(bytes, before) {
                    let rest = RepositoryItem::File(rest, false);
                    faults.push(RepositoryFault {
                        name: name.clone(),
                        why,
                        instead: Some(known.cloned().unwrap_or(rest)),
                    });
                }
            } else if kind == RepositoryKind::Pointer || name == COMMON {
                if let Some(why) = item.leads(place, kind) {
                    faults.push(fault(why));
                }
            } else {
                faults.push(fault("git runs it".to_owned()));
            }
        }
        faults
    }
}

impl RepositoryItem {
    /// What is there of this name; nothing, or a folder, is not an item.
    fn read(folder: impl AsFd, name: &OsStr) -> Option<RepositoryItem> {
        let found = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let changed = i128::from(found.st_ctime) * 1_000_000_000 + i128::from(found.st_ctime_nsec);
        let other = RepositoryItem::Other(found.st_ino, changed, found.st_size.unsigned_abs());
        match FileType::from_raw_mode(found.st_mode) {
            FileType::Directory => None,
            FileType::Symlink => {
                let target = readlinkat(&folder, name, Vec::new()).ok();
                Some(target.map_or(other, |target| RepositoryItem::Link(target.into_bytes())))
            }
            FileType::RegularFile => {
                let is_program = found.st_mode & 0o111 != 0;
                let bytes = read_file(&folder, name).ok();
                Some(bytes.map_or(other, |bytes| RepositoryItem::File(bytes, is_program)))
            }
            _ => Some(other),
        }
    }

    /// Why the repository that it leads to is not harmless.
    fn leads(&self, place: &Path, kind: RepositoryKind) -> Option<String> {
        let target = match (self, kind) {
            (RepositoryItem::File(bytes, _), RepositoryKind::Pointer) => {
                bytes.strip_prefix(b"gitdir:").map(<[u8]>::trim_ascii)
            }
            (RepositoryItem::File(bytes, _), RepositoryKind::Folder) => Some(bytes.trim_ascii_end()),
            (RepositoryItem::Link(target), RepositoryKind::Pointer) => Some(target.as_slice()),
            _ => None,
        };
        let Some(target) = target.filter(|target| !target.is_empty()) else {
            return Some("it can't be checked".to_owned());
        };
        // What an agent that was killed left, and leads nowhere else.
        if kind == RepositoryKind::Folder && target == b"." {
            return None;
        }
        let target = PathBuf::from(OsString::from_vec(target.to_vec()));
        is_harmful(&place.join(&target), MOST_LEADS).then(|| format!("it leads to {}", target.display()))
    }
}

/// How many pointers are followed.
const MOST_LEADS: usize = 4;

/// Whether a repository elsewhere is not harmless by itself, or can't be judged.
fn is_harmful(path: &Path, leads: usize) -> bool {
    let Ok(path) = path.canonicalize() else { return true };
    if leads == 0 {
        return true;
    }
    if path.is_file() {
        // A link to the file of a worktree.
        let Some(folder) = path.parent() else { return true };
        let Ok(opened) = open_below(folder, folder) else { return true };
        let name = path.file_name().unwrap_or_default();
        let Some(RepositoryItem::File(bytes, _)) = RepositoryItem::read(&opened, name) else { return true };
        let Some(target) = bytes.strip_prefix(b"gitdir:") else { return true };
        return is_harmful(&folder.join(OsStr::from_bytes(target.trim_ascii())), leads - 1);
    }
    let Ok(folder) = open_below(&path, &path) else { return true };
    RepositoryState::read(&folder, RepositoryKind::Folder, OsStr::new("")).items.iter().any(|(name, item)| {
        match item {
            RepositoryItem::File(bytes, _) if CONFIGS.contains(&name.as_str()) => {
                config::judge(bytes, None).is_some()
            }
            RepositoryItem::File(bytes, _) if name == COMMON => {
                let target = OsStr::from_bytes(bytes.trim_ascii_end());
                target != "." && is_harmful(&path.join(target), leads - 1)
            }
            _ => true,
        }
    })
}

fn read_hooks(folder: impl AsFd, items: &mut BTreeMap<String, RepositoryItem>) {
    // A link is an item itself: where it leads is not looked at.
    if let Some(item) = RepositoryItem::read(&folder, OsStr::new(HOOKS_FOLDER)) {
        items.insert(HOOKS_FOLDER.to_owned(), item);
        return;
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let hooks = match openat(&folder, HOOKS_FOLDER, flags, Mode::empty()) {
        Ok(hooks) => hooks,
        Err(rustix::io::Errno::NOENT) => return,
        // Git needs not list them to run them.
        Err(_) => return drop(items.insert(HOOKS_FOLDER.to_owned(), RepositoryItem::Other(0, 0, 0))),
    };
    let Ok(entries) = Dir::read_from(&hooks) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_bytes();
        if name.ends_with(b".sample") || [b".".as_slice(), b".."].contains(&name) {
            continue;
        }
        // Git's hooks have plain names; no other file is one.
        let Ok(text) = std::str::from_utf8(name) else { continue };
        if let Some(item) = RepositoryItem::read(&hooks, OsStr::new(text)) {
            items.insert(format!("{HOOKS_FOLDER}/{text}"), item);
        }
        if items.len() > HOOKS {
            return;
        }
    }
}

fn read_file(folder: impl AsFd, name: &OsStr) -> io::Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = File::from(openat(folder, name, flags, Mode::empty())?);
    let mut bytes = Vec::new();
    (&file).take(LIMIT + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LIMIT {
        true => Err(io::ErrorKind::FileTooLarge.into()),
        false => Ok(bytes),
    }
}
