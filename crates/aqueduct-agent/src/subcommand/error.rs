//! Why a subcommand fails.

use std::io;
use std::path::PathBuf;

use aqueduct_mcp::SignInError;
use aqueduct_wire::hint::{Hint, HintedError};

use super::config::ConfigEditError;
use super::mcp_error::McpCommandError;
use super::similar::did_you_mean;
use crate::configuration::ConfigurationError;
use crate::diagnostic::Diagnostic;
use crate::mcp_config::{McpStoreError, SourceError};

/// Why a subcommand fails.
#[derive(Debug, thiserror::Error)]
pub(super) enum SubcommandError {
    /// The command line makes no sense.
    #[error("error: {0}")]
    Usage(#[from] UsageError),
    /// This agent does not have it.
    #[error("Error: `{command}` is not supported: {why}.")]
    Unsupported {
        /// The names on the way to it.
        command: String,
        /// Why, and what to do instead.
        why: String,
    },
    /// Two options don't go together.
    #[error("Error: {option} applies to background sessions.")]
    BackgroundOnly {
        /// The option.
        option: &'static str,
    },
    /// `--setting-sources` of a subcommand names something else.
    #[error("Error processing --setting-sources: Invalid setting source: {name}.")]
    SettingSource {
        /// The name as it was given.
        name: String,
    },
    /// The settings can't be used.
    #[error(transparent)]
    Settings(#[from] ConfigurationError),
    /// A setting can't be read or changed.
    #[error("Error: {0}")]
    Config(#[from] ConfigEditError),
    /// A subcommand of `mcp` fails.
    #[error(transparent)]
    Mcp(#[from] McpCommandError),
    /// The list of installed plugins can't be read.
    #[error("Error: {0}")]
    Unreadable(Diagnostic),
    /// The list of installed plugins is not valid JSON.
    #[error("Error: {}:{}: is not valid JSON: {error}", file.display(), error.line())]
    Json {
        /// The file.
        file: PathBuf,
        /// Where and why.
        error: serde_json::Error,
    },
    /// What is to be printed can't be written as JSON.
    #[error(transparent)]
    Output(serde_json::Error),
    /// A sign-in to a server fails.
    #[error("Error: {0}")]
    SignIn(#[from] SignInError),
    /// The runtime can't start.
    #[error("Error: the program can't start: {0}")]
    Runtime(io::Error),
}

impl From<McpStoreError> for SubcommandError {
    fn from(error: McpStoreError) -> Self {
        SubcommandError::Mcp(error.into())
    }
}

impl From<SourceError> for SubcommandError {
    fn from(error: SourceError) -> Self {
        SubcommandError::Mcp(error.into())
    }
}

impl SubcommandError {
    /// What is printed on stderr: what failed, and what to do about it. `program` is how the program is called.
    pub(super) fn for_stderr(&self, program: &str) -> String {
        let (hint, between) = match self {
            SubcommandError::Usage(error) => (error.hint(), "\n"),
            SubcommandError::BackgroundOnly { .. } => (Some("Use it with --json".to_owned()), " "),
            SubcommandError::SettingSource { .. } => {
                (Some("Valid options are: user, project, local".to_owned()), " ")
            }
            SubcommandError::Settings(_)
            | SubcommandError::Config(_)
            | SubcommandError::SignIn(_)
            | SubcommandError::Mcp(McpCommandError::Store(_)) => return self.advised(),
            SubcommandError::Mcp(error) => (error.hint(program), error.separator()),
            _ => (None, ""),
        };
        hint.map_or_else(|| self.to_string(), |hint| format!("{self}{between}{hint}"))
    }
}

impl HintedError for SubcommandError {
    fn hint(&self) -> Option<Hint> {
        match self {
            SubcommandError::Settings(error) => error.hint(),
            SubcommandError::Config(ConfigEditError::File(error)) => error.hint(),
            SubcommandError::Config(ConfigEditError::Edit(error)) => error.hint(),
            SubcommandError::Mcp(McpCommandError::Store(error)) => error.hint(),
            SubcommandError::SignIn(error) => error.hint(),
            _ => None,
        }
    }
}

/// A command line that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum UsageError {
    /// An option is not known.
    #[error("unknown option '{0}'")]
    UnknownOption(String),
    /// A subcommand is not known.
    #[error("unknown command '{name}'")]
    UnknownCommand {
        /// The name as it was given.
        name: String,
        /// The names that are known.
        known: Vec<&'static str>,
    },
    /// An option is the last argument, and needs a value.
    #[error("option '{0}' argument missing")]
    MissingValue(&'static str),
    /// An operand is missing.
    #[error("missing required argument '{0}'")]
    MissingArgument(&'static str),
    /// There are more operands than the subcommand takes.
    #[error("too many arguments for '{command}'. Expected 0 arguments but got {count}.")]
    TooManyArguments {
        /// The subcommand.
        command: &'static str,
        /// How many there are.
        count: usize,
    },
}

impl UsageError {
    fn hint(&self) -> Option<String> {
        match self {
            UsageError::UnknownCommand { name, known } => did_you_mean(name, known.iter().copied()),
            _ => None,
        }
    }
}
