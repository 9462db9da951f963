//! What agents did, as a file of lines: the record that no bridge and no keeper writes.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// The file's name in the project folder.
pub(crate) const FILE: &str = "effects";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Effect {
    /// An input was run. The name is its mark.
    Ran,
    /// The call of an input that needs a permission was made. The name is its mark.
    Did,
    /// A decision arrived. The name is the call's id.
    Allowed,
    Denied,
}

impl Effect {
    const ALL: [(Effect, &'static str); 4] = [
        (Effect::Ran, "ran"),
        (Effect::Did, "did"),
        (Effect::Allowed, "allowed"),
        (Effect::Denied, "denied"),
    ];

    pub(crate) fn word(self) -> &'static str {
        Effect::ALL.iter().find(|(effect, _)| *effect == self).map_or("", |(_, word)| word)
    }
}

/// Appends a line and waits until it is on the disk.
pub(crate) fn append(path: &Path, effect: Effect, name: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    file.write_all(format!("{} {name}\n", effect.word()).as_bytes())?;
    file.sync_data()
}

/// How often each line is in the file.
#[derive(Debug, Default)]
pub(crate) struct Effects(HashMap<(Effect, String), usize>);

impl Effects {
    pub(crate) fn read(path: &Path) -> Effects {
        let text = fs::read_to_string(path).unwrap_or_default();
        let mut counts = HashMap::new();
        for (word, name) in text.lines().filter_map(|line| line.split_once(' ')) {
            if let Some((effect, _)) = Effect::ALL.iter().find(|(_, known)| *known == word) {
                *counts.entry((*effect, name.to_owned())).or_default() += 1;
            }
        }
        Effects(counts)
    }

    pub(crate) fn count(&self, effect: Effect, name: &str) -> usize {
        self.0.get(&(effect, name.to_owned())).copied().unwrap_or_default()
    }
}
