use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The open connections, and how many there may be.
///
/// At the limit, a new connection replaces the oldest unauthenticated one: one that has not
/// shown a right token. So idle connections, however many, keep no client out.
#[derive(Debug)]
pub(super) struct ConnectionLimit {
    limit: usize,
    state: Mutex<SlotState>,
}

#[derive(Debug, Default)]
struct SlotState {
    arrivals: u64,
    /// The number of authenticated connections.
    known: usize,
    strangers: BTreeMap<u64, Arc<Notify>>,
}

impl SlotState {
    fn count(&self) -> usize {
        self.known + self.strangers.len()
    }
}

/// A connection's slot; free again when it is dropped.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    connection_limit: Arc<ConnectionLimit>,
    number: u64,
    moved: Arc<Notify>,
    is_known: AtomicBool,
}

impl ConnectionLimit {
    pub(super) fn new(limit: usize) -> Arc<Self> {
        Arc::new(ConnectionLimit { limit: limit.max(1), state: Mutex::default() })
    }

    /// A slot for a new connection; `None` if all are authenticated.
    pub(super) fn connect(self: &Arc<Self>) -> Option<ConnectionSlot> {
        let mut state = self.state();
        if state.count() >= self.limit {
            let (_, oldest) = state.strangers.pop_first()?;
            oldest.notify_one();
        }
        state.arrivals += 1;
        let (number, moved) = (state.arrivals, Arc::new(Notify::new()));
        state.strangers.insert(number, Arc::clone(&moved));
        Some(ConnectionSlot {
            connection_limit: Arc::clone(self),
            number,
            moved,
            is_known: AtomicBool::new(false),
        })
    }

    /// The number of connections.
    pub(super) fn count(&self) -> usize {
        self.state().count()
    }

    fn state(&self) -> MutexGuard<'_, SlotState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionSlot {
    /// Marks the connection as authenticated: it keeps its slot.
    pub(super) fn keep(&self) {
        let mut state = self.connection_limit.state();
        // A slot that was reassigned is not returned.
        if state.strangers.remove(&self.number).is_some() {
            state.known += 1;
            self.is_known.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until the slot is reassigned.
    pub(super) async fn lost(&self) {
        self.moved.notified().await;
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut state = self.connection_limit.state();
        match self.is_known.load(Ordering::Relaxed) {
            true => state.known -= 1,
            false => drop(state.strangers.remove(&self.number)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn unauthenticated_connections_make_room_and_others_stay() {
        let connection_limit = ConnectionLimit::new(3);
        let (known, first, second) = (
            connection_limit.connect().unwrap(),
            connection_limit.connect().unwrap(),
            connection_limit.connect().unwrap(),
        );
        known.keep();
        let newcomer = connection_limit.connect().unwrap();
        first.lost().await;
        assert_eq!(connection_limit.count(), 3);
        drop(first);
        second.keep();
        newcomer.keep();
        assert!(connection_limit.connect().is_none(), "all connections are authenticated");
        drop(known);
        assert!(connection_limit.connect().is_some());
    }
}
