//! Pages that were fetched not long ago.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::page::{PageBody, WebPage};

/// How long a page is good.
const GOOD_FOR: Duration = Duration::from_secs(15 * 60);

/// How many pages are kept.
const MOST_PAGES: usize = 64;

/// How many bytes they may have together.
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// Pages that were fetched not long ago, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Pages(Mutex<VecDeque<CachedPage>>);

#[derive(Debug)]
struct CachedPage {
    url: String,
    since: Instant,
    page: Arc<WebPage>,
}

impl Pages {
    /// The page of an address, if it is still good.
    pub(super) fn find(&self, url: &str) -> Option<Arc<WebPage>> {
        let mut pages = self.lock();
        pages.retain(|kept| kept.since.elapsed() < GOOD_FOR);
        pages.iter().find(|kept| kept.url == url).map(|kept| kept.page.clone())
    }

    /// Keeps a page. The oldest go when there are too many.
    pub(super) fn keep(&self, url: &str, page: Arc<WebPage>) {
        let mut pages = self.lock();
        pages.retain(|kept| kept.url != url && kept.since.elapsed() < GOOD_FOR);
        pages.push_back(CachedPage { url: url.to_owned(), since: Instant::now(), page });
        while pages.len() > MOST_PAGES
            || pages.iter().map(|kept| size(&kept.page)).sum::<usize>() > MOST_BYTES
        {
            pages.pop_front();
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<CachedPage>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn size(page: &WebPage) -> usize {
    match &page.body {
        PageBody::Text(text) => text.len(),
        PageBody::File { .. } => 0,
    }
}
