use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::{CatchUp, SharedDelta, SharedText};
use crate::message::CloseCode;
use crate::metrics::Metrics;

/// How many bytes wait for one client at most, beside a few large messages. What does not fit is read from the log later, by the client's own
/// connection.
pub(crate) const OUTBOX_BYTES: usize = 1 << 20;

/// A stored message of this size is large. All clients share its text: it takes no more memory for one more of them,
/// whereas each of them would read it from the log for itself.
const LARGE: usize = 256 << 10;

/// How many large messages wait for one client at most: an answer, the end of its turn, and the next.
const OUTBOX_LARGE: usize = 4;

/// How many answers go ahead of everything else at most. Further ones have their place behind it.
const URGENT: usize = 16;

/// How many messages wait for one client at most.
pub(crate) const OUTBOX_ITEMS: usize = 4096;

/// The queue of one client.
///
/// Putting an item in never blocks. A client that falls behind loses the queued items of a session, is marked
/// as behind in it, and is updated from the log when it reads again: memory is bounded, and what was
/// stored still comes once and in order.
#[derive(Debug, Default)]
pub(crate) struct ClientOutbox {
    state: Mutex<OutboxState>,
    filled: Notify,
    metrics: Arc<Metrics>,
}

#[derive(Debug, Default)]
struct OutboxState {
    /// What goes ahead of everything else.
    urgent: VecDeque<Arc<str>>,
    items: VecDeque<OutboxItem>,
    /// How many items were taken out: the place of the first that waits.
    taken: u64,
    /// The place of the last item of each session that waits.
    last: HashMap<Arc<str>, u64>,
    bytes: usize,
    /// Sessions in which this client is behind.
    behind: HashSet<Arc<str>>,
    closed: Option<CloseCode>,
}

/// A queued item.
#[derive(Debug, Clone)]
pub(crate) enum OutboxItem {
    /// A stored message of a session.
    Stored { session: Arc<str>, seq: u64, text: SharedText },
    /// A piece of an answer. Pieces that follow each other in their session become one.
    Delta { session: Arc<str>, piece: SharedDelta },
    /// Any other message of a session.
    Live { session: Arc<str>, text: Arc<str> },
    /// A message that belongs to no session, or an answer to this client.
    Other(Arc<str>),
    /// Stored messages that the client lacks.
    CatchUp(Box<CatchUp>),
    /// This client is behind in this session.
    Behind(Arc<str>),
}

impl OutboxItem {
    /// How much memory it takes for this client.
    fn weight(&self) -> usize {
        const EMPTY: usize = 96;
        EMPTY + if self.is_large() { 0 } else { self.size() }
    }

    /// A stored message whose text all clients share.
    fn is_large(&self) -> bool {
        matches!(self, OutboxItem::Stored { text, .. } if text.len() > LARGE)
    }

    /// How long its text is.
    fn size(&self) -> usize {
        match self {
            OutboxItem::Stored { text, .. } => text.len(),
            OutboxItem::Live { text, .. } | OutboxItem::Other(text) => text.len(),
            OutboxItem::Delta { piece, .. } => piece.bytes(),
            OutboxItem::CatchUp(_) | OutboxItem::Behind(_) => 0,
        }
    }

    /// The session that it is of, where the log can give it again, or where it means nothing later.
    fn session(&self) -> Option<&Arc<str>> {
        match self {
            OutboxItem::Stored { session, .. }
            | OutboxItem::Delta { session, .. }
            | OutboxItem::Live { session, .. } => Some(session),
            OutboxItem::Other(_) | OutboxItem::CatchUp(_) | OutboxItem::Behind(_) => None,
        }
    }
}

impl ClientOutbox {
    /// An empty queue, whose length is measured.
    pub(crate) fn new(metrics: Arc<Metrics>) -> Self {
        ClientOutbox { metrics, ..ClientOutbox::default() }
    }

    /// Queues an item.
    pub(crate) fn put(&self, item: OutboxItem) {
        let mut state = self.state();
        if state.closed.is_some() || item.session().is_some_and(|session| state.behind.contains(session)) {
            // It will be read from the log.
            return;
        }
        state.push(item);
        let waiting = state.items.len() as u64;
        drop(state);
        self.metrics.client_queue.record(waiting);
        self.filled.notify_one();
    }

