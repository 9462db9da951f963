//! What a person is shown of a folder.

use std::path::PathBuf;

use super::entry::{RecordedProvision, TrustEntry};
use super::inventory::Inventory;
use crate::provision::{Provision, ProvisionKind};

macro_rules! named {
    ($(#[$about:meta])* $name:ident { $($(#[$what:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$what])* $variant,)* }

        impl $name {
            /// Its name in JSON.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

named! {
    /// Whether a folder is trusted.
    FolderTrust {
        /// It provides nothing that would need trust.
        Nothing = "nothing",
        /// It is trusted with what it provides now.
        Trusted = "trusted",
        /// It is not trusted.
        Untrusted = "untrusted",
        /// It was trusted, and provides something else now.
        Changed = "changed",
    }
}

named! {
    /// How an item differs from what was trusted.
    ItemChange {
        /// It is as it was, or nothing was trusted before.
        Unchanged = "unchanged",
        /// It is new.
        Added = "added",
        /// It is gone.
        Removed = "removed",
    }
}

named! {
    /// The source of the trust in a folder.
    TrustSource {
        /// The user, on the command line.
        Cli = "cli",
        /// The user, in the web UI.
        Ui = "ui",
        /// The record of the reference CLI.
        Reference = "reference",
    }
}

/// What a folder provides, and whether it is trusted with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderReport {
    /// The folder, links resolved.
    pub folder: PathBuf,
    /// Whether it is trusted.
    pub state: FolderTrust,
    /// The digest of what it provides now, which an answer is bound to.
    pub digest: String,
    /// What it provides. Where it has changed, also what is gone.
    pub items: Vec<FolderItem>,
    /// Files that can't be read or understood, with their lines.
    pub problems: Vec<String>,
    /// Who trusted it last.
    pub by: Option<String>,
    /// When.
    pub at: Option<String>,
}

/// One thing that a folder provides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderItem {
    /// The name of its [`ProvisionKind`].
    pub kind: String,
    /// A short name: a rule, a variable, a server, an event with its matcher.
    pub name: String,
    /// What it does: a command, a value, an address.
    pub detail: String,
    /// File and line.
    pub source: String,
    /// How it differs from what was trusted.
    pub change: ItemChange,
    /// Whether the user has granted it by itself, so that it is in effect also where the folder is not trusted.
    pub is_granted: bool,
}

/// A folder that is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedFolder {
    /// The folder.
    pub folder: PathBuf,
    /// The digest of what it provided then.
    pub digest: String,
    /// Who trusted it.
    pub by: String,
    /// When.
    pub at: String,
    /// How many things it provided then.
    pub provisions: usize,
}

/// The heading of a kind of items, for people.
pub fn heading(kind: &str) -> &'static str {
    ProvisionKind::from_name(kind).map_or("Other", ProvisionKind::heading)
}

impl FolderItem {
    fn new(provision: &Provision, change: ItemChange) -> Self {
        FolderItem {
            kind: provision.kind.name().to_owned(),
            name: provision.name.clone(),
            detail: provision.detail.clone(),
            source: provision.source(),
            change,
            is_granted: false,
        }
    }

    fn gone(known: &RecordedProvision) -> Self {
        FolderItem {
            kind: known.kind.name().to_owned(),
            name: known.name.clone(),
            detail: known.detail.clone(),
            source: format!("{}:{}", known.file.display(), known.line),
            change: ItemChange::Removed,
            is_granted: false,
        }
    }
}

/// The items of an inventory. If the folder has changed, each item has its change; removed items are listed next to
/// added ones.
pub(super) fn items(inventory: &Inventory, entry: &TrustEntry, state: FolderTrust) -> Vec<FolderItem> {
    let granted = entry.granted();
    let trusted = entry.trusted.as_ref().filter(|_| state == FolderTrust::Changed);
    let known = trusted.iter().flat_map(|trusted| &trusted.provisions);
    let mut unmatched: Vec<&RecordedProvision> =
        known.filter(|known| !granted.contains(&known.digest)).collect();
    let mut items = Vec::new();
    for provision in &inventory.provisions {
        let is_granted = granted.contains(&provision.digest);
        let known = unmatched.iter().position(|known| known.digest == provision.digest);
        let change = match known {
            Some(_) => ItemChange::Unchanged,
            None if is_granted || trusted.is_none() => ItemChange::Unchanged,
            None => ItemChange::Added,
        };
        known.map(|index| unmatched.remove(index));
        items.push((provision.kind, FolderItem { is_granted, ..FolderItem::new(provision, change) }));
    }
    items.extend(unmatched.into_iter().map(|known| (known.kind, FolderItem::gone(known))));
    items.sort_by_key(|(kind, _)| *kind);
    items.into_iter().map(|(_, item)| item).collect()
}
