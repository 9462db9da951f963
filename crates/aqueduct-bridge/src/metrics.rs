//! Counters of what the bridge has done since it started.

use std::sync::atomic::{AtomicU64, Ordering};

/// A monotonic counter.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    /// The current value.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counters since the bridge started.
#[derive(Debug, Default)]
pub struct Metrics {
    /// Stored messages.
    pub stored: Counter,
    /// Deltas of answers.
    pub deltas: Counter,
    /// Accepted inputs.
    pub inputs: Counter,
    /// Requests for a decision.
    pub asked: Counter,
    /// Started agents.
    pub started: Counter,
    /// Connections of clients.
    pub connections: Counter,
    /// How often a client fell behind.
    pub behind: Counter,
}
