//! Mutexes whose holders can't leave half an update behind.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, also after a holder has panicked. It is for values of which every update is complete before the lock
/// is released, so that a panic does not matter to the next holder.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_a_holder_does_not_matter() {
        let mutex = Mutex::new(1);
        let panicked = std::panic::catch_unwind(|| {
            let _held = lock(&mutex);
            panic!("the holder fails");
        });
        assert!(panicked.is_err() && mutex.is_poisoned());
        *lock(&mutex) += 1;
        assert_eq!(*lock(&mutex), 2);
    }
}
