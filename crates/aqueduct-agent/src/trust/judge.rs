//! Whether a folder is trusted with what it provides.

use std::collections::HashSet;

use super::FolderTrust;
use super::entry::TrustEntry;
use super::inventory::Inventory;
use crate::provision::{AcceptedProvisions, ProvisionDigest, digest_of};

/// The reason why a folder is trusted, or that it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TrustJudgment {
    pub(super) state: FolderTrust,
    /// The reference CLI's record is the only reason: it has to be bound to what is there now.
    pub(super) is_unbound: bool,
}

/// Judges a folder by what is recorded of it. `is_in_reference` is whether the reference CLI records it as trusted.
pub(super) fn judge(inventory: &Inventory, entry: &TrustEntry, is_in_reference: bool) -> TrustJudgment {
    let granted = entry.granted();
    let without_grants = |digests: &mut dyn Iterator<Item = ProvisionDigest>| {
        digest_of(digests.filter(|digest| !granted.contains(digest)))
    };
    let now = without_grants(&mut inventory.provisions.iter().map(|provision| provision.digest));
    let is_unbound = entry.trusted.is_none() && is_in_reference && !entry.is_revoked;
    let state = match &entry.trusted {
        Some(trusted) if without_grants(&mut trusted.provisions.iter().map(|known| known.digest)) == now => {
            FolderTrust::Trusted
        }
        // Nothing but what the user has granted by itself.
        _ if now == digest_of([]) => FolderTrust::Trusted,
        Some(_) => FolderTrust::Changed,
        None if is_unbound => FolderTrust::Trusted,
        None => FolderTrust::Untrusted,
    };
    let state = if inventory.provisions.is_empty() && state == FolderTrust::Trusted {
        FolderTrust::Nothing
    } else {
        state
    };
    TrustJudgment { state, is_unbound }
}

/// What is in effect: all that was judged, or what the user has granted by itself.
pub(super) fn accepted(
    judgement: TrustJudgment,
    inventory: &Inventory,
    entry: &TrustEntry,
) -> AcceptedProvisions {
    let mut digests: HashSet<ProvisionDigest> = entry.granted();
    if judgement.state == FolderTrust::Trusted {
        digests.extend(inventory.provisions.iter().map(|provision| provision.digest));
    }
    AcceptedProvisions::Only(digests)
}
