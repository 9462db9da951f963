//! Inputs that do not match the schema of their tool.

use std::fmt;

/// How an input that does not match its schema is reported: hosts look for this name.
const INVALID_INPUT: &str = "InputValidationError";

/// An input that does not match the schema of its tool. Its text is for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{INVALID_INPUT}: {tool}: {}.", Listed(faults))]
pub struct InvalidInput {
    pub(super) tool: &'static str,
    pub(super) faults: Vec<InputFault>,
}

/// What is wrong with one parameter of an input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum InputFault {
    #[error("the required parameter `{0}` is missing")]
    Missing(String),
    #[error("there is no parameter `{0}`")]
    Unknown(String),
    #[error("`{name}` must be of the type {expected}, not {found}")]
    Type { name: String, expected: String, found: &'static str },
    #[error("`{name}` must be one of {allowed}")]
    Choice { name: String, allowed: String },
    #[error("`{name}` must have {shortest} or more characters")]
    TooShort { name: String, shortest: u64 },
    #[error("`{name}` is not a valid address: {error}")]
    Address { name: String, error: String },
    #[error("`{name}` must have {least} or more items")]
    TooFew { name: String, least: u64 },
    #[error("`{0}` and `{1}` can't both be given")]
    Exclusive(&'static str, &'static str),
}

struct Listed<'f>(&'f [InputFault]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, fault) in self.0.iter().enumerate() {
            let separator = if position == 0 { "" } else { ", " };
            write!(f, "{separator}{fault}")?;
        }
        Ok(())
    }
}
