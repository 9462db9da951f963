//! A quick check of the files of one folder.

use std::sync::LazyLock;

use crate::folding::{folded, is_folded};
use crate::glob::GlobToken;
use crate::path;

use super::table::CredentialLocation;
use super::{CredentialPath, INDEX, MachinePaths, NamePattern, is_home};

/// Decides for the files directly in one folder whether they may hold credentials. What depends on the folder
/// is found out once, so that a search of many files looks at their names alone.
#[derive(Debug, Clone)]
pub struct CredentialFilter {
    /// Whether every file has to be checked: the folder holds credentials itself.
    all: bool,
    /// Tables of the names that count in this folder.
    tables: Vec<&'static NameSet>,
    /// Names that end a path of the credential table which the end of the folder's path begins.
    ends: NameSet,
    /// Names of files that hold credentials according to the environment.
    moved: Vec<String>,
}

impl CredentialFilter {
    pub(crate) fn new(folder: &str, machine: MachinePaths<'_>) -> Self {
        let clean = folded(folder);
        let components: Vec<&str> = clean.split('/').filter(|component| !component.is_empty()).collect();
        // A file can be a working directory itself and is then not outside of it; checking such a file is
        // redundant.
        let outside = !machine.working.iter().any(|directory| path::is_within(folder, directory));
        let counts = |place: CredentialLocation, at: usize| match place {
            CredentialLocation::Anywhere => true,
            CredentialLocation::Home => is_home(&components[..at], false, machine.home),
            CredentialLocation::Outside => outside,
            CredentialLocation::Root => at == 0,
        };
        let singles = &*SINGLES;
        let mut filter = CredentialFilter {
            all: machine.more.iter().any(|place| path::is_within(folder, place)),
            tables: singles
                .iter()
                .filter(|(place, _)| counts(*place, components.len()))
                .map(|(_, names)| names)
                .collect(),
            ends: NameSet::default(),
            moved: machine
                .more
                .iter()
                .filter_map(|place| path::below(place, folder))
                .map(|name| name.trim_matches('/').to_owned())
                .collect(),
        };
        for (at, component) in components.iter().enumerate() {
            let named = INDEX.by_name.get(*component).map_or(&[][..], Vec::as_slice);
            for known in named.iter().chain(&INDEX.wild).map(|known| &INDEX.all[*known]) {
                filter.add(known, &components[at..], || counts(known.place, at));
            }
        }
        filter
    }

    /// Takes note of a path of the table that may begin with the folders that the folder's path ends with.
    fn add(&mut self, known: &CredentialPath, folders: &[&str], counts: impl Fn() -> bool) {
        let fits =
            || known.names.iter().zip(folders).all(|(name, folder)| name.is(folder, false)) && counts();
        if known.names.len() == folders.len() + 1 {
            if let Some(last) = known.names.last().filter(|_| fits()) {
                self.ends.add(last);
            }
        } else if known.folder && known.names.len() <= folders.len() && fits() {
            self.all = true;
        }
    }

    /// Whether the file of this name, directly in the folder, may hold credentials. If not, that is certain; if so,
    /// [`crate::Context::credential`] decides.
    pub fn may_hold(&self, name: &str) -> bool {
        // Names that are not compared as they are written are rare.
        self.all
            || !is_plain(name)
            || self.tables.iter().any(|names| names.has(name))
            || self.ends.has(name)
            || self.moved.iter().any(|moved| moved == name)
    }
}

/// Paths of the table that are a single name, by their place.
static SINGLES: LazyLock<Vec<(CredentialLocation, NameSet)>> = LazyLock::new(|| {
    [
        CredentialLocation::Anywhere,
        CredentialLocation::Home,
        CredentialLocation::Outside,
        CredentialLocation::Root,
    ]
    .into_iter()
    .map(|place| {
        let mut names = NameSet::default();
        for known in INDEX.all.iter().filter(|known| known.place == place) {
            if let [single] = known.names.as_slice() {
                names.add(single);
            }
        }
        (place, names)
    })
    .collect()
});

/// A set of names. Most names that are looked up are not in it, which their first byte shows.
#[derive(Debug, Clone, Default)]
struct NameSet {
    /// One bit for each first byte, of the ASCII ones.
    first: u128,
    literals: Vec<String>,
    /// What names with a wildcard begin and end with.
    wild: Vec<(String, String)>,
}

impl NameSet {
    fn add(&mut self, name: &NamePattern) {
        match name {
            NamePattern::Literal(text) => {
                self.first |= text.bytes().next().map_or(0, bit);
                self.literals.push(text.clone());
            }
            NamePattern::Wild(pattern) => self.wild.push(literal_ends(pattern)),
        }
    }

    /// Whether the name is in the set. Of names with a wildcard, both ends are compared and nothing between.
    fn has(&self, name: &str) -> bool {
        let first = name.bytes().next().map_or(0, bit);
        self.first & first != 0 && self.literals.iter().any(|literal| literal == name)
            || self.wild.iter().any(|(start, end)| name.starts_with(start) && name.ends_with(end))
    }
}

fn bit(byte: u8) -> u128 {
    1 << (byte & 0x7f)
}

/// The text before the first wildcard and the one after the last.
fn literal_ends(pattern: &[GlobToken]) -> (String, String) {
    let literal = |token: &GlobToken| match token {
        GlobToken::Char(c) => Some(*c),
        _ => None,
    };
    let start = pattern.iter().map_while(literal).collect();
    let mut end: Vec<char> = pattern.iter().rev().map_while(literal).collect();
    end.reverse();
    (start, end.into_iter().collect())
}

/// Whether a text is one name that is compared as it is written, which is true of most.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains('/') && is_folded(name)
}

#[cfg(test)]
mod tests;
