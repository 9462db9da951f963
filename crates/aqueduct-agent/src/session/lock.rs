//! Locks of the session's parts.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a part. No part holds its lock while it calls another one or awaits something, so no order of locks is needed.
/// A panic of another holder does not matter: each update is complete before the lock is released.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
