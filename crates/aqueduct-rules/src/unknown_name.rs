//! A name of the wire that means nothing here.

use aqueduct_wire::hint::{Hint, HintedError};

/// A name that is none of a list: of a behavior, a mode or a source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{name}`")]
pub struct UnknownName {
    /// What it was to name.
    pub what: &'static str,
    /// The name as it was given.
    pub name: String,
    /// The names that are known.
    pub known: Vec<&'static str>,
}

impl HintedError for UnknownName {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::clause(format!("use one of {}", self.known.join(", "))))
    }
}
