//! What the bridge measures since it started: counters, histograms, and usage by agent and model.
//!
//! Recording takes a few atomic additions and no lock, except for usage, which changes once a turn. The server writes all
//! of it in Prometheus' text format.

mod counter;
mod exposition;
mod histogram;
mod usage;

pub use counter::Counter;
pub use histogram::{Histogram, HistogramSnapshot};
pub use usage::{UsageCounters, UsageTotals};

pub(crate) use exposition::Exposition;

/// Bounds of the time from an agent's line to its delivery into the queues of clients, in microseconds.
const DELIVERY: &[u64] = &[
    50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    5_000_000,
];

/// Bounds of the time until a model begins to answer, in microseconds.
const ANSWER: &[u64] = &[
    10_000,
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    30_000_000,
    60_000_000,
    120_000_000,
    300_000_000,
];

/// Bounds of the time that a person takes to decide, from a second to a day, in microseconds.
const DECISION: &[u64] = &[
    1_000_000,
    5_000_000,
    15_000_000,
    30_000_000,
    60_000_000,
    300_000_000,
    900_000_000,
    3_600_000_000,
    14_400_000_000,
    43_200_000_000,
    86_400_000_000,
];

/// Bounds of the number of messages in a client's queue.
const DEPTH: &[u64] = &[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 4_096];

/// What sessions and clients of a bridge did since it started.
#[derive(Debug)]
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
    /// The time from an input's delivery to the agent until the first delta of the answer.
    pub first_delta: Histogram,
    /// The time from reading an agent's line until its deltas are queued for clients.
    pub delta_latency: Histogram,
    /// The time from a request for a decision until the decision.
    pub permission_wait: Histogram,
    /// The number of messages that wait for a client when another one is queued.
    pub client_queue: Histogram,
    /// Turns, tokens and cost by agent and model.
    pub usage: UsageCounters,
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics {
            stored: Counter::default(),
            deltas: Counter::default(),
            inputs: Counter::default(),
            asked: Counter::default(),
            started: Counter::default(),
            connections: Counter::default(),
            behind: Counter::default(),
            first_delta: Histogram::of_times(ANSWER),
            delta_latency: Histogram::of_times(DELIVERY),
            permission_wait: Histogram::of_times(DECISION),
            client_queue: Histogram::of_counts(DEPTH),
            usage: UsageCounters::default(),
        }
    }
}
