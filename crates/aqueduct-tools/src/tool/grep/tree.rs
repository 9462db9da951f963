//! Searches the files of a folder: in order and alone at first, with several threads where there are many.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use ignore::{DirEntry, Error, ParallelVisitor, ParallelVisitorBuilder, WalkBuilder, WalkState};

use super::file_search::{FileMatches, FileSearch, Terms};
use super::options::GrepOutputMode;
use super::page::LineWindow;
use super::ranking::Ranking;
use crate::tool::search::{self, Hidden, HiddenFilter, SearchEffort};

/// How long a search is left to one thread. Few entries take long where files are large, or where folders have many
/// files that are filtered out.
const ALONE_FOR: Duration = Duration::from_millis(5);

/// What a search gathers.
pub(super) struct GatheredMatches {
    pub(super) ranking: Ranking,
    /// How many files have matches. Where the search stops at the limit, only as far as it went.
    pub(super) files: usize,
    pub(super) matches: u64,
    pub(super) unreadable: usize,
}

impl GatheredMatches {
    pub(super) fn new(window: LineWindow) -> Self {
        GatheredMatches { ranking: Ranking::new(window), files: 0, matches: 0, unreadable: 0 }
    }

    pub(super) fn add(&mut self, path: &Path, found: FileMatches) {
        self.files += 1;
        self.matches += found.matches;
        self.ranking.add(found.modified, path, found.page);
    }
}

/// A search of a folder.
pub(super) struct TreeSearch<'a> {
    terms: &'a Terms<'a>,
    base: &'a Path,
    /// What each thread starts with.
    screen: HiddenFilter<'a>,
    /// What is asked of each file.
    window: LineWindow,
    gathered: Mutex<GatheredMatches>,
    /// Whether the ranking is full: then each file is compared with it before it is searched.
    is_full: AtomicBool,
}

impl<'a> TreeSearch<'a> {
    pub(super) fn new(terms: &'a Terms<'a>, base: &'a Path, hidden: &'a Hidden) -> Self {
        let window = terms.options.window();
        TreeSearch {
            terms,
            base,
            screen: HiddenFilter::new(hidden),
            window: Ranking::window_of_file(window),
            gathered: Mutex::new(GatheredMatches::new(window)),
            is_full: AtomicBool::new(false),
        }
    }

