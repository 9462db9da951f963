use std::collections::HashMap;

use super::RequestId;
use super::recent::RecentIds;

/// A request that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentRequest {
    /// The answer will carry it.
    pub id: RequestId,
    /// To be sent to the peer.
    pub line: String,
}

/// A request that was given up because its deadline passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpiredRequest {
    /// The one that [`Machine::request`](super::Machine::request) gave.
    pub id: RequestId,
    /// To be sent to the peer: it withdraws the request.
    pub line: String,
}

/// The requests of this side.
#[derive(Debug)]
pub(super) struct OutgoingRequests {
    prefix: String,
    mark: char,
    made: u64,
    pending: HashMap<RequestId, UnansweredRequest>,
    settled: RecentIds,
}

#[derive(Debug)]
struct UnansweredRequest {
    number: u64,
    subtype: String,
    deadline: Option<u64>,
    /// The request itself, where it may have to be offered again.
    kept: Option<String>,
}

impl OutgoingRequests {
    pub(super) fn new(prefix: String, mark: char, recent: usize) -> Self {
        OutgoingRequests { prefix, mark, made: 0, pending: HashMap::new(), settled: RecentIds::new(recent) }
    }

    /// Opens a request under a new id. The role's mark keeps the ids of two sides with one prefix apart.
    pub(super) fn open(&mut self, subtype: String, deadline: Option<u64>, kept: Option<String>) -> RequestId {
        self.made += 1;
        let id = RequestId::from(format!("{}-{}{}", self.prefix, self.mark, self.made));
        self.pending.insert(id.clone(), UnansweredRequest { number: self.made, subtype, deadline, kept });
        id
    }

    /// Settles a request and returns its subtype; `None` if it was settled before or never made.
    pub(super) fn close(&mut self, id: &RequestId) -> Option<String> {
        let pending = self.pending.remove(id)?;
        self.settled.insert(id.clone());
        Some(pending.subtype)
    }

    pub(super) fn was_settled(&self, id: &RequestId) -> bool {
        self.settled.contains(id.as_str())
    }

    pub(super) fn pending(&self) -> Vec<(&RequestId, &str)> {
        self.in_order().into_iter().map(|(id, pending)| (id, pending.subtype.as_str())).collect()
    }

    /// The requests of one kind that were kept to be offered again, oldest first.
    pub(super) fn kept(&self, subtype: &str) -> Vec<(&RequestId, &str)> {
        self.in_order()
            .into_iter()
            .filter(|(_, pending)| pending.subtype == subtype)
            .filter_map(|(id, pending)| pending.kept.as_deref().map(|kept| (id, kept)))
            .collect()
    }

    pub(super) fn next_deadline(&self) -> Option<u64> {
        self.pending.values().filter_map(|pending| pending.deadline).min()
    }

    /// The requests whose deadline is `now` or earlier, earliest first.
    pub(super) fn due(&self, now: u64) -> Vec<RequestId> {
        let mut due: Vec<_> = self
            .pending
            .iter()
            .filter_map(|(id, pending)| Some((pending.deadline?, pending.number, id)))
            .filter(|(deadline, ..)| *deadline <= now)
            .collect();
        due.sort_unstable();
        due.into_iter().map(|(_, _, id)| id.clone()).collect()
    }

    fn in_order(&self) -> Vec<(&RequestId, &UnansweredRequest)> {
        let mut pending: Vec<_> = self.pending.iter().collect();
        pending.sort_unstable_by_key(|(_, pending)| pending.number);
        pending
    }
}
