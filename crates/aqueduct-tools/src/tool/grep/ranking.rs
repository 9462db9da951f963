use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::page::{GrepPage, LineWindow, TEXT_LIMIT};

/// Where a file is in the answer: those changed last first, then by path. Where the order is by path alone, all have
/// the same time.
type Rank = (Reverse<SystemTime>, PathBuf);

/// What a file adds to the answer.
#[derive(Debug)]
struct RankedFile {
    count: usize,
    size: usize,
    /// The lines, if the page begins with the answer. Which files a later page shows is unknown until all are counted;
    /// those are searched again.
    lines: Option<Vec<String>>,
}

/// The first files of an answer, whatever the order in which they are found: as many as it takes to fill the page and
/// to know that there is more.
#[derive(Debug)]
pub(super) struct Ranking {
    window: LineWindow,
    files: BTreeMap<Rank, RankedFile>,
    count: usize,
    size: usize,
}

impl Ranking {
    pub(super) fn new(window: LineWindow) -> Self {
        Ranking { window, files: BTreeMap::new(), count: 0, size: 0 }
    }

    /// What is asked of a single file: its lines up to the end of the page, or how many there are until then.
    pub(super) fn window_of_file(window: LineWindow) -> LineWindow {
        match window.offset {
            0 => window,
            offset => LineWindow { offset: offset.saturating_add(window.limit), limit: 0 },
        }
    }

    /// Adds what a file has. Files that can't be on the page any more are dropped.
    pub(super) fn add(&mut self, modified: SystemTime, path: &Path, found: GrepPage) {
        let (count, size) = (found.total(), found.size());
        self.count += count;
        self.size += size;
        let lines = (self.window.offset == 0).then(|| found.into_lines());
        self.files.insert((Reverse(modified), path.to_owned()), RankedFile { count, size, lines });
        while let Some(last) = self.files.last_entry() {
            let RankedFile { count, size, .. } = *last.get();
            if !fills(self.window, self.count - count, self.size - size) {
                break;
            }
            (self.count, self.size) = (self.count - count, self.size - size);
            last.remove();
        }
    }

    /// Whether there is a line behind the page.
    pub(super) fn is_full(&self) -> bool {
        fills(self.window, self.count, self.size)
    }

    /// Whether a file, or one in a folder, could still change the page.
    pub(super) fn admits(&self, modified: SystemTime, path: &Path) -> bool {
        let is_before =
            |(last_modified, last): &Rank| (Reverse(modified), path) <= (*last_modified, last.as_path());
        !self.is_full() || self.files.last_key_value().is_none_or(|(last, _)| is_before(last))
    }

    /// The page. Its files are searched again where their lines are not held. `separator` is put between files.
    pub(super) fn into_page(
        self,
        separator: Option<&str>,
        mut search: impl FnMut(&Path, LineWindow) -> Option<GrepPage>,
    ) -> GrepPage {
        let mut page = GrepPage::new(self.window);
        for ((_, path), part) in self.files {
            if let Some(separator) = separator.filter(|_| page.total() > 0) {
                page.push(|| separator.to_owned());
            }
            let (before, count, lines) = match part.lines {
                Some(lines) => (0, part.count, lines),
                None if page.before() >= part.count => (0, part.count, Vec::new()),
                None => {
                    let window = LineWindow { offset: page.before(), limit: self.window.limit };
                    let Some(found) = search(&path, window) else { continue };
                    (window.offset.min(found.total()), found.total(), found.into_lines())
                }
            };
            page.pass(before);
            let behind = count.saturating_sub(before + lines.len());
            lines.into_iter().for_each(|line| page.push(|| line));
            page.pass(behind);
            if page.has_more() {
                break;
            }
        }
        page
    }
}

/// Whether this many lines with this much text fill a page and continue after it. Twice the text that fits is always
/// more than a page.
fn fills(window: LineWindow, count: usize, size: usize) -> bool {
    count > window.offset.saturating_add(window.limit) || window.offset == 0 && size > 2 * TEXT_LIMIT
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn page_of(lines: &[&str]) -> GrepPage {
        let mut page = GrepPage::new(LineWindow { offset: 0, limit: 1000 });
        lines.iter().for_each(|line| page.push(|| (*line).to_owned()));
        page
    }

    #[test]
    fn no_more_files_are_held_than_the_page_needs() {
        let mut ranking = Ranking::new(LineWindow { offset: 0, limit: 10 });
        for number in (0..100_000).rev() {
            ranking.add(SystemTime::UNIX_EPOCH, Path::new(&format!("{number:06}")), page_of(&["x"]));
            assert!(ranking.files.len() <= 11);
        }
        assert!(ranking.is_full());
        assert!(ranking.admits(SystemTime::UNIX_EPOCH, Path::new("000005x")));
        assert!(!ranking.admits(SystemTime::UNIX_EPOCH, Path::new("000011")));
        let page = ranking.into_page(None, |_, _| panic!("the lines are held"));
        assert_eq!((page.lines().len(), page.has_more()), (10, true));
    }

    #[test]
    fn no_more_text_is_held_than_an_answer_may_have() {
        let mut ranking = Ranking::new(LineWindow { offset: 0, limit: TEXT_LIMIT });
        let line = "x".repeat(600);
        for number in 0..10_000u64 {
            let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(number);
            ranking.add(modified, Path::new("same"), page_of(&[&line]));
            assert!(ranking.size <= 2 * TEXT_LIMIT + 601);
        }
        assert!(!ranking.admits(SystemTime::UNIX_EPOCH, Path::new("same")), "older than all that are held");
    }

    #[test]
    fn later_pages_hold_no_text_and_search_only_their_files_again() {
        let mut ranking = Ranking::new(LineWindow { offset: 5, limit: 2 });
        for name in ["c", "a", "b", "d"] {
            let mut page = GrepPage::new(Ranking::window_of_file(LineWindow { offset: 5, limit: 2 }));
            (0..4).for_each(|_| page.push(|| panic!("the text is not wanted")));
            ranking.add(SystemTime::UNIX_EPOCH, Path::new(name), page);
        }
        let mut searched = Vec::new();
        let page = ranking.into_page(None, |path, window| {
            searched.push(path.to_owned());
            let mut page = GrepPage::new(window);
            (1..=4).for_each(|number| page.push(|| format!("{}{number}", path.display())));
            Some(page)
        });
        assert_eq!((page.lines(), page.has_more()), (&["b2".to_owned(), "b3".to_owned()][..], true));
        assert_eq!(searched, [Path::new("b")]);
    }
}
