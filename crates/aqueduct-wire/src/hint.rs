//! Errors whose hint, what to do about them, is not part of their message.
//!
//! It is here because all crates with such errors depend on this one. The message of an error states what failed and
//! why. The code that shows the error to a person or a model joins both with [`HintedError::advised`].

use std::fmt;

/// What follows from an error, or what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    /// What is wrong is ignored, and the rest counts.
    Ignored,
    /// A clause that continues the message.
    Clause(String),
    /// A sentence that follows the message.
    Sentence(String),
}

impl Hint {
    /// A clause that continues the message.
    pub fn clause(text: impl Into<String>) -> Self {
        Hint::Clause(text.into())
    }

    /// A sentence that follows the message.
    pub fn sentence(text: impl Into<String>) -> Self {
        Hint::Sentence(text.into())
    }

    /// The message with the hint.
    ///
    /// ```
    /// use aqueduct_wire::hint::Hint;
    ///
    /// assert_eq!(Hint::clause("give a word").after("the search is empty"), "the search is empty; give a word");
    /// assert_eq!(Hint::sentence("Give a word").after("the search is empty"), "the search is empty. Give a word");
    /// ```
    pub fn after(&self, message: impl fmt::Display) -> String {
        match self {
            Hint::Ignored | Hint::Clause(_) => format!("{message}; {self}"),
            Hint::Sentence(_) => format!("{message}. {self}"),
        }
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hint::Ignored => f.write_str("it is ignored"),
            Hint::Clause(text) | Hint::Sentence(text) => f.write_str(text),
        }
    }
}

/// An error whose hint is not part of its message.
///
/// ```
/// use aqueduct_wire::hint::{Hint, HintedError};
///
/// #[derive(Debug, thiserror::Error)]
/// #[error("session {0} does not exist")]
/// struct NoSession(&'static str);
///
/// impl HintedError for NoSession {
///     fn hint(&self) -> Option<Hint> {
///         Some(Hint::clause("list the sessions"))
///     }
/// }
///
/// assert_eq!(NoSession("s1").to_string(), "session s1 does not exist");
/// assert_eq!(NoSession("s1").advised(), "session s1 does not exist; list the sessions");
/// ```
pub trait HintedError: std::error::Error {
    /// What follows from it, or what to do about it.
    fn hint(&self) -> Option<Hint>;

    /// The message and the hint.
    fn advised(&self) -> String {
        match self.hint() {
            Some(hint) => hint.after(self),
            None => self.to_string(),
        }
    }
}
