//! What can go wrong at the edge of the crate. A decision itself never fails.

use crate::mode::ModeError;
use crate::source::Source;
use crate::unknown_name::UnknownName;

/// Everything this crate can refuse to do, each with what to do next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A rule's text can't be read.
    #[error("rule `{rule}` {problem}; write it as `Tool` or `Tool(content)`")]
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
        /// Who or what forbids it, and how it would be possible.
        reason: &'static str,
    },
    /// An update names a source that can't be changed.
    #[error(
        "rules of {source_name} are read-only; choose session, localSettings, projectSettings or userSettings"
    )]
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
        /// What is wrong and what to write instead.
        problem: String,
    },
}

fn field_prefix(field: &str) -> String {
    if field.is_empty() { String::new() } else { format!("{field}: ") }
}