    /// Searches the tree. What is found does not depend on the effort.
    pub(super) fn search(self, effort: SearchEffort) -> GatheredMatches {
        if let Some(done) = self.in_order(effort) {
            let mut threads = SearchThreads { tree: &self, done: &done };
            self.walk().threads(effort.threads).build_parallel().visit(&mut threads);
        }
        self.gathered.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn walk(&self) -> WalkBuilder {
        let options = self.terms.options;
        let mut walk = WalkBuilder::new(self.base);
        walk.hidden(false)
            .add_custom_ignore_filename(".rgignore")
            .overrides(options.overrides.clone())
            .types(options.types.clone())
            .filter_entry(|entry| {
                entry.depth() == 0 || !is_folder(entry) || !search::is_records(Some(entry.file_name()))
            });
        walk
    }

    /// Searches in order. If that leaves something for other threads to do, returns how far it came.
    fn in_order(&self, effort: SearchEffort) -> Option<PathBuf> {
        let (mut search, mut screen) = (FileSearch::new(self.terms), self.screen.clone());
        let begun = Instant::now();
        let mut may_start = effort.threads > 1;
        let mut seen = 0;
        for entry in self.walk().sort_by_file_name(Ord::cmp).build() {
            if self.terms.watch.is_over() || self.is_answered() {
                return None;
            }
            let Ok(entry) = entry else {
                self.lock().unreadable += 1;
                continue;
            };
            self.take(&mut search, &mut screen, &entry);
            seen += 1;
            if may_start && (seen >= effort.alone || begun.elapsed() >= ALONE_FOR) {
                if effort.has_threads() {
                    return Some(entry.into_path());
                }
                may_start = false;
            }
        }
        None
    }

    /// Whether a search in order is at its end: what comes later is behind the page.
    fn is_answered(&self) -> bool {
        self.terms.options.mode == GrepOutputMode::Content && self.is_full.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, GatheredMatches> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches an entry, if it is a file that may be read and can change the answer.
    fn take(&self, search: &mut FileSearch<'_>, screen: &mut HiddenFilter<'_>, entry: &DirEntry) {
        let path = entry.path();
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        if !is_file || screen.hides(path) || !self.admits(path) {
            return;
        }
        match search.search(path, true, self.window) {
            Ok(None) => {}
            Ok(Some(found)) => {
                let mut gathered = self.lock();
                gathered.add(path, found);
                if gathered.ranking.is_full() {
                    self.is_full.store(true, Ordering::Relaxed);
                }
            }
            Err(_) => self.lock().unreadable += 1,
        }
    }

    /// Whether a file could still change the answer.
    fn admits(&self, path: &Path) -> bool {
        if !self.is_full.load(Ordering::Relaxed) {
            return true;
        }
        match self.terms.options.mode {
            // The totals are of all files.
            GrepOutputMode::Count => true,
            GrepOutputMode::Content => self.lock().ranking.admits(SystemTime::UNIX_EPOCH, path),
            GrepOutputMode::Files => {
                let modified = fs::symlink_metadata(path).and_then(|about| about.modified());
                modified.map_or(true, |modified| self.lock().ranking.admits(modified, path))
            }
        }
    }

    /// Whether nothing in a folder could change the answer.
    fn passes_over(&self, folder: &Path) -> bool {
        self.terms.options.mode == GrepOutputMode::Content && !self.admits(folder)
    }
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

/// What the threads of a search share: the tree, and how far the search in order came.
struct SearchThreads<'t> {
    tree: &'t TreeSearch<'t>,
    done: &'t Path,
}

impl<'s, 't: 's> ParallelVisitorBuilder<'s> for SearchThreads<'t> {
    fn build(&mut self) -> Box<dyn ParallelVisitor + 's> {
        Box::new(Worker {
            tree: self.tree,
            done: self.done,
            search: FileSearch::new(self.tree.terms),
            screen: self.tree.screen.clone(),
        })
    }
}

/// One thread of a search.
struct Worker<'t> {
    tree: &'t TreeSearch<'t>,
    done: &'t Path,
    search: FileSearch<'t>,
    screen: HiddenFilter<'t>,
}

impl ParallelVisitor for Worker<'_> {
    fn visit(&mut self, entry: Result<DirEntry, Error>) -> WalkState {
        let tree = self.tree;
        if tree.terms.watch.is_over() {
            return WalkState::Quit;
        }
        match entry {
            Ok(entry) if is_folder(&entry) => {
                // The order of paths is that of the search: what is in a folder follows it.
                let is_done = entry.path() < self.done && !self.done.starts_with(entry.path());
                if is_done || tree.passes_over(entry.path()) {
                    return WalkState::Skip;
                }
            }
            Ok(entry) if entry.path() > self.done => tree.take(&mut self.search, &mut self.screen, &entry),
            Ok(_) => {}
            Err(error) => {
                // Errors in what was searched before, and of ignore files above the folder, are counted already.
                if path_of(&error).is_some_and(|path| path.starts_with(tree.base) && path > self.done) {
                    tree.lock().unreadable += 1;
                }
            }
        }
        WalkState::Continue
    }
}

/// The file or folder that an error is about.
fn path_of(error: &Error) -> Option<&Path> {
    match error {
        Error::WithPath { path, .. } => Some(path),
        Error::WithDepth { err, .. } | Error::WithLineNumber { err, .. } => path_of(err),
        Error::Partial(errors) => errors.iter().find_map(path_of),
        _ => None,
    }
}
