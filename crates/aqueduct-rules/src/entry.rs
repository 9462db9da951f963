//! A rule as a context holds it.

use crate::behavior::Behavior;
use crate::error::Error;
use crate::rule::Rule;
use crate::source::Source;

/// One rule with its source.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Where it comes from.
    pub source: Source,
    /// What it makes of the calls it matches.
    pub behavior: Behavior,
    /// The rule as written.
    pub text: String,
    /// The rule, or why it can't be read.
    pub rule: Result<Rule, Error>,
    /// Why the rule is not in effect, if it is not.
    pub withheld: Option<&'static str>,
}
