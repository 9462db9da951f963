//! Every fixture is read by a test: one that nothing names proves nothing.

use super::finding::Finding;
use super::tree::{File, Tree};

const MARKER: &str = "/tests/fixtures/";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.files().filter_map(|file| unread(tree, file)).collect()
}

fn unread(tree: &Tree, file: &File) -> Option<Finding> {
    let (package, inside) = file.path.split_once(MARKER)?;
    // A README beside fixtures is for people.
    if inside.ends_with(".md") {
        return None;
    }
    let names = names(inside);
    let mut sources = tree
        .files()
        .filter(|source| source.path.starts_with(&format!("{package}/")) && source.path.ends_with(".rs"));
    if sources.any(|source| names.iter().any(|name| source.text.contains(name.as_str()))) {
        return None;
    }
    Some(Finding::error(&file.path, None, format!("no test of {package} reads it: use it or remove it")))
}

/// What a test may call a fixture: its file name, or one of the directories it reads as a whole.
fn names(inside: &str) -> Vec<String> {
    let mut parts: Vec<&str> = inside.split('/').collect();
    let file = parts.pop().unwrap_or(inside);
    let mut names = vec![file.to_owned()];
    // A table of fixtures may name them without their ending, in quotes.
    if let Some((stem, _)) = file.split_once('.') {
        names.push(format!("\"{stem}\""));
    }
    for dir in &parts {
        names.push(format!("/{dir}\""));
        names.push(format!("/{dir}/"));
        names.push(format!("\"{dir}\""));
        names.push(format!("\"{dir}/"));
    }
    if parts.is_empty() {
        names.push("fixtures\"".to_owned());
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unread_fixture_is_found() {
        let tree = Tree::of(&[
            ("crates/a/tests/fixtures/one.jsonl", "{}"),
            ("crates/a/tests/fixtures/frames/user.json", "{}"),
            ("crates/a/tests/fixtures/old/lost.json", "{}"),
            ("crates/a/tests/fixtures/README.md", ""),
            (
                "crates/a/tests/it/main.rs",
                "read(\"tests/fixtures/frames\"); include_str!(\"../fixtures/one.jsonl\")",
            ),
        ]);
        let paths: Vec<_> = check(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(paths, ["crates/a/tests/fixtures/old/lost.json"]);
    }
}
