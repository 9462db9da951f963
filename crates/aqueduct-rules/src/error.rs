//! What can go wrong at the edge of the crate. A decision itself never fails.

use aqueduct_wire::hint::{Hint, HintedError};

use crate::mode::ModeError;
use crate::source::Source;
use crate::unknown_name::UnknownName;

/// Everything this crate can refuse to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A rule's text can't be read.
    #[error("rule `{rule}` {problem}")]
    Rule {
        /// The text as it was written.
        rule: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A mode can't be chosen.
    #[error(transparent)]
    Mode(#[from] ModeError),
    /// A name of the wire is not known.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// A permission update is of no known kind, or lacks a member.
    #[error("a permission update {problem}")]
    Update {
        /// What is wrong with it.
        problem: String,
    },
    /// Bypassing is switched off or was not made available at the start.
    #[error("bypassPermissions can't be entered: {reason}")]
    BypassUnavailable {
        /// Who or what forbids it.
        reason: &'static str,
        /// How it would be possible.
        hint: Option<&'static str>,
    },
    /// An update names a source that can't be changed.
    #[error("rules of {source_name} are read-only")]
    ReadOnlySource {
        /// The source that was named.
        source_name: Source,
    },
    /// A settings file is not what it should be.
    #[error("{}:{line}:{column}: {}{problem}", file, field_prefix(field))]
    Settings {
        /// The file, as the caller named it.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// The field, such as `permissions.allow[2]`; empty when the file as a whole is meant.
        field: String,
        /// What is wrong.
        problem: String,
        /// What to write instead.
        hint: Option<Hint>,
    },
}

impl HintedError for Error {
    fn hint(&self) -> Option<Hint> {
        match self {
            Error::Rule { .. } => Some(Hint::clause("write it as `Tool` or `Tool(content)`")),
            Error::Mode(error) => error.hint(),
            Error::Name(error) => error.hint(),
            Error::BypassUnavailable { hint, .. } => hint.map(Hint::clause),
            Error::ReadOnlySource { .. } => {
                Some(Hint::clause("choose session, localSettings, projectSettings or userSettings"))
            }
            Error::Settings { hint, .. } => hint.clone(),
            Error::Update { .. } => None,
        }
    }
}

fn field_prefix(field: &str) -> String {
    if field.is_empty() { String::new() } else { format!("{field}: ") }
}
