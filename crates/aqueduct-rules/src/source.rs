//! Where a rule comes from.

use serde::{Deserialize, Serialize};

/// The eight places rules come from, in the order in which they are listed to people.
///
/// A source never outranks another: a deny from any of them denies. It says who wrote a rule and whether
/// it can be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    /// Given by a person during this conversation; forgotten at its end.
    Session,
    /// Given on the command line of the agent.
    CliArg,
    /// Granted by the front matter of a slash command while it runs.
    Command,
    /// `.claude/settings.local.json` of the project, kept out of version control.
    LocalSettings,
    /// `.claude/settings.json` of the project, shared with everyone who checks it out.
    ProjectSettings,
    /// `settings.json` in the user's own configuration folder.
    UserSettings,
    /// Settings an organisation manages.
    PolicySettings,
    /// A settings file or settings text named on the command line.
    FlagSettings,
}

/// Whether and for how long a change to a source lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Editability {
    /// Changes are written to a settings file.
    Persistent,
    /// Changes last as long as the conversation.
    Session,
    /// The source can't be changed from here.
    Readonly,
}

impl Source {
    /// Every source, in listing order.
    pub const ALL: [Self; 8] = [
        Self::Session,
        Self::CliArg,
        Self::Command,
        Self::LocalSettings,
        Self::ProjectSettings,
        Self::UserSettings,
        Self::PolicySettings,
        Self::FlagSettings,
    ];

    /// The name used on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::CliArg => "cliArg",
            Self::Command => "command",
            Self::LocalSettings => "localSettings",
            Self::ProjectSettings => "projectSettings",
            Self::UserSettings => "userSettings",
            Self::PolicySettings => "policySettings",
            Self::FlagSettings => "flagSettings",
        }
    }

    /// The source with this wire name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.name() == name)
    }

    /// Whether an operation may change this source, and how long the change lasts.
    pub fn editability(self) -> Editability {
        match self {
            Self::LocalSettings | Self::ProjectSettings | Self::UserSettings => Editability::Persistent,
            Self::Session | Self::CliArg => Editability::Session,
            Self::Command | Self::PolicySettings | Self::FlagSettings => Editability::Readonly,
        }
    }

    /// Whether the project's authors can have written this source. The local file is usually the user's own, but a
    /// repository can bring one. Allow rules and directories from it count only in a trusted folder.
    pub fn comes_with_the_project(self) -> bool {
        matches!(self, Self::ProjectSettings | Self::LocalSettings)
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
