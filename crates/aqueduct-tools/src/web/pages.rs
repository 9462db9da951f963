//! Pages that were fetched not long ago.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::page::{Body, Page};

/// How long a page is good.
const GOOD_FOR: Duration = Duration::from_secs(15 * 60);

/// How many pages are kept.
const MOST_PAGES: usize = 64;

/// How many bytes they may have together.
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// Pages that were fetched not long ago, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Pages(Mutex<VecDeque<Kept>>);

#[derive(Debug)]
struct Kept {
    url: String,
    since: Instant,
    page: Arc<Page>,
}

impl Pages {
    /// The page of an address, if it is still good.
    pub(super) fn find(&self, url: &str) -> Option<Arc<Page>> {
        let mut pages = self.lock();
        pages.retain(|kept| kept.since.elapsed() < GOOD_FOR);
        pages.iter().find(|kept| kept.url == url).map(|kept| kept.page.clone())
    }

    /// Keeps a page. The oldest go when there are too many.
    pub(super) fn keep(&self, url: &str, page: Arc<Page>) {
        let mut pages = self.lock();
        pages.retain(|kept| kept.url != url && kept.since.elapsed() < GOOD_FOR);
        pages.push_back(Kept { url: url.to_owned(), since: Instant::now(), page });
        while pages.len() > MOST_PAGES
            || pages.iter().map(|kept| size(&kept.page)).sum::<usize>() > MOST_BYTES
        {
            pages.pop_front();
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn size(page: &Page) -> usize {
    match &page.body {
        Body::Text(text) => text.len(),
        Body::File { .. } => 0,
    }
}
