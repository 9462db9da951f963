//! The three answers a decision can have.

use aqueduct_wire::permission::RuleBehavior;
use serde::{Serialize, Serializer};

use crate::unknown_name::UnknownName;

/// What happens to a tool call: it runs, a person is asked, or it is refused.
///
/// This is the wire's [`RuleBehavior`] with nothing open in it, in which every call ends. The order is from loose to
/// strict, so the strictest of several answers is their maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
        RuleBehavior::from(self).listed().unwrap_or_default()
    }
}

impl From<Behavior> for RuleBehavior<'static> {
    fn from(behavior: Behavior) -> Self {
        match behavior {
            Behavior::Allow => RuleBehavior::Allow,
            Behavior::Ask => RuleBehavior::Ask,
            Behavior::Deny => RuleBehavior::Deny,
        }
    }
}

impl TryFrom<&RuleBehavior<'_>> for Behavior {
    type Error = UnknownName;

    fn try_from(behavior: &RuleBehavior<'_>) -> Result<Self, UnknownName> {
        match behavior {
            RuleBehavior::Allow => Ok(Self::Allow),
            RuleBehavior::Ask => Ok(Self::Ask),
            RuleBehavior::Deny => Ok(Self::Deny),
            other => Err(UnknownName {
                what: "behavior",
                name: other.as_str().to_owned(),
                known: Self::ALL.map(Self::name).to_vec(),
            }),
        }
    }
}

impl Serialize for Behavior {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl std::fmt::Display for Behavior {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
