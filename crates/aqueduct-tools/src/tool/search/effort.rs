use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

/// More threads than this wait for the disk and for each other.
const MOST_THREADS: usize = 8;
/// How many entries one thread looks at before others are started. It takes that thread a few milliseconds; most
/// projects are searched by then, and starting threads would cost more than it saves.
const ALONE: usize = 500;

/// How many threads search, and from when on.
#[derive(Debug, Clone, Copy)]
pub(in crate::tool) struct SearchEffort {
    /// How many threads search a large tree.
    pub(in crate::tool) threads: usize,
    /// How many entries the first thread looks at alone.
    pub(in crate::tool) alone: usize,
}

impl SearchEffort {
    /// What this machine is good for.
    pub(in crate::tool) fn of_machine() -> Self {
        static THREADS: OnceLock<usize> = OnceLock::new();
        let available = || thread::available_parallelism().map_or(1, |cores| cores.get().min(MOST_THREADS));
        SearchEffort { threads: *THREADS.get_or_init(available), alone: ALONE }
    }

    /// Whether this process can start the threads now. `ignore` panics where it can't, so that is found out before.
    pub(in crate::tool) fn has_threads(self) -> bool {
        let gate = Mutex::new(());
        thread::scope(|scope| {
            // The threads live until all are started.
            let _closed = gate.lock().unwrap_or_else(PoisonError::into_inner);
            let waits = || drop(gate.lock().unwrap_or_else(PoisonError::into_inner));
            (0..self.threads).all(|_| thread::Builder::new().spawn_scoped(scope, waits).is_ok())
        })
    }
}
