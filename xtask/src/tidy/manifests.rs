//! Members take their lints and their versions from the workspace's tables: there is one of each.

use super::finding::Finding;
use super::tree::{File, Tree};

const INHERITED: &[&str] = &["version", "edition", "rust-version", "license", "repository"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let manifests =
        tree.crates().map(|dir| format!("{dir}/Cargo.toml")).chain(["xtask/Cargo.toml".to_owned()]);
    manifests.filter_map(|path| tree.get(&path)).flat_map(manifest).collect()
}

fn manifest(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut lints = false;
    for entry in entries(&file.text) {
        let from_workspace = entry.value.contains("workspace = true") || entry.key.ends_with(".workspace");
        let error = |what: String| Finding::error(&file.path, entry.line, what);
        match entry.table {
            "lints" => lints |= entry.key == "workspace" && entry.value == "true",
            "package" if INHERITED.contains(&entry.key) => {
                findings.push(error(format!("{0} of its own: write `{0}.workspace = true`", entry.key)));
            }
            table if is_dependencies(table) && !from_workspace => {
                let what = format!(
                    "{} has its version here: put it into [workspace.dependencies] and write `workspace = true`",
                    entry.key
                );
                findings.push(error(what));
            }
            // `[dependencies.NAME]`, a table of its own, hides a version from the eye.
            table if table.contains("dependencies.") && entry.key == "version" => {
                findings.push(error(format!("[{table}] has its version here: use the workspace's")));
            }
            _ => {}
        }
    }
    if !lints {
        findings.push(Finding::error(
            &file.path,
            None,
            "without the project's lints: add `[lints] workspace = true`",
        ));
    }
    findings
}

fn is_dependencies(table: &str) -> bool {
    table.ends_with("dependencies")
}

pub(super) struct Entry<'a> {
    line: usize,
    pub(super) table: &'a str,
    pub(super) key: &'a str,
    pub(super) value: &'a str,
}

/// Every `key = value` with its table.
pub(super) fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut table = "";
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for (index, raw) in text.lines().enumerate() {
        let line = raw.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            table = name;
        } else if let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
            entries.push(Entry { line: index + 1, table, key: key.trim(), value: value.trim() });
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::super::finding::lines;
    use super::*;

    #[test]
    fn versions_and_lints_come_from_the_workspace() {
        let tree = Tree::of(&[
            (
                "crates/a/Cargo.toml",
                "[package]\nname = \"a\"\nversion.workspace = true\n[dependencies]\nserde.workspace = true\nx = { workspace = true, optional = true }\n[lints]\nworkspace = true\n",
            ),
            ("crates/b/Cargo.toml", "[package]\nversion = \"1.0.0\"\n[dev-dependencies]\ninsta = \"1\"\n"),
        ]);
        assert_eq!(
            lines(&check(&tree)),
            [
                "crates/b/Cargo.toml:2: version of its own: write `version.workspace = true`",
                "crates/b/Cargo.toml:4: insta has its version here: put it into [workspace.dependencies] and write `workspace = true`",
                "crates/b/Cargo.toml: without the project's lints: add `[lints] workspace = true`",
            ]
        );
    }
}
