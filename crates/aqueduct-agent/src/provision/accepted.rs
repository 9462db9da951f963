use std::collections::HashSet;

use super::{Digest, Provision};

/// Which provisions of the project folder are in effect.
#[derive(Debug, Clone)]
pub(crate) enum Accepted {
    /// All: the host or the command line vouches for the folder.
    All,
    /// Those with these digests.
    Only(HashSet<Digest>),
}

impl Accepted {
    /// None at all.
    pub(crate) fn nothing() -> Self {
        Accepted::Only(HashSet::new())
    }

    /// Whether a provision is in effect.
    pub(crate) fn covers(&self, provision: &Provision) -> bool {
        self.covers_digest(&provision.digest)
    }

    /// Whether the provision with this digest is in effect.
    pub(crate) fn covers_digest(&self, digest: &Digest) -> bool {
        match self {
            Accepted::All => true,
            Accepted::Only(digests) => digests.contains(digest),
        }
    }
}
