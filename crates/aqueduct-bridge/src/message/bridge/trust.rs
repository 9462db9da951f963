use aqueduct_wire::json::Str;
use aqueduct_wire::table::{names, record};

use crate::message::table::reply;

reply! {
    /// What a folder provides that changes what agents do there, and whether the user trusts it.
    TrustReport<'a> {
        essential {
            /// The folder, with symlinks resolved.
            project_path = "projectPath": Str<'a>,
            state: TrustState<'a>,
            /// Identifies exactly what `items` lists. `trust_folder` takes it.
            digest: Str<'a>,
            /// Everything that the folder provides, and with the state `changed` also what it no longer provides. Texts come
            /// from the folder's files as they are: escape control characters before you show them.
            items: Vec<TrustItem<'a>>,
        }
        "1" {
            /// Files that could not be read or understood, with the reason.
            optional problems: Vec<Str<'a>>,
            /// How the folder was trusted before: `cli`, `ui`, `reference`.
            optional by: Str<'a>,
            /// When the folder was trusted before, as RFC 3339.
            optional at: Str<'a>,
        }
    }
}

names! {
    /// Whether what a folder provides takes effect.
    TrustState<'a> {
        /// The folder provides nothing that needs trust.
        "nothing" => Nothing,
        /// The user trusts what the folder provides.
        "trusted" => Trusted,
        /// The user never trusted the folder.
        "untrusted" => Untrusted,
        /// The user trusted the folder, and it provides something else now.
        "changed" => Changed,
    }
}

impl TrustState<'_> {
    /// Whether the user has to decide.
    pub fn needs_decision(&self) -> bool {
        !matches!(self, TrustState::Nothing | TrustState::Trusted)
    }
}

record! {
    /// Something that a folder provides.
    TrustItem<'a> {
        essential {
            /// What it is, such as `hook`, `allow-rule`, `variable`, `server`, `skill`, `agent`.
            kind: Str<'a>,
            /// Such as the event of a hook, a rule, the name of a variable or server.
            name: Str<'a>,
            /// What it does: the command, the value, the command line or URL, the rights.
            detail: Str<'a>,
        }
        "1" {
            /// The heading of its kind, for people.
            optional heading: Str<'a>,
            /// The file and line that it comes from.
            optional source: Str<'a>,
            /// How it differs from what the user trusted before.
            optional change: TrustChange<'a>,
        }
    }
}

names! {
    /// How something differs from what the user trusted before.
    TrustChange<'a> {
        "unchanged" => Unchanged,
        "added" => Added,
        "removed" => Removed,
    }
}
