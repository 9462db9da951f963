use std::sync::Arc;

use crate::outbox::{AnswerDelta, ClientOutbox, OutboxItem, SharedDelta, SharedText};

/// The clients that watch a session.
#[derive(Debug)]
pub(super) struct Watchers {
    session: Arc<str>,
    clients: Vec<Watcher>,
}

/// A client that watches a session.
#[derive(Debug, Clone)]
pub(crate) struct Watcher {
    pub(crate) client: u64,
    pub(crate) outbox: Arc<ClientOutbox>,
    /// It subscribed to this session, and does not only receive all of them.
    pub(crate) attends: bool,
}

impl Watchers {
    pub(super) fn new(session: Arc<str>, clients: Vec<Watcher>) -> Self {
        Watchers { session, clients }
    }

    /// Adds a client, once.
    pub(super) fn add(&mut self, watcher: Watcher) {
        self.remove(watcher.client);
        self.clients.push(watcher);
    }

    pub(super) fn remove(&mut self, client: u64) {
        self.clients.retain(|known| known.client != client);
    }

    /// A client uses the session.
    pub(super) fn attend(&mut self, client: u64) {
        for watcher in &mut self.clients {
            watcher.attends |= watcher.client == client;
        }
    }

    /// How many attend to it.
    pub(super) fn attending(&self) -> usize {
        self.clients.iter().filter(|watcher| watcher.attends).count()
    }

    /// Those who attend to it.
    pub(super) fn attentive(&self) -> Vec<u64> {
        self.clients.iter().filter(|watcher| watcher.attends).map(|watcher| watcher.client).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.clients.is_empty()
    }

    pub(super) fn stored(&self, seq: u64, text: &SharedText) {
        self.put(|| OutboxItem::Stored { session: self.session.clone(), seq, text: text.clone() });
    }

    pub(super) fn live(&self, text: &Arc<str>) {
        self.put(|| OutboxItem::Live { session: self.session.clone(), text: text.clone() });
    }

    pub(super) fn delta(&self, delta: AnswerDelta) {
        let piece = SharedDelta::new(delta);
        self.put(|| OutboxItem::Delta { session: self.session.clone(), piece: piece.clone() });
    }

    fn put(&self, item: impl Fn() -> OutboxItem) {
        for watcher in &self.clients {
            watcher.outbox.put(item());
        }
    }
}
