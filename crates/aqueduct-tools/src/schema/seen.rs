//! What of a value a schema looked at, for `unevaluatedProperties` and `unevaluatedItems`.

use std::collections::BTreeSet;

/// The members and items of a value that schemas were applied to.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    names: BTreeSet<String>,
    has_all_names: bool,
    items: BTreeSet<usize>,
    has_all_items: bool,
}

impl Seen {
    pub(super) fn name(&mut self, name: &str) {
        self.names.insert(name.to_owned());
    }

    pub(super) fn all_names(&mut self) {
        self.has_all_names = true;
    }

    pub(super) fn item(&mut self, index: usize) {
        self.items.insert(index);
    }

    pub(super) fn all_items(&mut self) {
        self.has_all_items = true;
    }

    pub(super) fn has_name(&self, name: &str) -> bool {
        self.has_all_names || self.names.contains(name)
    }

    pub(super) fn has_item(&self, index: usize) -> bool {
        self.has_all_items || self.items.contains(&index)
    }

    /// Adds what another schema looked at in the same value.
    pub(super) fn add(&mut self, other: Seen) {
        self.names.extend(other.names);
        self.items.extend(other.items);
        self.has_all_names |= other.has_all_names;
        self.has_all_items |= other.has_all_items;
    }
}
