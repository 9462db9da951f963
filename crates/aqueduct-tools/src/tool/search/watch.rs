use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const RUNS: u8 = 0;
const CANCELLED: u8 = 1;
const LATE: u8 = 2;

/// Determines when a search has to end. Every thread of a search checks it at every file, so a check is one atomic
/// load.
#[derive(Debug, Clone, Default)]
pub(in crate::tool) struct SearchWatch(Arc<AtomicU8>);

impl SearchWatch {
    /// Ends the search because the user interrupted it, or because its result is no longer awaited.
    pub(in crate::tool) fn cancel(&self) {
        self.0.store(CANCELLED, Ordering::Relaxed);
    }

    /// Ends the search because it took too long. One that is cancelled stays cancelled.
    pub(in crate::tool) fn expire(&self) {
        let _ = self.0.compare_exchange(RUNS, LATE, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Whether the user interrupted the search.
    pub(in crate::tool) fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) == CANCELLED
    }

    /// Whether the search took too long.
    pub(in crate::tool) fn is_late(&self) -> bool {
        self.0.load(Ordering::Relaxed) == LATE
    }

    /// Whether the search has to end, for either reason.
    pub(in crate::tool) fn is_over(&self) -> bool {
        self.0.load(Ordering::Relaxed) != RUNS
    }
}

/// Cancels a search when it is dropped.
pub(super) struct CancelOnDrop(pub(super) SearchWatch);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
