//! Every file and folder that a document names exists.
//!
//! A path is a code span that starts with a folder of the repository, such as `docs/`. In a section whose heading names a
//! crate, a span that starts with `src/`, `tests/` or `examples/` is a path of that crate. `*` matches any
//! characters of one name.

use super::finding::Finding;
use super::markdown;
use super::tree::{File, Tree};

/// Folders of the repository that documents refer to.
const ROOTS: &[&str] =
    &["crates/", "xtask/", "docs/", "fuzz/", "bench/", "modelcheck/", "packages/", "contrib/"];

/// Folders of a crate.
const CRATE_FOLDERS: &[&str] = &["src/", "tests/", "examples/"];

/// Crates outside `crates/`, which are folders of the root.
const ROOT_CRATES: &[&str] = &["xtask", "fuzz", "bench", "modelcheck"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.files().filter(|file| is_document(&file.path)).flat_map(|file| missing(tree, file)).collect()
}

/// CHANGELOG.md is left out: it also names files that were removed since.
fn is_document(path: &str) -> bool {
    let in_docs = path.strip_prefix("docs/").is_some_and(|name| !name.contains('/') && name.ends_with(".md"));
    in_docs || matches!(path, "ARCHITECTURE.md" | "README.md" | "CONTRIBUTING.md" | "SECURITY.md")
}

fn missing(tree: &Tree, file: &File) -> Vec<Finding> {
    let mut section = Section::default();
    let mut findings = Vec::new();
    for (number, line) in markdown::prose(&file.text) {
        section.enter(tree, line);
        for span in line.split('`').skip(1).step_by(2) {
            let Some(path) = section.path(span) else { continue };
            if !exists(tree, &path) {
                let what = format!("names {path}, which does not exist: correct or remove the path");
                findings.push(Finding::error(&file.path, number, what));
            }
        }
    }
    findings
}

/// The headings above a line, and the crate that each of them names.
#[derive(Default)]
struct Section {
    headings: Vec<(usize, Option<String>)>,
}

impl Section {
    /// Takes note of a line if it is a heading.
    fn enter(&mut self, tree: &Tree, line: &str) {
        let Some((level, title)) = markdown::heading(line) else { return };
        self.headings.retain(|(above, _)| *above < level);
        self.headings.push((level, crate_named(tree, title)));
    }

    /// The path from the root that a code span names, if it names one.
    fn path(&self, span: &str) -> Option<String> {
        let span = span.split_once("::").map_or(span, |(path, _)| path);
        let span = span.split_once('#').map_or(span, |(path, _)| path);
        if !span.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '*')) {
            return None;
        }
        if ROOTS.iter().any(|root| span.starts_with(root)) {
            return Some(span.to_owned());
        }
        let folder = self.headings.iter().rev().find_map(|(_, folder)| folder.as_deref())?;
        CRATE_FOLDERS.iter().any(|inner| span.starts_with(inner)).then(|| format!("{folder}/{span}"))
    }
}

/// The folder of the crate that a title names.
fn crate_named(tree: &Tree, title: &str) -> Option<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    title.split(|c| !is_name(c)).find_map(|word| {
        if ROOT_CRATES.contains(&word) {
            return Some(word.to_owned());
        }
        tree.crates().find(|folder| folder.strip_prefix("crates/") == Some(word)).map(str::to_owned)
    })
}

fn exists(tree: &Tree, path: &str) -> bool {
    let wanted: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    let is_folder = path.ends_with('/');
    tree.files().any(|file| {
        let parts: Vec<&str> = file.path.split('/').collect();
        let deep_enough = parts.len() >= wanted.len() + usize::from(is_folder);
        deep_enough && wanted.iter().zip(&parts).all(|(pattern, name)| matches(pattern, name))
    })
}

/// Whether a name matches a pattern in which `*` matches any characters.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == name };
    let Some(rest) = name.strip_prefix(before) else { return false };
    (0..=rest.len()).filter(|at| rest.is_char_boundary(*at)).any(|at| matches(after, &rest[at..]))
}

#[cfg(test)]
mod tests {
    use super::super::finding::lines;
    use super::*;

    fn named_in(path: &str, text: &str) -> Vec<String> {
        let tree = Tree::of(&[
            (path, text),
            ("crates/one/Cargo.toml", ""),
            ("crates/one/src/lib.rs", ""),
            ("crates/one/src/part/git_a.rs", ""),
            ("xtask/src/main.rs", ""),
        ]);
        lines(&check(&tree))
    }

    #[test]
    fn missing_files_and_folders_are_named() {
        let text = "`crates/one/src/lib.rs` `crates/one/src/part/` `crates/one` `crates/one/src/lib.rs::name`\n\
                    `crates/one/src/gone.rs` and `xtask/src/lib/`, not `cargo run crates/one` or `a/b.rs`\n\
                    ```\n`crates/none`\n```\n";
        assert_eq!(
            named_in("README.md", text),
            [
                "README.md:2: names crates/one/src/gone.rs, which does not exist: correct or remove the path",
                "README.md:2: names xtask/src/lib/, which does not exist: correct or remove the path",
            ]
        );
    }

    #[test]
    fn a_file_is_not_a_folder() {
        assert_eq!(named_in("docs/a.md", "`crates/one/src/lib.rs/`").len(), 1);
    }

    #[test]
    fn sections_that_name_a_crate_have_its_paths() {
        let text = "`src/none.rs`\n## one: the parts\n`src/lib.rs`\n### Inner\n`src/none.rs`\n## Other\n`src/none.rs`\n\
                    ## `xtask`\n`src/main.rs` `src/lib.rs`\n";
        assert_eq!(
            named_in("ARCHITECTURE.md", text),
            [
                "ARCHITECTURE.md:5: names crates/one/src/none.rs, which does not exist: correct or remove the path",
                "ARCHITECTURE.md:9: names xtask/src/lib.rs, which does not exist: correct or remove the path",
            ]
        );
    }

    #[test]
    fn an_asterisk_matches_any_characters() {
        let text = "`crates/one/src/part/git*.rs` `crates/*/src/lib.rs` `crates/one/src/part/*_b.rs`";
        assert_eq!(
            named_in("docs/a.md", text),
            [
                "docs/a.md:1: names crates/one/src/part/*_b.rs, which does not exist: correct or remove the path"
            ]
        );
    }

    #[test]
    fn the_changelog_may_name_what_is_gone() {
        assert!(named_in("CHANGELOG.md", "`crates/one/src/gone.rs`").is_empty());
    }
}
