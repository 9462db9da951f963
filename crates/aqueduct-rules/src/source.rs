//! Where a rule comes from.

use aqueduct_wire::permission::Destination;
use serde::{Deserialize, Serialize, Serializer};

use crate::unknown_name::UnknownName;

/// The eight places rules come from, in the order in which they are listed to people: the wire's [`Destination`] with
/// nothing open in it.
///
/// A source never outranks another: a deny from any of them denies. It shows who wrote a rule and whether
/// it can be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
        Destination::from(self).listed().unwrap_or_default()
    }

    /// The source with this wire name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::try_from(&Destination::from(name)).ok()
    }

    /// Whether an update may change this source, and how long the change lasts.
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

impl From<Source> for Destination<'static> {
    fn from(source: Source) -> Self {
        match source {
            Source::Session => Destination::Session,
            Source::CliArg => Destination::CliArg,
            Source::Command => Destination::Command,
            Source::LocalSettings => Destination::LocalSettings,
            Source::ProjectSettings => Destination::ProjectSettings,
            Source::UserSettings => Destination::UserSettings,
            Source::PolicySettings => Destination::PolicySettings,
            Source::FlagSettings => Destination::FlagSettings,
        }
    }
}

impl TryFrom<&Destination<'_>> for Source {
    type Error = UnknownName;

    fn try_from(destination: &Destination<'_>) -> Result<Self, UnknownName> {
        match destination {
            Destination::Session => Ok(Self::Session),
            Destination::CliArg => Ok(Self::CliArg),
            Destination::Command => Ok(Self::Command),
            Destination::LocalSettings => Ok(Self::LocalSettings),
            Destination::ProjectSettings => Ok(Self::ProjectSettings),
            Destination::UserSettings => Ok(Self::UserSettings),
            Destination::PolicySettings => Ok(Self::PolicySettings),
            Destination::FlagSettings => Ok(Self::FlagSettings),
            other => Err(UnknownName {
                what: "destination",
                name: other.as_str().to_owned(),
                known: Self::ALL.map(Self::name).to_vec(),
            }),
        }
    }
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
