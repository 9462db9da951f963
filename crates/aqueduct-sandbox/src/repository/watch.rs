//! Looks at repositories before and after commands.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::pending::PendingRecord;
use super::place::RepositoryState;
use super::quarantine::{Quarantine, make_readable};
use super::walk::{FoundRepository, MOST, MOST_AFTER, RepositoryListing, walk};
use crate::git_index::{Hashes, gitlinks};

/// How often a tree is walked until nothing is wrong with it: a repository may have more hooks than are read at once,
/// and a process that is still running may add others.
const PASSES: usize = 16;
/// How many repositories are named in a report.
const NAMED: usize = 10;

/// What was there before commands began.
#[derive(Debug, Default)]
pub(super) struct RepositoryBaseline {
    /// The folders that commands may change.
    pub(super) roots: Vec<PathBuf>,
    /// What they can't change in there: a change is the user's.
    pub(super) kept: Vec<PathBuf>,
    /// The repositories.
    pub(super) states: BTreeMap<PathBuf, RepositoryState>,
    /// Folders that can't be read.
    pub(super) unread: BTreeSet<PathBuf>,
    /// Whether there was too much to list: then nothing is known of the rest.
    pub(super) is_cut: bool,
    /// The gitlinks of the working directories' own repositories; nothing is known after a restart.
    pub(super) gitlinks: Option<BTreeSet<(PathBuf, Vec<u8>)>>,
}

impl RepositoryBaseline {
    fn new(roots: &[PathBuf], kept: &[PathBuf]) -> RepositoryBaseline {
        let listing = walk(roots, MOST);
        let mut known = RepositoryBaseline {
            roots: roots.to_vec(),
            kept: kept.to_vec(),
            is_cut: listing.is_cut,
            gitlinks: Some(links(roots)),
            ..RepositoryBaseline::default()
        };
        known.adopt(listing);
        known
    }

    fn adopt(&mut self, listing: RepositoryListing) {
        self.states = listing.found.into_iter().map(|(path, found)| (path, found.state)).collect();
        self.unread = listing.unread.into_keys().collect();
    }
}

/// The gitlinks in the repositories of folders.
fn links(roots: &[PathBuf]) -> BTreeSet<(PathBuf, Vec<u8>)> {
    let repositories = roots.iter().filter(|root| root.join(".git").is_dir());
    let links = repositories.flat_map(|root| {
        let links = gitlinks(&root.join(".git"), Hashes::Unknown).unwrap_or_default();
        links.into_iter().map(|link| (root.clone(), link))
    });
    links.collect()
}

/// Looks at repositories before and after commands of a session.
#[derive(Debug, Clone)]
pub struct RepositoryWatch(Arc<Mutex<RepositoryWatchState>>);

#[derive(Debug)]
struct RepositoryWatchState {
    quarantine: Quarantine,
    /// The folder of notes of what is not checked, and the session's own.
    notes: PathBuf,
    note: PathBuf,
    /// How many commands run.
    running: usize,
    /// Whether something ran since the last check.
    is_due: bool,
    known: Option<RepositoryBaseline>,
    pending: Option<PendingRecord>,
    /// Whether there is something that can't be checked or undone.
    is_incomplete: bool,
}

/// A command that runs, and everything it started, until this is dropped.
#[derive(Debug)]
pub struct CommandWindow(RepositoryWatch);

impl Drop for CommandWindow {
    fn drop(&mut self) {
        let mut inner = self.0.inner();
        inner.running -= 1;
    }
}

impl CommandWindow {
    /// The watch that it belongs to.
    pub fn watch(&self) -> RepositoryWatch {
        self.0.clone()
    }
}

impl RepositoryWatch {
    /// A watch that keeps what it needs in `folder`, under the name of a session.
    pub fn new(folder: &Path, session: &str) -> RepositoryWatch {
        let notes = folder.join("pending");
        RepositoryWatch(Arc::new(Mutex::new(RepositoryWatchState {
            quarantine: Quarantine::new(folder.join("quarantine")),
            note: notes.join(format!("{session}.json")),
            notes,
            running: 0,
            is_due: false,
            known: None,
            pending: None,
            is_incomplete: false,
        })))
    }

    fn inner(&self) -> MutexGuard<'_, RepositoryWatchState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A command begins that may change what is in `roots`, without `kept`. What is wrong with what earlier ones left
    /// is reported.
    pub fn begin(
        &self,
        roots: &[PathBuf],
        kept: &[PathBuf],
    ) -> std::io::Result<(CommandWindow, Vec<String>)> {
        let mut inner = self.inner();
        let reports = if inner.is_due { inner.check() } else { Vec::new() };
        inner.prepare(roots, kept)?;
        inner.running += 1;
        inner.is_due = true;
        drop(inner);
        Ok((CommandWindow(self.clone()), reports))
    }

    /// Checks what commands left, if any ran since the last time.
    pub fn check(&self) -> Vec<String> {
        let mut inner = self.inner();
        if inner.is_due { inner.check() } else { Vec::new() }
    }

    /// Checks what commands of agents left that were killed.
    pub fn recover(&self) -> Vec<String> {
        let inner = self.inner();
        let mut reports = Vec::new();
        for (pending, known) in PendingRecord::left_over(&inner.notes) {
            let (_, found, is_clean) = inspect(&known, &inner.quarantine);
            reports.extend(found);
            if is_clean {
                pending.done();
            }
        }
        reports
    }

    /// Whether everything that commands left is checked, and undone where that is needed.
    pub fn is_sure(&self) -> bool {
        !self.inner().is_incomplete
    }
}

