//! All repositories below folders that commands may change.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::place::{RepositoryKind, RepositoryState, open_below};

/// How many folders and other entries the user's trees may have to be checked at all.
pub(super) const MOST: usize = 2_000_000;
/// How many there may be after commands: many more, so that no command hides something behind others.
pub(super) const MOST_AFTER: usize = 20_000_000;

/// A repository: the root that it is below, and how it is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundRepository {
    /// The folder below which links are not followed.
    pub(super) root: PathBuf,
    /// The repository's folder, or the folder that the pointer is in.
    pub(super) folder: PathBuf,
    /// How it is found.
    pub(super) kind: RepositoryKind,
    /// The pointer's name.
    pub(super) name: OsString,
    /// What it has.
    pub(super) state: RepositoryState,
}

impl FoundRepository {
    /// The path that names it.
    pub(super) fn path(&self) -> PathBuf {
        if self.name.is_empty() { self.folder.clone() } else { self.folder.join(&self.name) }
    }
}

/// What a walk finds.
#[derive(Debug, Default)]
pub(super) struct RepositoryListing {
    /// The repositories, by their paths.
    pub(super) found: BTreeMap<PathBuf, FoundRepository>,
    /// Folders that can't be read, with the roots that they are below.
    pub(super) unread: BTreeMap<PathBuf, PathBuf>,
    /// Whether there was too much to look at.
    pub(super) is_cut: bool,
}

/// Which of a repository's records a folder has.
#[derive(Default)]
struct RepositoryRecords {
    head: bool,
    objects: bool,
    refs: bool,
    common: bool,
}

impl RepositoryRecords {
    fn add(&mut self, name: &OsStr) {
        // A file system may ignore case.
        let is = |wanted: &str| name.as_encoded_bytes().eq_ignore_ascii_case(wanted.as_bytes());
        self.head |= is("HEAD");
        self.objects |= is("objects");
        self.refs |= is("refs");
        self.common |= is("commondir");
    }

    /// Whether git takes the folder for a repository. What the records are does not count: git looks at their rights
    /// only, and they may still become what they are not.
    fn are_a_repository(&self) -> bool {
        self.head && ((self.objects && self.refs) || self.common)
    }
}

/// Lists the repositories below folders, among so many entries. Links are not followed.
pub(super) fn walk(roots: &[PathBuf], most: usize) -> RepositoryListing {
    let mut listing = RepositoryListing::default();
    let mut left = most;
    for (number, root) in roots.iter().enumerate() {
        // What is in another is walked with it.
        let is_inner =
            |(at, other): (usize, &PathBuf)| at != number && root.starts_with(other) && root != other;
        if roots.iter().enumerate().any(is_inner) {
            continue;
        }
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            match listing.look(root, &folder, &mut folders, &mut left) {
                Ok(()) => (),
                Err(error) if error.kind() == io::ErrorKind::NotFound => (),
                Err(_) => drop(listing.unread.insert(folder, root.clone())),
            }
            if left == 0 {
                listing.is_cut = true;
                return listing;
            }
        }
    }
    listing
}

impl RepositoryListing {
    fn look(
        &mut self,
        root: &Path,
        folder: &Path,
        folders: &mut Vec<PathBuf>,
        left: &mut usize,
    ) -> io::Result<()> {
        let mut records = RepositoryRecords::default();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            *left = left.saturating_sub(1);
            if *left == 0 {
                return Ok(());
            }
            let name = entry.file_name();
            records.add(&name);
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if name.as_encoded_bytes().eq_ignore_ascii_case(b".git") {
                self.add(root, folder, RepositoryKind::Pointer, name)?;
            }
        }
        if records.are_a_repository() {
            self.add(root, folder, RepositoryKind::Folder, OsString::new())?;
        }
        Ok(())
    }

    fn add(&mut self, root: &Path, folder: &Path, kind: RepositoryKind, name: OsString) -> io::Result<()> {
        let opened = open_below(root, folder)?;
        let state = RepositoryState::read(&opened, kind, &name);
        let found = FoundRepository { root: root.to_owned(), folder: folder.to_owned(), kind, name, state };
        self.found.insert(found.path(), found);
        Ok(())
    }
}
