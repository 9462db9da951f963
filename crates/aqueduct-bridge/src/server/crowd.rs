use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Everybody who is connected, and how many may be.
///
/// When all places are taken, a newcomer gets that of the stranger who has been here longest: somebody who has not
/// shown a right token. So whoever opens connections and says nothing, however many, keeps nobody out.
#[derive(Debug)]
pub(super) struct Crowd {
    limit: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    arrivals: u64,
    /// Places of those who are known.
    known: usize,
    strangers: BTreeMap<u64, Arc<Notify>>,
}

impl State {
    fn count(&self) -> usize {
        self.known + self.strangers.len()
    }
}

/// A place in the crowd; free again when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    crowd: Arc<Crowd>,
    number: u64,
    moved: Arc<Notify>,
    is_known: AtomicBool,
}

impl Crowd {
    pub(super) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Crowd { limit: limit.max(1), state: Mutex::default() })
    }

    /// A place for a newcomer; `None` if everybody here is known.
    pub(super) fn enter(self: &Arc<Self>) -> Option<Place> {
        let mut state = self.state();
        if state.count() >= self.limit {
            let (_, oldest) = state.strangers.pop_first()?;
            oldest.notify_one();
        }
        state.arrivals += 1;
        let (number, moved) = (state.arrivals, Arc::new(Notify::new()));
        state.strangers.insert(number, Arc::clone(&moved));
        Some(Place { crowd: Arc::clone(self), number, moved, is_known: AtomicBool::new(false) })
    }

    /// How many are here.
    pub(super) fn count(&self) -> usize {
        self.state().count()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// It is taken by somebody who is known, and can't be given away any more.
    pub(super) fn keep(&self) {
        let mut state = self.crowd.state();
        // Who has lost it already does not get it back.
        if state.strangers.remove(&self.number).is_some() {
            state.known += 1;
            self.is_known.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until the place is given to somebody else.
    pub(super) async fn lost(&self) {
        self.moved.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.crowd.state();
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
    async fn strangers_make_room_and_the_known_stay() {
        let crowd = Crowd::new(3);
        let (known, first, second) = (crowd.enter().unwrap(), crowd.enter().unwrap(), crowd.enter().unwrap());
        known.keep();
        let newcomer = crowd.enter().unwrap();
        first.lost().await;
        assert_eq!(crowd.count(), 3);
        drop(first);
        second.keep();
        newcomer.keep();
        assert!(crowd.enter().is_none(), "everybody here is known");
        drop(known);
        assert!(crowd.enter().is_some());
    }
}
