//! Everything that is published has what its registry shows: metadata, licence files, and a README whose example is
//! tested.

use super::finding::Finding;
use super::manifests;
use super::tree::Tree;

/// Members of `[package]` that a published crate has.
const MEMBERS: &[&str] = &["description", "repository", "readme", "keywords", "categories", "license"];

const LICENCES: &[&str] = &["LICENSE-MIT", "LICENSE-APACHE"];

/// Packages of other registries: the folder, the manifest, and the line by which it has the version of the workspace.
const PACKAGES: &[(&str, &str, &str)] = &[
    ("packages/npm", "package.json", "  \"version\": \"VERSION\","),
    ("packages/python", "pyproject.toml", "version = \"VERSION\""),
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let published = tree.crates().filter(|folder| is_published(tree, folder));
    let mut findings: Vec<Finding> = published.flat_map(|folder| crate_findings(tree, folder)).collect();
    findings.extend(PACKAGES.iter().flat_map(|package| package_findings(tree, package)));
    findings
}

fn is_published(tree: &Tree, folder: &str) -> bool {
    let manifest = tree.get(&format!("{folder}/Cargo.toml"));
    manifest.is_some_and(|manifest| {
        let mut entries = manifests::entries(&manifest.text).into_iter();
        !entries.any(|entry| entry.table == "package" && entry.key == "publish" && entry.value == "false")
    })
}

fn crate_findings(tree: &Tree, folder: &str) -> Vec<Finding> {
    let path = format!("{folder}/Cargo.toml");
    let Some(manifest) = tree.get(&path) else { return Vec::new() };
    let entries = manifests::entries(&manifest.text);
    let has = |table: &str, key: &str| {
        let is_key = |found: &str| found.strip_suffix(".workspace").unwrap_or(found) == key;
        entries.iter().any(|entry| entry.table == table && is_key(entry.key))
    };
    let missing = MEMBERS.iter().filter(|member| !has("package", member));
    let mut findings: Vec<Finding> = missing
        .map(|member| Finding::error(&path, None, format!("is published without `{member}`")))
        .collect();
    if !has("package.metadata.docs.rs", "all-features") {
        findings.push(Finding::error(
            &path,
            None,
            "is published without `[package.metadata.docs.rs] all-features`",
        ));
    }
    findings.extend(licences(tree, folder));
    findings.extend(untested_example(tree, folder));
    findings
}

fn package_findings(tree: &Tree, (folder, manifest, line): &(&str, &str, &str)) -> Vec<Finding> {
    let path = format!("{folder}/{manifest}");
    let Some(file) = tree.get(&path) else { return Vec::new() };
    let mut findings = licences(tree, folder);
    let version = tree.get("Cargo.toml").and_then(|manifest| {
        let entries = manifests::entries(&manifest.text);
        let version =
            entries.iter().find(|entry| entry.table == "workspace.package" && entry.key == "version");
        version.map(|entry| entry.value.trim_matches('"').to_owned())
    });
    let wanted = line.replace("VERSION", version.as_deref().unwrap_or_default());
    if !file.text.lines().any(|line| line == wanted) {
        let what = format!("has another version than the workspace: write `{}`", wanted.trim());
        findings.push(Finding::error(&path, None, what));
    }
    if tree.get(&format!("{folder}/README.md")).is_none() {
        findings.push(Finding::error(folder, None, "is published without a README.md"));
    }
    findings
}

/// Licence files are those of the repository.
fn licences(tree: &Tree, folder: &str) -> Vec<Finding> {
    let text = |path: &str| tree.get(path).map(|file| file.text.as_str());
    let differs = |name: &&&str| text(&format!("{folder}/{name}")) != text(name);
    let report = |name: &&str| Finding::error(folder, None, format!("has not the {name} of the repository"));
    LICENCES.iter().filter(differs).map(report).collect()
}

/// A Rust example of a README is a doc test of the crate, or the same as one of its example programs.
fn untested_example(tree: &Tree, folder: &str) -> Option<Finding> {
    let path = format!("{folder}/README.md");
    let Some(readme) = tree.get(&path) else {
        return Some(Finding::error(folder, None, "is published without a README.md"));
    };
    if !readme.text.contains("\n```") {
        return Some(Finding::error(&path, None, "has no example"));
    }
    let library = tree.get(&format!("{folder}/src/lib.rs"));
    if library.is_some_and(|library| library.text.contains("include_str!(\"../README.md\")")) {
        return None;
    }
    let (_, rest) = readme.text.split_once("```rust\n")?;
    let example = rest.split_once("```").map_or(rest, |(example, _)| example);
    let examples = format!("{folder}/examples/");
    let is_program = tree.files().any(|file| file.path.starts_with(&examples) && file.text == example);
    let what = "its example is neither a doc test nor one of the crate's example programs";
    (!is_program).then(|| Finding::error(&path, None, what))
}

#[cfg(test)]
mod tests {
    use super::super::finding::lines;
    use super::*;

    const COMPLETE: &str = "[package]\ndescription = \"a\"\nrepository.workspace = true\nreadme = \"README.md\"\n\
        keywords = []\ncategories = []\nlicense.workspace = true\n[package.metadata.docs.rs]\nall-features = true\n";

    #[test]
    fn published_crates_are_complete() {
        let tree = Tree::of(&[
            ("LICENSE-MIT", "mit"),
            ("LICENSE-APACHE", "apache"),
            ("crates/a/Cargo.toml", COMPLETE),
            ("crates/a/LICENSE-MIT", "mit"),
            ("crates/a/LICENSE-APACHE", "apache"),
            ("crates/a/README.md", "# a\n```rust\nfn main() {}\n```\n"),
            ("crates/a/examples/hello.rs", "fn main() {}\n"),
            ("crates/b/Cargo.toml", "[package]\nname = \"b\"\npublish = false\n"),
        ]);
        assert_eq!(lines(&check(&tree)), [""; 0]);
    }

    #[test]
    fn what_is_missing_is_named() {
        let manifest = COMPLETE.replace("keywords = []\n", "").replace("all-features = true\n", "");
        let tree = Tree::of(&[
            ("Cargo.toml", "[workspace.package]\nversion = \"0.2.0\"\n"),
            ("LICENSE-MIT", "mit"),
            ("LICENSE-APACHE", "apache"),
            ("crates/a/Cargo.toml", &manifest),
            ("crates/a/LICENSE-MIT", "another"),
            ("crates/a/LICENSE-APACHE", "apache"),
            ("crates/a/README.md", "# a\n```rust\nfn main() {}\n```\n"),
            ("packages/npm/package.json", "  \"version\": \"0.1.0\",\n"),
            ("packages/npm/LICENSE-MIT", "mit"),
            ("packages/npm/LICENSE-APACHE", "apache"),
            ("packages/npm/README.md", "# npm"),
        ]);
        assert_eq!(
            lines(&check(&tree)),
            [
                "crates/a/Cargo.toml: is published without `keywords`",
                "crates/a/Cargo.toml: is published without `[package.metadata.docs.rs] all-features`",
                "crates/a: has not the LICENSE-MIT of the repository",
                "crates/a/README.md: its example is neither a doc test nor one of the crate's example programs",
                "packages/npm/package.json: has another version than the workspace: write `\"version\": \"0.2.0\",`",
            ]
        );
    }
}
