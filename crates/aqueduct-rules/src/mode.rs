//! The permission modes.

use aqueduct_wire::hint::{Hint, HintedError};
use aqueduct_wire::permission::PermissionMode;
use serde::{Serialize, Serializer};

use crate::unknown_name::UnknownName;

/// How calls that no rule decides are treated: the modes of the wire that can be chosen here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// Reading in the working directories is allowed, everything else is asked.
    #[default]
    Default,
    /// As `default`, and edits in the working directories are allowed.
    AcceptEdits,
    /// Reading is allowed, edits are asked, everything else is refused until the plan is approved.
    Plan,
    /// Everything is allowed that no deny or ask rule names.
    BypassPermissions,
    /// As `default`; the host hands the questions on.
    Delegate,
    /// As `default`, and what would be asked is refused.
    DontAsk,
}

impl Mode {
    /// Every mode that can be chosen.
    pub const ALL: [Self; 6] = [
        Self::Default,
        Self::AcceptEdits,
        Self::Plan,
        Self::BypassPermissions,
        Self::Delegate,
        Self::DontAsk,
    ];

    /// The name used in settings files, flags and on the wire.
    pub fn name(self) -> &'static str {
        PermissionMode::from(self).listed().unwrap_or_default()
    }
}

/// Why a mode of the wire can't be chosen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModeError {
    /// `auto` needs a classifier that judges each call, which this stack doesn't have.
    #[error("permission mode `auto` is not supported here")]
    Auto,
    /// The mode does not exist.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
}

impl HintedError for ModeError {
    fn hint(&self) -> Option<Hint> {
        match self {
            ModeError::Auto => Some(Hint::clause("use `acceptEdits` with rules for the commands you trust")),
            ModeError::Unknown(error) => error.hint(),
        }
    }
}

impl From<Mode> for PermissionMode<'static> {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Default => PermissionMode::Default,
            Mode::AcceptEdits => PermissionMode::AcceptEdits,
            Mode::Plan => PermissionMode::Plan,
            Mode::BypassPermissions => PermissionMode::BypassPermissions,
            Mode::Delegate => PermissionMode::Delegate,
            Mode::DontAsk => PermissionMode::DontAsk,
        }
    }
}

impl TryFrom<&PermissionMode<'_>> for Mode {
    type Error = ModeError;

    fn try_from(mode: &PermissionMode<'_>) -> Result<Self, ModeError> {
        match mode {
            // Some hosts call the default mode by what it means for them.
            PermissionMode::Default | PermissionMode::Manual => Ok(Self::Default),
            PermissionMode::AcceptEdits => Ok(Self::AcceptEdits),
            PermissionMode::Plan => Ok(Self::Plan),
            PermissionMode::BypassPermissions => Ok(Self::BypassPermissions),
            PermissionMode::Delegate => Ok(Self::Delegate),
            PermissionMode::DontAsk => Ok(Self::DontAsk),
            PermissionMode::Auto => Err(ModeError::Auto),
            other => Err(ModeError::Unknown(UnknownName {
                what: "permission mode",
                name: other.as_str().to_owned(),
                known: Self::ALL.map(Self::name).to_vec(),
            })),
        }
    }
}

impl Serialize for Mode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl std::fmt::Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Mode {
    type Err = ModeError;

    fn from_str(name: &str) -> Result<Self, ModeError> {
        Self::try_from(&PermissionMode::from(name))
    }
}
