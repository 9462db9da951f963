//! The tree is self-contained: it names no path of one machine, nothing beside it, and no registry's host.

use super::finding::Finding;
use super::tree::{File, Tree};

// Put together from halves: this file is checked too.
const MACHINE_PATHS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("../", "shared")];

/// Parts of a host's name that make it a package registry's.
const REGISTRY_WORDS: &[&str] = &["registry", "npmjs", "pypi", "pythonhosted", "crates"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.files().flat_map(|file| machine_paths(file).chain(registries(file)).collect::<Vec<_>>()).collect()
}

fn machine_paths(file: &File) -> impl Iterator<Item = Finding> {
    file.lines().filter_map(|(number, line)| {
        let path = MACHINE_PATHS.iter().find(|path| names(line, path))?;
        let what =
            format!("names {path}…, a place outside the repository: use a relative path or a made-up one");
        Some(Finding::error(&file.path, number, what))
    })
}

/// A path begins where the text before it is not part of a path: `a/b/work/` is not one.
fn names(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| {
            c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '$' | '}' | '>' | '*' | '~')
        })
    })
}

/// Cargo writes the index's address into lock files; it is the same for everyone.
fn registries(file: &File) -> impl Iterator<Item = Finding> {
    let skip = file.path.ends_with("Cargo.lock");
    file.lines().filter(move |_| !skip).filter_map(|(number, line)| {
        let host = hosts(line).find(|host| host.split('.').any(|label| REGISTRY_WORDS.contains(&label)))?;
        let what = format!("links to the package registry {host}: name the package, tools know where it is");
        Some(Finding::error(&file.path, number, what))
    })
}

fn hosts(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("://").map(|(at, mark)| {
        let rest = &line[at + mark.len()..];
        let end =
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-').unwrap_or(rest.len());
        &rest[..end]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_paths_are_found_where_they_begin() {
        let (path, beside) = (MACHINE_PATHS[0], MACHINE_PATHS[2]);
        let text = format!("cd {path}main\nsee docs{path}main\nsee {beside}/x.md\nfine\n");
        let lines: Vec<_> = check(&Tree::of(&[("a.md", &text)])).into_iter().map(|f| f.line).collect();
        assert_eq!(lines, [Some(1), Some(3)]);
    }

    #[test]
    fn registries_are_found_by_their_host() {
        let text = format!("https://{}.example.org/x\nhttps://example.org/registry/\n", REGISTRY_WORDS[0]);
        let lines: Vec<_> = check(&Tree::of(&[("a.md", &text)])).into_iter().map(|f| f.line).collect();
        assert_eq!(lines, [Some(1)]);
    }
}
