//! The three answers a decision can have.

use serde::{Deserialize, Serialize};

/// What happens to a tool call: it runs, a person is asked, or it is refused.
///
/// The order is from loose to strict, so the strictest of several answers is their maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Behavior {
    /// The call runs without asking.
    Allow,
    /// A person decides.
    Ask,
    /// The call is refused.
    Deny,
}

impl Behavior {
    /// Every behavior, from loose to strict.
    pub const ALL: [Self; 3] = [Self::Allow, Self::Ask, Self::Deny];

    /// The name used in settings files and on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

impl std::fmt::Display for Behavior {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
