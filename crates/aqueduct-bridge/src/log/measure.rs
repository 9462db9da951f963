use crate::metrics::{Counter, Histogram};

/// Bounds of the time that a commit takes, in microseconds.
const COMMIT: &[u64] = &[
    50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    2_500_000, 10_000_000,
];

/// Bounds of the number of writes that wait.
const WAITING: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128, 256];

/// What the writer of the log measures.
#[derive(Debug)]
pub struct LogMetrics {
    /// The time of a transaction, from its beginning until it is committed and the files are checked.
    pub commit: Histogram,
    /// The number of writes that wait when a transaction begins, the first one of it included.
    pub queue: Histogram,
    /// Transactions that failed as a whole.
    pub failed: Counter,
}

impl Default for LogMetrics {
    fn default() -> Self {
        LogMetrics {
            commit: Histogram::of_times(COMMIT),
            queue: Histogram::of_counts(WAITING),
            failed: Counter::default(),
        }
    }
}
