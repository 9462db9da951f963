use std::collections::HashSet;

use super::{Provision, ProvisionDigest};

/// Which provisions of the project folder are in effect.
#[derive(Debug, Clone)]
pub(crate) enum AcceptedProvisions {
    /// All: the host or the command line vouches for the folder.
    All,
    /// Those with these digests.
    Only(HashSet<ProvisionDigest>),
}

impl AcceptedProvisions {
    /// None at all.
    pub(crate) fn nothing() -> Self {
        AcceptedProvisions::Only(HashSet::new())
    }

    /// Whether a provision is in effect.
    pub(crate) fn covers(&self, provision: &Provision) -> bool {
        self.covers_digest(&provision.digest)
    }

    /// Whether the provision with this digest is in effect.
    pub(crate) fn covers_digest(&self, digest: &ProvisionDigest) -> bool {
        match self {
            AcceptedProvisions::All => true,
            AcceptedProvisions::Only(digests) => digests.contains(digest),
        }
    }
}