    /// Puts in an answer that belongs to no session, ahead of everything that waits.
    pub(crate) fn put_first(&self, text: Arc<str>) {
        let mut state = self.state();
        if state.closed.is_none() && state.urgent.len() < URGENT {
            state.urgent.push_back(text);
            drop(state);
            self.filled.notify_one();
        } else {
            drop(state);
            self.put(OutboxItem::Other(text));
        }
    }

    /// The next answer that goes ahead of everything else.
    pub(crate) fn take_first(&self) -> Option<Arc<str>> {
        self.state().urgent.pop_front()
    }

    /// The client receives this session from now on, and these first.
    pub(crate) fn resume(&self, session: &str, items: Vec<OutboxItem>) {
        let mut state = self.state();
        state.behind.remove(session);
        // What comes from now on continues where these end, and not what waits before them.
        state.last.remove(session);
        if state.closed.is_none() {
            items.into_iter().for_each(|item| state.push(item));
        }
        drop(state);
        self.filled.notify_one();
    }

    /// The next thing that waits, or why the connection ends. Nothing is lost when this is dropped before it is done.
    pub(crate) async fn next(&self) -> Result<OutboxItem, CloseCode> {
        loop {
            if let Some(next) = self.take() {
                return next;
            }
            self.filled.notified().await;
        }
    }

    /// The next thing, if one waits.
    pub(crate) fn take(&self) -> Option<Result<OutboxItem, CloseCode>> {
        let mut state = self.state();
        if let Some(text) = state.urgent.pop_front() {
            return Some(Ok(OutboxItem::Other(text)));
        }
        if let Some(item) = state.items.pop_front() {
            state.bytes -= item.weight();
            state.note_taken(&item);
            return Some(Ok(item));
        }
        state.closed.map(Err)
    }

    /// Nothing more is put in, and what waits is dropped.
    pub(crate) fn close(&self, code: CloseCode) {
        let mut state = self.state();
        state.closed.get_or_insert(code);
        state.urgent.clear();
        state.items.clear();
        state.last.clear();
        state.bytes = 0;
        drop(state);
        self.filled.notify_one();
    }

    /// Whether the client is behind in a session.
    #[cfg(test)]
    fn is_behind(&self, session: &str) -> bool {
        self.state().behind.contains(session)
    }

    fn state(&self) -> MutexGuard<'_, OutboxState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OutboxState {
    fn push(&mut self, item: OutboxItem) {
        let has_many_large =
            item.is_large() && self.items.iter().filter(|item| item.is_large()).count() >= OUTBOX_LARGE;
        if !self.merge(&item) {
            self.bytes += item.weight();
            if let Some(session) = item.session() {
                self.last.insert(session.clone(), self.taken + self.items.len() as u64);
            }
            self.items.push_back(item);
        }
        if has_many_large || self.bytes > OUTBOX_BYTES || self.items.len() > OUTBOX_ITEMS {
            self.shed();
        }
    }

    /// Adds a piece of an answer to the one that waits last in its session. What waits of other sessions in between
    /// does not matter: so a client that watches many has few messages to take when it is behind, and not every piece.
    fn merge(&mut self, item: &OutboxItem) -> bool {
        let OutboxItem::Delta { session, piece } = item else { return false };
        let place = self.last.get(session).and_then(|last| last.checked_sub(self.taken));
        let waiting = place.and_then(|place| self.items.get_mut(usize::try_from(place).ok()?));
        let Some(OutboxItem::Delta { piece: last, .. }) = waiting else { return false };
        if !last.join(piece) {
            return false;
        }
        self.bytes += piece.bytes();
        true
    }

    fn note_taken(&mut self, item: &OutboxItem) {
        if let Some(session) = item.session()
            && self.last.get(session) == Some(&self.taken)
        {
            self.last.remove(session);
        }
        self.taken += 1;
    }

    /// Notes anew which item of each session is the last.
    fn note_places(&mut self) {
        self.last.clear();
        for (place, item) in (self.taken..).zip(&self.items) {
            if let Some(session) = item.session() {
                self.last.insert(session.clone(), place);
            }
        }
    }

