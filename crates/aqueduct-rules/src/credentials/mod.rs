//! Files that hold credentials. Reading one is asked whatever a broad rule, a working directory or plan mode
//! allows; only a rule that names it allows it.

mod filter;
mod table;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::folding::folded;
use crate::glob::{GlobToken, intersect, matches_tokens, tokens};
use crate::path;

pub use filter::CredentialFilter;
use table::{CredentialLocation, TABLE, VARIABLES};

/// The absolute paths of credentials that variables of the environment move to other places than usual; `variable`
/// looks one up.
pub fn places<'v>(variable: impl Fn(&str) -> Option<&'v str>) -> Vec<String> {
    let mut places = Vec::new();
    for (name, below) in VARIABLES {
        // Some of them are lists.
        for value in variable(name).unwrap_or_default().split(':').filter(|value| value.starts_with('/')) {
            places.extend(below.iter().map(|file| path::lexical(&format!("{value}/{file}"))));
        }
    }
    places
}

/// A path of the table, taken apart.
struct CredentialPath {
    place: CredentialLocation,
    what: &'static str,
    names: Vec<NamePattern>,
    /// Whether everything below it is meant.
    folder: bool,
}

enum NamePattern {
    Literal(String),
    Wild(Vec<GlobToken>),
}

struct CredentialIndex {
    all: Vec<CredentialPath>,
    /// Paths that begin with this name.
    by_name: HashMap<String, Vec<usize>>,
    /// Paths that begin with a wildcard.
    wild: Vec<usize>,
}

static INDEX: LazyLock<CredentialIndex> = LazyLock::new(|| {
    let mut index = CredentialIndex { all: Vec::new(), by_name: HashMap::new(), wild: Vec::new() };
    for (row, path) in TABLE.iter().flat_map(|row| row.paths.split('|').map(move |path| (row, path))) {
        let path_folded = folded(path.trim_end_matches('/'));
        let names: Vec<NamePattern> = path_folded.split('/').map(name).collect();
        let at = index.all.len();
        match names.first() {
            Some(NamePattern::Literal(first)) => index.by_name.entry(first.clone()).or_default().push(at),
            _ => index.wild.push(at),
        }
        index.all.push(CredentialPath {
            place: row.place,
            what: row.what,
            names,
            folder: path.ends_with('/'),
        });
    }
    index
});

fn name(text: &str) -> NamePattern {
    if text.contains('*') { NamePattern::Wild(tokens(text)) } else { NamePattern::Literal(text.to_owned()) }
}

fn is_wild(name: &str) -> bool {
    name.contains(['*', '?', '['])
}

impl NamePattern {
    /// Whether it is this component of a path, which may be a wildcard itself.
    fn is(&self, component: &str, glob: bool) -> bool {
        if !glob || !is_wild(component) {
            return match self {
                NamePattern::Literal(text) => text == component,
                NamePattern::Wild(pattern) => matches_tokens(pattern, component.chars()),
            };
        }
        // Wildcards of the shell don't match a leading dot.
        match self {
            NamePattern::Literal(text) => {
                (!text.starts_with('.') || component.starts_with('.'))
                    && matches_tokens(&tokens(component), text.chars())
            }
            NamePattern::Wild(pattern) => {
                (!self.is_hidden() || component.starts_with('.')) && intersect(pattern, &tokens(component))
            }
        }
    }

    fn is_hidden(&self) -> bool {
        match self {
            NamePattern::Literal(text) => text.starts_with('.'),
            NamePattern::Wild(pattern) => pattern.first() == Some(&GlobToken::Char('.')),
        }
    }
}

/// What the machine adds to the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MachinePaths<'a> {
    pub(crate) home: Option<&'a str>,
    pub(crate) working: &'a [String],
    /// More files and folders that hold credentials, as absolute paths.
    pub(crate) more: &'a [String],
}

