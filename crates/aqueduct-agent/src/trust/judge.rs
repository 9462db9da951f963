//! Whether a folder is trusted with what it provides.

use std::collections::HashSet;

use super::State;
use super::entry::Entry;
use super::inventory::Inventory;
use crate::provision::{Accepted, Digest, digest_of};

/// The reason why a folder is trusted, or that it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Judgement {
    pub(super) state: State,
    /// The reference CLI's record is the only reason: it has to be bound to what is there now.
    pub(super) is_unbound: bool,
}

/// Judges a folder by what is recorded of it. `is_in_reference` is whether the reference CLI records it as trusted.
pub(super) fn judge(inventory: &Inventory, entry: &Entry, is_in_reference: bool) -> Judgement {
    let granted = entry.granted();
    let without_grants = |digests: &mut dyn Iterator<Item = Digest>| {
        digest_of(digests.filter(|digest| !granted.contains(digest)))
    };
    let now = without_grants(&mut inventory.provisions.iter().map(|provision| provision.digest));
    let is_unbound = entry.trusted.is_none() && is_in_reference && !entry.is_revoked;
    let state = match &entry.trusted {
        Some(trusted) if without_grants(&mut trusted.provisions.iter().map(|known| known.digest)) == now => {
            State::Trusted
        }
        // Nothing but what the user has granted by itself.
        _ if now == digest_of([]) => State::Trusted,
        Some(_) => State::Changed,
        None if is_unbound => State::Trusted,
        None => State::Untrusted,
    };
    let state =
        if inventory.provisions.is_empty() && state == State::Trusted { State::Nothing } else { state };
    Judgement { state, is_unbound }
}

/// What is in effect: all that was judged, or what the user has granted by itself.
pub(super) fn accepted(judgement: Judgement, inventory: &Inventory, entry: &Entry) -> Accepted {
    let mut digests: HashSet<Digest> = entry.granted();
    if judgement.state == State::Trusted {
        digests.extend(inventory.provisions.iter().map(|provision| provision.digest));
    }
    Accepted::Only(digests)
}
