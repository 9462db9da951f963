use std::collections::{HashSet, VecDeque};

use super::RequestId;

/// The ids of the last settled requests. The oldest is forgotten when one too many comes.
#[derive(Debug)]
pub(super) struct RecentIds {
    order: VecDeque<RequestId>,
    ids: HashSet<RequestId>,
    limit: usize,
}

impl RecentIds {
    pub(super) fn new(limit: usize) -> Self {
        RecentIds { order: VecDeque::new(), ids: HashSet::new(), limit }
    }

    pub(super) fn insert(&mut self, id: RequestId) {
        if self.limit == 0 || !self.ids.insert(id.clone()) {
            return;
        }
        self.order.push_back(id);
        if self.order.len() > self.limit
            && let Some(oldest) = self.order.pop_front()
        {
            self.ids.remove(&oldest);
        }
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        self.ids.contains(id)
    }
}
