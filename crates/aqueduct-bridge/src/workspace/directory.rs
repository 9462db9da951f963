//! What is in a folder, to choose a project.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ffi::OsStr;
use std::path::Path;

use aqueduct_os::folder::{self, Folder, FolderEntry};

use super::roots::{Roots, unreadable};
use crate::Failure;
use crate::message::bridge::{Directory, DirectoryEntry, EntryKind};
use crate::work::Deadline;

/// How many entries are listed.
const ENTRIES: usize = 1000;

/// How many names of a folder are looked at.
const NAMES: usize = 100_000;

/// The roots, as a folder of their own.
pub(super) fn roots(roots: &Roots) -> Directory<'static> {
    let entries = roots.paths().iter().filter(|root| root.is_dir()).map(|root| {
        let text = root.to_string_lossy().into_owned();
        let mut entry = DirectoryEntry::new(text.clone(), text, EntryKind::Directory);
        entry.git = is_repository(roots, root).then_some(true);
        entry
    });
    Directory::new("", entries.collect::<Vec<_>>())
}

/// Lists a folder: folders first, by name.
pub(super) fn list(
    roots: &Roots,
    path: &Path,
    with_hidden: bool,
    deadline: Deadline,
) -> Result<Directory<'static>, Failure> {
    let folder = roots.folder(path)?;
    let failed = |error| unreadable(path, &error);
    // The first ones in order, found without holding all of them.
    let mut kept = BinaryHeap::new();
    let mut is_cut = false;
    for (number, entry) in folder.entries().map_err(failed)?.enumerate() {
        if number == NAMES {
            is_cut = true;
            break;
        }
        let entry = entry.map_err(failed)?;
        if !with_hidden && entry.name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        deadline.check()?;
        let kind = kind(roots, &folder, &entry);
        let name = entry.name.to_string_lossy().into_owned();
        kept.push((Reverse(kind == DirectoryEntryKind::Folder), name.to_lowercase(), name, kind));
        if kept.len() > ENTRIES {
            kept.pop();
            is_cut = true;
        }
    }
    let mut entries = Vec::with_capacity(kept.len());
    for (_, _, name, kind) in kept.into_sorted_vec() {
        deadline.check()?;
        let path = folder.path().join(&name);
        let mut entry = DirectoryEntry::new(name, path.to_string_lossy().into_owned(), kind.into_message());
        entry.git = (kind == DirectoryEntryKind::Folder && is_repository(roots, &path)).then_some(true);
        entries.push(entry);
    }
    let mut directory = Directory::new(folder.path().to_string_lossy().into_owned(), entries);
    let parent = folder.path().parent().filter(|parent| roots.hold(parent));
    directory.parent = parent.map(|parent| parent.to_string_lossy().into_owned().into());
    directory.cut = is_cut.then_some(true);
    Ok(directory)
}

/// What something in a folder is for those who choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DirectoryEntryKind {
    Folder,
    File,
    Other,
}

impl DirectoryEntryKind {
    fn into_message(self) -> EntryKind<'static> {
        match self {
            DirectoryEntryKind::Folder => EntryKind::Directory,
            DirectoryEntryKind::File => EntryKind::File,
            DirectoryEntryKind::Other => EntryKind::OtherKind,
        }
    }
}

fn kind(roots: &Roots, folder: &Folder, entry: &FolderEntry) -> DirectoryEntryKind {
    match entry.kind {
        // A name that is not text can't be requested.
        _ if entry.name.to_str().is_none() => DirectoryEntryKind::Other,
        folder::FileKind::Folder => DirectoryEntryKind::Folder,
        folder::FileKind::File => DirectoryEntryKind::File,
        folder::FileKind::Link => linked(roots, folder, &entry.name),
        _ => DirectoryEntryKind::Other,
    }
}

/// What a link leads to, if it stays under the roots.
fn linked(roots: &Roots, folder: &Folder, name: &OsStr) -> DirectoryEntryKind {
    match roots.resolve(&folder.path().join(name)).map(|real| real.symlink_metadata()) {
        Ok(Ok(found)) if found.is_dir() => DirectoryEntryKind::Folder,
        Ok(Ok(found)) if found.is_file() => DirectoryEntryKind::File,
        _ => DirectoryEntryKind::Other,
    }
}

/// Whether a folder is the working tree of a repository.
fn is_repository(roots: &Roots, path: &Path) -> bool {
    roots.folder(path).is_ok_and(|folder| folder.facts(Path::new(".git")).is_ok())
}
