//! Differences that are accepted, each with its reason. All others fail.

use super::diff::Change;

pub(super) struct Accepted {
    /// A host, or `*`.
    host: &'static str,
    /// A duty, or `*`.
    duty: &'static str,
    /// What the line contains.
    contains: &'static str,
    pub(super) reason: &'static str,
}

pub(super) const ACCEPTED: &[Accepted] = &[];

/// The rule that accepts a difference.
pub(super) fn rule(host: &str, duty: &str, change: &Change) -> Option<&'static Accepted> {
    ACCEPTED.iter().find(|accepted| {
        (accepted.host == "*" || accepted.host == host)
            && (accepted.duty == "*" || accepted.duty == duty)
            && change.text().contains(accepted.contains)
    })
}
