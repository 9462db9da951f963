//! Whether a turn runs.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a turn runs, and whether an urgent prompt ends it. The two are independent of each other.
#[derive(Debug, Default)]
pub(crate) struct RunState {
    is_running: AtomicBool,
    is_preempted: AtomicBool,
}

impl RunState {
    /// Notes that a turn begins.
    pub(crate) fn begin(&self) {
        self.is_running.store(true, Ordering::Relaxed);
    }

    /// Notes that a turn has ended.
    pub(crate) fn end(&self) {
        self.is_running.store(false, Ordering::Relaxed);
    }

    /// Whether a turn runs.
    pub(crate) fn is_running(&self) -> bool {
        self.is_running.load(Ordering::Relaxed)
    }

    /// Notes that an urgent prompt ends the running turn.
    pub(crate) fn preempt(&self) {
        self.is_preempted.store(true, Ordering::Relaxed);
    }

    /// Whether an urgent prompt ends the running turn.
    pub(crate) fn is_preempted(&self) -> bool {
        self.is_preempted.load(Ordering::Relaxed)
    }

    /// The same for a turn that has ended: the next one is not preempted.
    pub(crate) fn take_preempted(&self) -> bool {
        self.is_preempted.swap(false, Ordering::Relaxed)
    }
}