    /// Drops what waits of the session that has most, and notes that the client is behind in it.
    fn shed(&mut self) {
        let mut weights: HashMap<&Arc<str>, usize> = HashMap::new();
        for item in &self.items {
            if let Some(session) = item.session() {
                *weights.entry(session).or_default() += 1 + item.size();
            }
        }
        let Some(heaviest) =
            weights.into_iter().max_by_key(|(_, weight)| *weight).map(|(session, _)| session.clone())
        else {
            // Only answers to the client itself wait: it asks more than it reads.
            return;
        };
        self.items.retain(|item| item.session() != Some(&heaviest));
        self.items.push_back(OutboxItem::Behind(heaviest.clone()));
        self.behind.insert(heaviest);
        self.bytes = self.items.iter().map(OutboxItem::weight).sum();
        self.note_places();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(session: &Arc<str>, seq: u64, size: usize) -> OutboxItem {
        OutboxItem::Stored { session: session.clone(), seq, text: "x".repeat(size).into() }
    }

    /// An answer to a ping measures the latency to the bridge, not the queue.
    #[test]
    fn what_is_urgent_goes_ahead_of_what_waits() {
        let session: Arc<str> = "s".into();
        let outbox = ClientOutbox::default();
        outbox.put(stored(&session, 1, 10));
        outbox.put_first("pong".into());
        assert_eq!(outbox.take_first().as_deref(), Some("pong"));
        for _ in 0..2 * URGENT {
            outbox.put_first("pong".into());
        }
        for _ in 0..URGENT {
            assert!(matches!(outbox.take(), Some(Ok(OutboxItem::Other(_)))));
        }
        assert!(matches!(outbox.take(), Some(Ok(OutboxItem::Stored { seq: 1, .. }))));
        assert_eq!(std::iter::from_fn(|| outbox.take()).count(), URGENT);
    }

    /// They are the same texts for all clients; but not without an end.
    #[test]
    fn a_few_large_messages_wait() {
        let session: Arc<str> = "s".into();
        let outbox = ClientOutbox::default();
        outbox.put(stored(&session, 1, 10));
        for seq in 2..2 + OUTBOX_LARGE as u64 {
            outbox.put(stored(&session, seq, 8 * OUTBOX_BYTES));
        }
        assert!(!outbox.is_behind("s"));
        outbox.put(stored(&session, 9, 8 * OUTBOX_BYTES));
        assert!(outbox.is_behind("s"));
        assert!(matches!(outbox.take(), Some(Ok(OutboxItem::Behind(_)))));
        assert!(outbox.take().is_none());
        assert_eq!(outbox.state().bytes, 0);
    }

    fn delta(session: &Arc<str>, text: &str) -> OutboxItem {
        OutboxItem::Delta { session: session.clone(), piece: SharedDelta::of(text) }
    }

    /// Many sessions stream to a client that is behind: one message of each waits, with all that it lacks, in order.
    #[test]
    fn pieces_become_one_for_each_session() {
        let sessions: Vec<Arc<str>> = (0..300).map(|number| format!("s{number}").into()).collect();
        let outbox = ClientOutbox::default();
        for _ in 0..100 {
            sessions.iter().for_each(|session| outbox.put(delta(session, "ab ")));
        }
        for session in &sessions {
            let Some(Ok(OutboxItem::Delta { session: of, piece })) = outbox.take() else {
                panic!("a piece waits")
            };
            assert_eq!((&of, piece.bytes()), (session, 300));
        }
        assert!(outbox.take().is_none());
        assert!(outbox.state().last.is_empty() && outbox.state().bytes == 0);
        // What was stored in between keeps its place.
        outbox.put(delta(&sessions[0], "one"));
        outbox.put(stored(&sessions[0], 1, 10));
        outbox.put(delta(&sessions[0], "two"));
        assert_eq!(outbox.state().items.len(), 3);
        // The same holds for an answer with the session's position.
        outbox.resume(&sessions[0], vec![OutboxItem::Other("subscribed".into())]);
        outbox.put(delta(&sessions[0], "three"));
        assert_eq!(outbox.state().items.len(), 5);
    }

    #[test]
    fn a_full_outbox_lets_go_of_the_session_that_has_most() {
        let (loud, calm): (Arc<str>, Arc<str>) = ("loud".into(), "calm".into());
        let outbox = ClientOutbox::default();
        outbox.put(stored(&calm, 1, 10));
        for seq in 1..200 {
            outbox.put(stored(&loud, seq, 10_000));
        }
        assert!(outbox.is_behind("loud") && !outbox.is_behind("calm"));
        assert!(matches!(outbox.take(), Some(Ok(OutboxItem::Stored { seq: 1, .. }))));
        assert!(matches!(outbox.take(), Some(Ok(OutboxItem::Behind(session))) if &*session == "loud"));
        assert!(outbox.take().is_none());
        outbox.resume("loud", vec![stored(&loud, 200, 1)]);
        assert!(matches!(outbox.take(), Some(Ok(OutboxItem::Stored { seq: 200, .. }))));
    }
}
