use std::io;
use std::path::PathBuf;

use aqueduct_wire::hint::{Hint, HintedError};

use crate::diagnostic::Diagnostic;

/// Why the agent can't start with these settings, or can't keep a change to them.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigurationError {
    /// `--setting-sources` names something else.
    #[error("`{name}` is not a settings source")]
    UnknownSource {
        /// The name as it was given.
        name: String,
    },
    /// `--settings` names a file that can't be read.
    #[error("can't read the settings file {} of --settings: {error}", path.display())]
    SettingsFile {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// `--settings` is no settings object.
    #[error("--settings must be a file or a JSON object: {problem}")]
    SettingsText {
        /// What is wrong with it.
        problem: Diagnostic,
    },
    /// The rules don't allow the change.
    #[error(transparent)]
    Rules(#[from] aqueduct_rules::Error),
    /// A settings file can't be changed.
    #[error("can't change the settings file {}: {error}", path.display())]
    Save {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
}

impl HintedError for ConfigurationError {
    fn hint(&self) -> Option<Hint> {
        match self {
            ConfigurationError::UnknownSource { .. } => {
                Some(Hint::clause("--setting-sources takes a list of user, project and local"))
            }
            ConfigurationError::Save { .. } => {
                Some(Hint::clause("the permission holds for this session only"))
            }
            ConfigurationError::Rules(error) => error.hint(),
            ConfigurationError::SettingsFile { .. } | ConfigurationError::SettingsText { .. } => None,
        }
    }
}
