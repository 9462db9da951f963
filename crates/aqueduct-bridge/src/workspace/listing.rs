use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use aqueduct_os::folder::{FileKind, Folder};

use super::ignored::IgnorePatterns;
use super::roots::Roots;
use crate::Failure;
use crate::work::Deadline;

/// How many files and folders a listing has.
const ENTRIES: usize = 200_000;

/// How long all their names are together.
const NAME_BYTES: usize = 24 << 20;

/// How deep folders are gone into.
const DEEPEST: usize = 64;

/// The files and folders of a project, without those that git ignores: the nearest first, by name.
#[derive(Debug, Default)]
pub(super) struct ProjectListing {
    /// All paths, one behind the other.
    names: String,
    entries: Vec<ListingEntry>,
    /// Whether there were too many.
    pub(super) is_cut: bool,
}

#[derive(Debug, Clone, Copy)]
struct ListingEntry {
    /// Where the name ends; it begins where the one before ends.
    end: u32,
    is_folder: bool,
}

/// A folder that is still to be gone through.
struct PendingFolder {
    /// From the project's folder.
    path: PathBuf,
    depth: usize,
    ignored: IgnorePatterns,
}

impl ProjectListing {
    /// Goes through a project's folder, level by level, so that what is cut off is what is deepest. Links are
    /// listed and not followed.
    pub(super) fn of(roots: &Roots, project: &Folder, deadline: Deadline) -> Result<Self, Failure> {
        let mut listing = ProjectListing::default();
        let above = IgnorePatterns::above(roots, project);
        let mut steps = VecDeque::from([PendingFolder { path: PathBuf::new(), depth: 0, ignored: above }]);
        while let Some(step) = steps.pop_front() {
            deadline.check()?;
            // A folder that has gone, or that we may not read, has nothing to list.
            let Ok(folder) = project.folder(&step.path) else { continue };
            listing.add(&folder, step, &mut steps);
            if listing.is_cut {
                break;
            }
        }
        listing.names.shrink_to_fit();
        listing.entries.shrink_to_fit();
        Ok(listing)
    }

    /// Adds what is in a folder.
    fn add(&mut self, folder: &Folder, step: PendingFolder, steps: &mut VecDeque<PendingFolder>) {
        let ignored = step.ignored.inside(folder);
        let Ok(entries) = folder.entries() else { return };
        let mut found = Vec::new();
        for entry in entries.flatten().take(ENTRIES) {
            // A name that is not text can be neither typed nor requested.
            let Ok(name) = entry.name.into_string() else { continue };
            let is_folder = entry.kind == FileKind::Folder;
            let is_listed = matches!(entry.kind, FileKind::Folder | FileKind::File | FileKind::Link);
            if is_listed && !ignored.holds(&folder.path().join(&name), is_folder) {
                found.push((name, is_folder));
            }
        }
        found.sort_unstable();
        for (name, is_folder) in found {
            let path = step.path.join(name);
            if !self.push(&path, is_folder) {
                self.is_cut = true;
                return;
            }
            if is_folder && step.depth < DEEPEST {
                steps.push_back(PendingFolder { path, depth: step.depth + 1, ignored: ignored.clone() });
            }
        }
    }

    /// Adds an entry, if there is room.
    fn push(&mut self, path: &Path, is_folder: bool) -> bool {
        let Some(path) = path.to_str() else { return true };
        let end = self.names.len() + path.len();
        if self.entries.len() == ENTRIES || end > NAME_BYTES {
            return false;
        }
        let Ok(end) = u32::try_from(end) else { return false };
        self.names.push_str(path);
        self.entries.push(ListingEntry { end, is_folder });
        true
    }

    /// All paths, and whether each is a folder.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (&str, bool)> {
        let mut start = 0;
        self.entries.iter().map(move |entry| {
            let name = self.names.get(start..entry.end as usize).unwrap_or_default();
            start = entry.end as usize;
            (name, entry.is_folder)
        })
    }
}
