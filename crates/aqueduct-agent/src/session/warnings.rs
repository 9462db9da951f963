//! Warnings about the session, and which of them the host has received.

use std::collections::HashSet;
use std::sync::Mutex;

use aqueduct_os::mutex::lock;

use crate::diagnostic::Diagnostic;

/// The warnings of the start, and what is reported once.
#[derive(Debug)]
pub(crate) struct Warnings {
    /// The warnings about what is read only at the start.
    at_start: Vec<Diagnostic>,
    /// The warnings about a folder that is not trusted.
    untrusted: Vec<Diagnostic>,
    state: Mutex<WarningsState>,
}

#[derive(Debug, Default)]
struct WarningsState {
    /// Warnings of the start that the host has not received.
    unsent: Vec<Diagnostic>,
    /// What has been reported.
    reported: HashSet<Subject>,
}

/// What a warning is about that is reported once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Subject {
    /// The role of the session does not exist.
    MissingRole,
    /// The price of a model is not known.
    UnknownPrice {
        /// The model.
        model: String,
    },
}

impl Warnings {
    /// The warnings of a start. `unsent` has all of them, for the host.
    pub(super) fn new(
        at_start: Vec<Diagnostic>,
        untrusted: Vec<Diagnostic>,
        unsent: Vec<Diagnostic>,
    ) -> Self {
        Warnings {
            at_start,
            untrusted,
            state: Mutex::new(WarningsState { unsent, reported: HashSet::new() }),
        }
    }

    /// The warnings about what is read only at the start.
    pub(crate) fn at_start(&self) -> &[Diagnostic] {
        &self.at_start
    }

    /// Takes the warnings of the start that the host has not received.
    pub(super) fn take_unsent(&self) -> Vec<Diagnostic> {
        std::mem::take(&mut lock(&self.state).unsent)
    }

    /// Drops the warnings about a folder that is not trusted: the host has asked the user, and shows the answer.
    pub(crate) fn drop_untrusted(&self) {
        lock(&self.state).unsent.retain(|warning| !self.untrusted.contains(warning));
    }

    /// Whether nothing was reported about a subject yet. From now on it counts as reported.
    pub(super) fn is_first(&self, subject: Subject) -> bool {
        lock(&self.state).reported.insert(subject)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_receives_a_warning_once() {
        let (first, untrusted) = (Diagnostic::warning("a"), Diagnostic::warning("untrusted"));
        let all = vec![first.clone(), untrusted.clone()];
        let warnings = Warnings::new(vec![first.clone()], vec![untrusted], all);
        warnings.drop_untrusted();
        assert_eq!(warnings.take_unsent(), [first]);
        assert!(warnings.take_unsent().is_empty());
        assert!(warnings.is_first(Subject::MissingRole));
        assert!(!warnings.is_first(Subject::MissingRole));
        assert!(warnings.is_first(Subject::UnknownPrice { model: "x".to_owned() }));
    }
}
