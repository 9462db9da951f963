use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::log::Hash;

/// How many secrets one principal has at once. The oldest makes room.
pub(super) const MOST_PER_PRINCIPAL: usize = 64;

/// Secrets that are good for a short time, kept in memory alone, as hashes, each with its value.
#[derive(Debug)]
pub(super) struct IssuedSecrets<T> {
    entries: Mutex<HashMap<Hash, IssuedSecret<T>>>,
}

#[derive(Debug)]
struct IssuedSecret<T> {
    principal: String,
    expires: Instant,
    value: T,
}

impl<T> Default for IssuedSecrets<T> {
    fn default() -> Self {
        IssuedSecrets { entries: Mutex::default() }
    }
}

impl<T> IssuedSecrets<T> {
    /// Keeps a secret for some time.
    pub(super) fn add(&self, secret: Hash, principal: &str, value: T, time: Duration) {
        let now = Instant::now();
        let mut entries = self.entries();
        entries.retain(|_, entry| entry.expires > now);
        let own = entries.iter().filter(|(_, entry)| entry.principal == principal);
        let mut own: Vec<(Instant, Hash)> = own.map(|(hash, entry)| (entry.expires, *hash)).collect();
        if own.len() >= MOST_PER_PRINCIPAL {
            own.sort_unstable();
            let surplus = own.len() + 1 - MOST_PER_PRINCIPAL;
            own.iter().take(surplus).for_each(|(_, hash)| drop(entries.remove(hash)));
        }
        entries.insert(secret, IssuedSecret { principal: principal.to_owned(), expires: now + time, value });
    }

    /// What becomes of a secret's principal and value, if it is still good.
    pub(super) fn look<R>(&self, secret: &Hash, look: impl FnOnce(&str, &T) -> Option<R>) -> Option<R> {
        let entries = self.entries();
        let entry = entries.get(secret).filter(|entry| entry.expires > Instant::now())?;
        look(&entry.principal, &entry.value)
    }

    /// Uses a secret up; its value, if it was still good.
    pub(super) fn take(&self, secret: &Hash) -> Option<T> {
        let entry = self.entries().remove(secret)?;
        (entry.expires > Instant::now()).then_some(entry.value)
    }

    /// Ends all secrets of a principal.
    pub(super) fn revoke(&self, principal: &str) {
        self.entries().retain(|_, entry| entry.principal != principal);
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.entries().len()
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<Hash, IssuedSecret<T>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
