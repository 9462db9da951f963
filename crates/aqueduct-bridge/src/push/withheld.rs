use std::collections::HashMap;
use std::sync::Arc;

use super::News;

/// How much is remembered.
const REMEMBERED: usize = 1024;

/// Sessions that wait, by the devices that were not told because they look at them. A connection of a phone in a pocket
/// seems alive for a while: when it ends, the device is told after all.
#[derive(Debug, Default)]
pub(super) struct Withheld {
    /// By device and session.
    news: HashMap<(String, Arc<str>), Arc<News>>,
}

impl Withheld {
    /// A device is not told.
    pub(super) fn add(&mut self, device: &str, news: &Arc<News>) {
        if self.news.len() < REMEMBERED {
            self.news.insert((device.to_owned(), news.session.clone()), news.clone());
        }
    }

    /// A session no longer waits, or waits for something else.
    pub(super) fn forget(&mut self, session: &str) {
        self.news.retain(|(_, waits), _| &**waits != session);
    }

    /// What a device was not told.
    pub(super) fn take(&mut self, device: &str) -> Vec<Arc<News>> {
        self.news.extract_if(|(looks, _), _| looks == device).map(|(_, news)| news).collect()
    }
}