/// What an absolute path holds, if it holds credentials. With `glob`, whether wildcards in it may match one
/// that does.
pub(crate) fn held(path: &str, glob: bool, machine: MachinePaths<'_>) -> Option<&'static str> {
    let clean = folded(path);
    let components: Vec<&str> = clean.split('/').filter(|component| !component.is_empty()).collect();
    let glob = glob && is_wild(&clean);
    let index = &*INDEX;
    let outside = || !machine.working.iter().any(|directory| path::is_within(path, directory));
    let fits = |known: &CredentialPath, at: usize| {
        let length = known.names.len();
        let rest = &components[at..];
        let enough = if known.folder { rest.len() >= length } else { rest.len() == length };
        // In a project, a wildcard is not taken for a plain name that a home may have.
        let guessed = glob && is_wild(components[at]) && !known.names[0].is_hidden() && !outside();
        // Names are compared first: hardly any fits, and finding out where a home is costs more.
        enough
            && !guessed
            && known.names.iter().zip(rest).all(|(name, component)| name.is(component, glob))
            && match known.place {
                CredentialLocation::Anywhere => true,
                CredentialLocation::Home => is_home(&components[..at], glob, machine.home),
                CredentialLocation::Outside => outside(),
                CredentialLocation::Root => at == 0,
            }
    };
    for (at, component) in components.iter().enumerate() {
        let named = index.by_name.get(*component).map_or(&[][..], Vec::as_slice);
        let candidates = named.iter().chain(&index.wild).map(|known| &index.all[*known]);
        let found = if glob && is_wild(component) {
            index.all.iter().find(|known| fits(known, at))
        } else {
            candidates.into_iter().find(|known| fits(known, at))
        };
        if let Some(known) = found {
            return Some(known.what);
        }
    }
    let moved = machine.more.iter().any(|place| path::is_within(path, place));
    moved.then_some("credentials, according to the environment")
}

/// Whether a folder may have files of the table somewhere below it. Of names that a search passes over because
/// they are hidden, `hidden` decides whether they count.
pub(crate) fn may_be_below(folder: &str, hidden: bool, machine: MachinePaths<'_>) -> bool {
    let homes = ["/root", "/home", "/Users", "/var/root"];
    let holds = |place: &str| path::is_within(place, folder);
    if homes.iter().any(|home| holds(home)) || machine.home.is_some_and(holds) {
        return true;
    }
    if machine.more.iter().any(|place| holds(place)) {
        return true;
    }
    let clean = folded(folder);
    let components: Vec<&str> = clean.split('/').filter(|component| !component.is_empty()).collect();
    if matches!(components.as_slice(), ["home" | "users", _]) {
        return true;
    }
    // The end of the folder's path is the beginning of a path of the table.
    INDEX.all.iter().any(|known| {
        let longest = components.len().min(known.names.len() - 1);
        (1..=longest).any(|length| {
            let at = components.len() - length;
            let (above, below) = known.names.split_at(length);
            let fits =
                || above.iter().zip(&components[at..]).all(|(name, component)| name.is(component, false));
            let placed = || match known.place {
                CredentialLocation::Anywhere => true,
                CredentialLocation::Home => is_home(&components[..at], false, machine.home),
                CredentialLocation::Outside => false,
                CredentialLocation::Root => at == 0,
            };
            fits() && placed() && (hidden || !below.iter().any(NamePattern::is_hidden))
        })
    })
}

/// Whether these components name a home: the user's, or another's by the usual places.
fn is_home(components: &[&str], glob: bool, home: Option<&str>) -> bool {
    let like = |component: &str, name: &str| {
        component == name || glob && is_wild(component) && matches_tokens(&tokens(component), name.chars())
    };
    let usual = match components {
        [one] => like(one, "root"),
        [one, _] => like(one, "home") || like(one, "users") || like(one, "var"),
        _ => false,
    };
    usual
        || home.is_some_and(|home| {
            let home = folded(home);
            let names: Vec<&str> = home.split('/').filter(|name| !name.is_empty()).collect();
            names.len() == components.len()
                && names.iter().zip(components).all(|(name, component)| like(component, name))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> MachinePaths<'static> {
        static WORKING: LazyLock<Vec<String>> = LazyLock::new(|| vec!["/home/me/proj".to_owned()]);
        static MORE: LazyLock<Vec<String>> = LazyLock::new(|| vec!["/srv/aqueduct".to_owned()]);
        MachinePaths { home: Some("/home/me"), working: &WORKING, more: &MORE }
    }

    fn holds(path: &str) -> bool {
        held(path, false, machine()).is_some()
    }

    #[test]
    fn files_of_the_table() {
        for path in [
            "/home/me/.ssh/id_rsa",
            "/home/me/.SSH/config",
            "/mnt/backup/me/.aws/credentials",
            "/home/me/.claude/.credentials.json",
            "/home/me/.config/gh/hosts.yml",
            "/home/me/.config/aqueduct/environment",
            "/home/me/.docker/config.json",
            "/home/me/.npmrc",
            "/home/root/.bash_history",
            "/home/other/.env",
            "/home/me/other/.env.production",
            "/etc/shadow",
            "/proc/self/environ",
            "/proc/1/fd/3",
            "/srv/aqueduct/tokens.json",
        ] {
            assert!(holds(path), "{path}");
        }
        for path in [
            "/home/me/proj/.npmrc",
            "/home/me/proj/.env",
            "/home/me/proj/src/a.key",
            "/home/me/.docker/daemon.json",
            "/home/me/.config/htop/htoprc",
            "/home/me/.cargo/config.toml",
            "/etc/hostname",
            "/proc/self/status",
            "/home/me/.gitconfig",
        ] {
            assert!(!holds(path), "{path}");
        }
    }

    #[test]
    fn wildcards_that_may_match_one() {
        let may = |path| held(path, true, machine()).is_some();
        for path in [
            "/home/me/.n*",
            "/home/me/.*/id_rsa",
            "/home/*/.npmrc",
            "/home/me/.docker/*",
            "/etc/sha*",
            "/proc/*/env*",
        ] {
            assert!(may(path), "{path}");
        }
        for path in ["/home/me/proj/*", "/home/me/proj/src/*.rs", "/home/me/proj/.e*"] {
            assert!(!may(path), "{path}");
        }
    }

    #[test]
    fn folders_that_may_hold_some() {
        for folder in [
            "/",
            "/home",
            "/home/me",
            "/home/me/.config",
            "/home/me/.docker",
            "/home/me/.local/share",
            "/etc",
            "/srv",
            "/home/you",
        ] {
            assert!(may_be_below(folder, true, machine()), "{folder}");
        }
        for folder in ["/home/me/proj", "/home/me/proj/src", "/usr/share", "/home/me/.config/htop"] {
            assert!(!may_be_below(folder, true, machine()), "{folder}");
        }
        assert!(may_be_below("/home/me/.config", false, machine()));
        assert!(!may_be_below("/home/me/.claude", false, machine()));
    }
}
