//! Why a command line can't be used.

use aqueduct_rules::ModeError;
use aqueduct_wire::hint::{Hint, HintedError};

/// Why a command line can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandLineError {
    /// A flag is the last argument, and needs a value.
    #[error("{flag} needs a value: {flag} {what}")]
    MissingValue {
        /// The flag as it was written.
        flag: String,
        /// What the help calls the value.
        what: &'static str,
    },
    /// A flag can't have its value.
    #[error("{flag}: {error}")]
    Value {
        /// The flag as it was written.
        flag: String,
        /// What is wrong with the value.
        error: FlagError,
    },
    /// A flag is not known, and a subcommand follows it.
    #[error("unknown option '{0}'")]
    UnknownFlag(String),
    /// The first word is nearly a subcommand.
    #[error("unknown command {word:?}")]
    UnknownCommand {
        /// The word.
        word: String,
        /// The subcommand.
        meant: &'static str,
    },
    /// A flag needs other flags.
    #[error("{0}")]
    Needs(&'static str),
    /// `--session-id` is no UUID.
    #[error("Invalid session ID")]
    SessionId,
    /// `--session-id` together with a session that is resumed.
    #[error("--session-id can only be used with --continue or --resume if --fork-session is also given.")]
    SessionIdOfResumed,
    /// Two system prompts.
    #[error("--system-prompt and --system-prompt-file can't be used together.")]
    TwoSystemPrompts,
    /// `--tmux`.
    #[error("--tmux is not supported: there is no terminal here")]
    Tmux,
    /// `--agents` can't be used.
    #[error("Invalid --agents configuration: {0}")]
    Agents(AgentsFlagError),
    /// `--task-budget` is 0.
    #[error("--task-budget must be at least 1.")]
    TaskBudget,
    /// `--max-budget-usd` is no amount.
    #[error("--max-budget-usd must be more than 0.")]
    Budget,
    /// `--permission-mode` is not known.
    #[error(transparent)]
    Mode(#[from] ModeError),
}

impl HintedError for CommandLineError {
    fn hint(&self) -> Option<Hint> {
        match self {
            CommandLineError::Mode(error) => error.hint(),
            CommandLineError::Value { error: FlagError::Unknown { known, .. }, .. } => {
                Some(Hint::Clause(format!("use {known}")))
            }
            CommandLineError::UnknownCommand { meant, .. } => {
                Some(Hint::Clause(format!("did you mean {meant:?}? Pass -p to send it as a prompt")))
            }
            CommandLineError::SessionId => Some(Hint::Sentence("Must be a valid UUID.".to_owned())),
            CommandLineError::Tmux => Some(Hint::Sentence("Use --worktree without it.".to_owned())),
            _ => None,
        }
    }
}

/// What is wrong with the value of a flag.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FlagError {
    /// It is none of the values that the flag can have.
    #[error("unknown {what} {value}")]
    Unknown {
        /// What the flag chooses.
        what: &'static str,
        /// The value as it was given.
        value: String,
        /// The values that the flag can have.
        known: &'static str,
    },
    /// It is no number.
    #[error("{value} is not {what}")]
    Number {
        /// The value as it was given.
        value: String,
        /// What it must be.
        what: &'static str,
    },
}

/// What is wrong with `--agents`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentsFlagError {
    /// It is not a JSON object.
    #[error("invalid JSON: {0}")]
    Json(String),
    /// Members are missing, or are no texts. Each is named by the agent and the member.
    #[error("{}", .0.iter().map(|member| format!("{member} must be a string")).collect::<Vec<_>>().join("; "))]
    Members(Vec<String>),
}
