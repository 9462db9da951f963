use std::collections::HashMap;

use super::recent::RecentIds;
use super::{MachineLimits, RequestId};

/// The requests of the peer.
#[derive(Debug)]
pub(super) struct IncomingRequests {
    limit: usize,
    arrived: u64,
    open: HashMap<RequestId, OpenRequest>,
    settled: RecentIds,
}

#[derive(Debug)]
struct OpenRequest {
    number: u64,
    subtype: String,
}

impl IncomingRequests {
    pub(super) fn new(limits: MachineLimits) -> Self {
        IncomingRequests {
            limit: limits.open_requests,
            arrived: 0,
            open: HashMap::new(),
            settled: RecentIds::new(limits.recent_ids),
        }
    }

    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    pub(super) fn is_full(&self) -> bool {
        self.open.len() >= self.limit
    }

    pub(super) fn is_open(&self, id: &RequestId) -> bool {
        self.open.contains_key(id)
    }

    pub(super) fn was_settled(&self, id: &RequestId) -> bool {
        self.settled.contains(id.as_str())
    }

    pub(super) fn insert(&mut self, id: RequestId, subtype: String) {
        self.arrived += 1;
        self.open.insert(id, OpenRequest { number: self.arrived, subtype });
    }

    pub(super) fn subtype(&self, id: &RequestId) -> Option<&str> {
        self.open.get(id).map(|open| open.subtype.as_str())
    }

    /// Settles a request and returns its subtype; `None` if it is not open.
    pub(super) fn close(&mut self, id: &RequestId) -> Option<String> {
        let open = self.open.remove(id)?;
        self.settled.insert(id.clone());
        Some(open.subtype)
    }

    /// Remembers a request that was settled as it came.
    pub(super) fn settle(&mut self, id: RequestId) {
        self.settled.insert(id);
    }

    pub(super) fn open(&self) -> Vec<(&RequestId, &str)> {
        let mut open: Vec<_> = self.open.iter().collect();
        open.sort_unstable_by_key(|(_, open)| open.number);
        open.into_iter().map(|(id, open)| (id, open.subtype.as_str())).collect()
    }
}
