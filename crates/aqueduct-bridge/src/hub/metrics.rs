use std::sync::atomic::{AtomicU64, Ordering};

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    /// How far it has come.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What the bridge has done since it started.
#[derive(Debug, Default)]
pub struct Metrics {
    /// Messages that were stored.
    pub stored: Counter,
    /// Pieces of answers.
    pub deltas: Counter,
    /// Inputs that were taken.
    pub inputs: Counter,
    /// Decisions that were asked for.
    pub asked: Counter,
    /// Agents that were started.
    pub started: Counter,
    /// Connections of clients.
    pub visits: Counter,
    /// Times that a client fell behind.
    pub behind: Counter,
}
