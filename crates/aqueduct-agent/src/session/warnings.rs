//! Warnings about the session, and which of them the host has received.

use std::collections::HashSet;
use std::sync::Mutex;

use super::lock::lock;

/// The warnings of the start, and what is reported once.
#[derive(Debug)]
pub(crate) struct Warnings {
    /// The warnings about what is read only at the start.
    at_start: Vec<String>,
    /// The warnings about a folder that is not trusted.
    untrusted: Vec<String>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Warnings of the start that the host has not received.
    unsent: Vec<String>,
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
    /// The warnings of a start, and the lines of stderr with all of them, which the host receives too.
    pub(super) fn new(at_start: Vec<String>, untrusted: Vec<String>, printed: &[String]) -> Self {
        let bare = |line: &String| line.strip_prefix("Warning: ").unwrap_or(line).to_owned();
        let unsent = printed.iter().map(bare).collect();
        Warnings { at_start, untrusted, state: Mutex::new(State { unsent, reported: HashSet::new() }) }
    }

    /// The warnings about what is read only at the start.
    pub(crate) fn at_start(&self) -> &[String] {
        &self.at_start
    }

    /// Takes the warnings of the start that the host has not received.
    pub(super) fn take_unsent(&self) -> Vec<String> {
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
        let text = |text: &str| text.to_owned();
        let printed = [text("Warning: a"), text("untrusted")];
        let warnings = Warnings::new(vec![text("Warning: a")], vec![text("untrusted")], &printed);
        warnings.drop_untrusted();
        assert_eq!(warnings.take_unsent(), ["a"]);
        assert!(warnings.take_unsent().is_empty());
        assert!(warnings.is_first(Subject::MissingRole));
        assert!(!warnings.is_first(Subject::MissingRole));
        assert!(warnings.is_first(Subject::UnknownPrice { model: text("x") }));
    }
}
