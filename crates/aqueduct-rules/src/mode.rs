//! The permission modes.

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// How calls that no rule decides are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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
        match self {
            Self::Default => "default",
            Self::AcceptEdits => "acceptEdits",
            Self::Plan => "plan",
            Self::BypassPermissions => "bypassPermissions",
            Self::Delegate => "delegate",
            Self::DontAsk => "dontAsk",
        }
    }
}

impl std::fmt::Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Mode {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            // Some hosts call the default mode by what it means for them.
            "manual" => Ok(Self::Default),
            "auto" => Err(Error::AutoMode),
            _ => Self::ALL
                .into_iter()
                .find(|mode| mode.name() == name)
                .ok_or_else(|| Error::UnknownMode { name: name.to_owned() }),
        }
    }
}
