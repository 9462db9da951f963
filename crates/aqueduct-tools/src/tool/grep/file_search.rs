use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use grep_searcher::Searcher;

use super::options::{GrepOptions, GrepOutputMode};
use super::page::{GrepPage, LineWindow};
use super::sink::{LineCollector, MatchCounter};
use crate::tool::search::{self, SearchWatch};

/// How much of a file each thread holds at once: its longest line, or all of it where matches go over lines.
const USUAL_HEAP: usize = 4 << 20;
/// How much of a file may be held that needs more. One thread at a time has such a file.
const LARGEST_HEAP: usize = 64 << 20;

/// What a file has.
pub(super) struct FileMatches {
    pub(super) page: GrepPage,
    /// How many lines match, as far as the search of the file went.
    pub(super) matches: u64,
    /// When the file was changed, if the order of the answer depends on it.
    pub(super) modified: SystemTime,
}

/// What the searches of all files share.
pub(super) struct Terms<'a> {
    pub(super) cwd: &'a Path,
    pub(super) options: &'a GrepOptions,
    pub(super) watch: &'a SearchWatch,
    /// Held by the thread that searches a file with a long line.
    pub(super) large_file: Mutex<()>,
}

/// Searches one file after another.
pub(super) struct FileSearch<'a> {
    terms: &'a Terms<'a>,
    searcher: Searcher,
}

impl<'a> FileSearch<'a> {
    pub(super) fn new(terms: &'a Terms<'a>) -> Self {
        FileSearch { terms, searcher: terms.options.searcher(USUAL_HEAP) }
    }

    /// What a file has in a window of its lines; `None` if it has nothing or is not text. With `is_named`, each line
    /// begins with the file's path.
    pub(super) fn search(
        &mut self,
        path: &Path,
        is_named: bool,
        window: LineWindow,
    ) -> io::Result<Option<FileMatches>> {
        let terms = self.terms;
        let mut file = File::open(path)?;
        let found = match look(terms, &mut self.searcher, &file, path, is_named, window) {
            Ok(found) => found,
            Err(_) => {
                // Most likely there is a line that is longer than the usual.
                let _alone = terms.large_file.lock().unwrap_or_else(PoisonError::into_inner);
                file.rewind()?;
                let mut searcher = terms.options.searcher(LARGEST_HEAP);
                look(terms, &mut searcher, &file, path, is_named, window)?
            }
        };
        if found.page.total() == 0 {
            return Ok(None);
        }
        let modified = match terms.options.mode {
            GrepOutputMode::Files => file.metadata().and_then(|about| about.modified()),
            GrepOutputMode::Content | GrepOutputMode::Count => Ok(SystemTime::UNIX_EPOCH),
        };
        Ok(Some(FileMatches { modified: modified.unwrap_or(SystemTime::UNIX_EPOCH), ..found }))
    }
}

fn look(
    terms: &Terms<'_>,
    searcher: &mut Searcher,
    file: &File,
    path: &Path,
    is_named: bool,
    window: LineWindow,
) -> io::Result<FileMatches> {
    let Terms { cwd, options, watch, .. } = *terms;
    let input = CancellableFile { file, watch };
    let name = || search::shown(path, cwd);
    let mut page = GrepPage::new(window);
    let mut matches = 0;
    match options.mode {
        GrepOutputMode::Content => {
            let name = is_named.then(name);
            let mut lines = LineCollector::new(&mut page, options, name.as_deref(), watch);
            searcher.search_reader(&options.matcher, input, &mut lines)?;
            if lines.is_binary {
                page = GrepPage::new(window);
            }
        }
        GrepOutputMode::Files | GrepOutputMode::Count => {
            let mut counter = MatchCounter::new(options.mode == GrepOutputMode::Files, watch);
            searcher.search_reader(&options.matcher, input, &mut counter)?;
            if counter.matches > 0 && !counter.is_binary {
                matches = counter.matches;
                page.push(|| match options.mode {
                    GrepOutputMode::Count => format!("{}:{matches}", name()),
                    GrepOutputMode::Files | GrepOutputMode::Content => name(),
                });
            }
        }
    }
    Ok(FileMatches { page, matches, modified: SystemTime::UNIX_EPOCH })
}

/// A file that ends when the search has to.
struct CancellableFile<'w> {
    file: &'w File,
    watch: &'w SearchWatch,
}

impl Read for CancellableFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.watch.is_over() {
            return Ok(0);
        }
        self.file.read(buffer)
    }
}
