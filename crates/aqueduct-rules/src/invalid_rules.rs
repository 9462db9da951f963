//! Rules of a list that can't be used.

use std::fmt;

use aqueduct_wire::hint::HintedError as _;

use crate::behavior::Behavior;
use crate::error::Error;
use crate::rule::Rule;

/// One rule of a list that can't be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidRule {
    /// The list that it is in.
    pub behavior: Behavior,
    /// Its position in the list, from 0.
    pub index: usize,
    /// The rule as written.
    pub text: String,
    /// What is wrong with it.
    pub error: Error,
}

impl InvalidRule {
    pub(crate) fn new(behavior: Behavior, index: usize, text: &str, error: Error) -> Self {
        InvalidRule { behavior, index, text: text.to_owned(), error }
    }

    /// Where it is: `deny[2]` is the third deny rule.
    ///
    /// ```
    /// use aqueduct_rules::{Behavior, Context, Source};
    ///
    /// let mut context = Context::new("/proj");
    /// let error = context.add_rules(Source::Session, Behavior::Deny, ["Bash(rm:*)", "Bash(mv"]).unwrap_err();
    /// assert_eq!(error.rules()[0].place(), "deny[1]");
    /// ```
    pub fn place(&self) -> String {
        format!("{}[{}]", self.behavior, self.index)
    }

    /// The name of the tool that was probably meant, where the rule has it in another case.
    ///
    /// ```
    /// use aqueduct_rules::{Behavior, Context, Source};
    ///
    /// let mut context = Context::new("/proj");
    /// let error = context.add_rules(Source::Session, Behavior::Allow, ["bash(make)"]).unwrap_err();
    /// assert_eq!(error.rules()[0].hint().as_deref(), Some("did you mean `Bash`?"));
    /// ```
    pub fn hint(&self) -> Option<String> {
        let meant = Rule::intended_tool(&self.text)?;
        (!self.text.trim_start().starts_with(meant)).then(|| format!("did you mean `{meant}`?"))
    }
}

/// Place, message and hints: each rule of a list has its own.
impl fmt::Display for InvalidRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place(), self.error.advised())?;
        match self.hint() {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

/// The rules of a list that can't be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidRules(Vec<InvalidRule>);

impl InvalidRules {
    /// An error if there are any.
    pub(crate) fn check(rules: Vec<InvalidRule>) -> Result<(), InvalidRules> {
        if rules.is_empty() { Ok(()) } else { Err(InvalidRules(rules)) }
    }

    /// Each of them.
    ///
    /// ```
    /// use aqueduct_rules::{Behavior, Context, Source};
    ///
    /// let mut context = Context::new("/proj");
    /// let error = context.add_rules(Source::Session, Behavior::Ask, ["", "Read()"]).unwrap_err();
    /// assert_eq!(error.rules().len(), 2);
    /// ```
    pub fn rules(&self) -> &[InvalidRule] {
        &self.0
    }
}

impl fmt::Display for InvalidRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, rule) in self.0.iter().enumerate() {
            let separator = if number == 0 { "" } else { "\n" };
            write!(f, "{separator}{rule}")?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidRules {}