impl RepositoryWatchState {
    /// Lists what is there before a command. While another runs, what it has made is not the user's.
    fn prepare(&mut self, roots: &[PathBuf], kept: &[PathBuf]) -> std::io::Result<()> {
        match &mut self.known {
            // Nor is what could not be undone.
            Some(known) if self.is_due => {
                let added: Vec<PathBuf> =
                    roots.iter().filter(|root| !known.roots.contains(root)).cloned().collect();
                if !added.is_empty() {
                    let more = RepositoryBaseline::new(&added, &[]);
                    known.is_cut |= more.is_cut;
                    for (path, state) in more.states {
                        known.states.entry(path).or_insert(state);
                    }
                    known.unread.extend(more.unread);
                    known.roots.extend(added);
                }
                // What one of them can change is not kept.
                known.kept.retain(|path| kept.contains(path));
            }
            known => {
                let listed = RepositoryBaseline::new(roots, kept);
                self.is_incomplete = listed.is_cut;
                *known = Some(listed);
            }
        }
        let Some(known) = self.known.as_ref().filter(|known| !known.is_cut) else { return Ok(()) };
        match &mut self.pending {
            Some(pending) => pending.rewrite(known),
            pending => {
                *pending = Some(PendingRecord::write(&self.note, known)?);
                Ok(())
            }
        }
    }

    fn check(&mut self) -> Vec<String> {
        let Some(known) = &mut self.known else { return Vec::new() };
        if known.is_cut {
            // The user's own files can't be distinguished from the rest.
            self.is_due = self.running > 0;
            return Vec::new();
        }
        let (listing, mut reports, is_clean) = inspect(known, &self.quarantine);
        if let Some(before) = &known.gitlinks {
            let now = links(&known.roots);
            reports.extend(now.difference(before).map(|(root, link)| {
                let path = String::from_utf8_lossy(link);
                format!(
                    "A sandboxed command recorded {path} as a submodule (gitlink) in the index of {}, so git commands \
                     there also look into it. To undo that, run: git rm --cached {path}",
                    root.display()
                )
            }));
            known.gitlinks = Some(now);
        }
        known.adopt(listing);
        self.is_incomplete = !is_clean;
        if self.running == 0 && is_clean {
            self.is_due = false;
            self.pending.take().into_iter().for_each(PendingRecord::done);
        }
        reports
    }
}

/// Looks at everything, moves what is wrong, and reports it: what is there then, and whether nothing is left.
fn inspect(known: &RepositoryBaseline, quarantine: &Quarantine) -> (RepositoryListing, Vec<String>, bool) {
    let mut reports = Vec::new();
    let mut failed: BTreeSet<PathBuf> = BTreeSet::new();
    let mut listing = RepositoryListing::default();
    let mut is_done = false;
    for _ in 0..PASSES {
        listing = walk(&known.roots, MOST_AFTER);
        let mut moved = 0;
        for (path, found) in &listing.found {
            let mut faults = found.state.faults(&found.folder, found.kind, known.states.get(path));
            faults.retain(|fault| !is_kept(known, found, &fault.name));
            if faults.is_empty() || failed.contains(path) {
                continue;
            }
            let what: Vec<String> =
                faults.iter().map(|fault| format!("{}: {}", fault.name, fault.why)).collect();
            let what = format!("{} ({})", path.display(), what.join("; "));
            match quarantine.take(found, &faults) {
                Ok(kept) => {
                    moved += 1;
                    reports.push(format!("{what}, moved to {}", kept.display()));
                }
                Err(error) => {
                    failed.insert(path.clone());
                    reports.push(format!("{what}, which can't be moved: {error}. Run no git command there"));
                }
            }
        }
        for (folder, root) in listing.unread.iter().filter(|(folder, _)| !known.unread.contains(*folder)) {
            if make_readable(root, folder).is_ok() && std::fs::read_dir(folder).is_ok() {
                moved += 1;
            }
        }
        if moved == 0 {
            is_done = true;
            break;
        }
    }
    let unread: Vec<PathBuf> =
        listing.unread.keys().filter(|folder| !known.unread.contains(*folder)).cloned().collect();
    let is_clean = is_done && failed.is_empty() && unread.is_empty() && !listing.is_cut;
    let mut reported = Vec::new();
    if !reports.is_empty() {
        let more = reports.len().saturating_sub(NAMED);
        reports.truncate(NAMED);
        let more = if more > 0 { format!("\n- and {more} more") } else { String::new() };
        reported.push(format!(
            "A sandboxed command left git repositories that would run programs outside of the sandbox:\n- {}{more}",
            reports.join("\n- ")
        ));
    }
    if let Some(first) = unread.first() {
        reported.push(format!(
            "A sandboxed command left {} folder(s) that can't be checked for git repositories, such as {}. Make them \
             readable or remove them; until then no command is allowed for being in the sandbox",
            unread.len(),
            first.display()
        ));
    }
    if listing.is_cut || (!is_done && failed.is_empty()) {
        reported.push(
            "There are too many files to check what sandboxed commands left. Remove what they made before you run git \
             there; until then no command is allowed for being in the sandbox"
                .to_owned(),
        );
    }
    // What is still wrong does not count as known.
    listing.found.retain(|path, _| !failed.contains(path));
    listing.unread.retain(|path, _| known.unread.contains(path));
    (listing, reported, is_clean)
}

/// Whether commands could not change an item: of all rules about it, the deepest counts.
fn is_kept(known: &RepositoryBaseline, found: &FoundRepository, name: &str) -> bool {
    let path = found.folder.join(name);
    let deepest = |paths: &[PathBuf]| {
        paths.iter().filter(|holder| path.starts_with(holder)).map(|holder| holder.components().count()).max()
    };
    deepest(&known.kept) > deepest(&known.roots)
}
