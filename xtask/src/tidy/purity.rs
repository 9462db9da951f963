//! The pure crates take strings and return values: no files, environment, clock, processes, threads
//! or sockets, neither by themselves nor through a dependency. They would run in a browser.

use anyhow::{Context as _, Result, bail};

use super::code;
use super::finding::Finding;
use super::tree::Tree;
use crate::workspace::Workspace;

const PURE: &[&str] = &["aqueduct-wire", "aqueduct-rules"];

/// Modules of `std` that reach outside the program.
const OUTSIDE: &[&str] = &["env", "fs", "net", "os", "process", "thread", "time"];

/// A length of time is a value: only the clock is outside.
const VALUES: &[&str] = &["std::time::Duration"];

/// Crates that reach outside, or exist for those that do.
const IMPURE: &[&str] = &[
    "async-io",
    "async-std",
    "chrono",
    "dirs",
    "getrandom",
    "hyper",
    "ignore",
    "jiff",
    "libc",
    "mio",
    "nix",
    "notify",
    "rand",
    "reqwest",
    "rusqlite",
    "rustix",
    "smol",
    "socket2",
    "tempfile",
    "time",
    "tokio",
    "tokio-util",
    "tracing",
    "ureq",
    "walkdir",
    "windows-sys",
];

/// What the sources reach for.
pub(super) fn sources(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.written(&[".rs"]) {
        let pure = |name: &&&str| file.path.starts_with(&format!("crates/{name}/src/"));
        let Some(name) = PURE.iter().find(pure) else { continue };
        for (line, module) in reaches(&code::product_code(&file.text)) {
            let what = format!("uses std::{module}, and {name} is pure: let the caller pass the value in");
            findings.push(Finding::error(&file.path, line, what));
        }
    }
    findings
}

/// Uses of the outside, by line: both `std::fs::read` and `use std::{fs, io}`.
fn reaches(code: &str) -> Vec<(usize, &'static str)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("std::") {
        let line = code[..at].matches('\n').count() + 1;
        let rest = &code[at..];
        if VALUES.iter().any(|value| begins_with_word(rest, value)) {
            continue;
        }
        let rest = &rest["std::".len()..];
        let names: Vec<&str> = match rest.strip_prefix('{') {
            Some(group) => first_level(group),
            None => vec![rest],
        };
        for name in names {
            found.extend(
                OUTSIDE.iter().filter(|module| begins_with_word(name, module)).map(|module| (line, *module)),
            );
        }
    }
    found
}

fn begins_with_word(text: &str, word: &str) -> bool {
    let after = text.strip_prefix(word).map(|rest| rest.chars().next());
    after.is_some_and(|next| !next.is_some_and(|c| c == '_' || c.is_alphanumeric()))
}

/// The names in a `use` group, without what is nested in them.
fn first_level(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut names) = (0usize, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                names.push(group[start..at].trim());
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.push(group[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    names
}

/// What they bring along by default, all the way down. Optional features are the user's choice.
pub(super) fn dependencies(workspace: &Workspace, tree: &Tree) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for name in PURE {
        let manifest = format!("crates/{name}/Cargo.toml");
        if tree.get(&manifest).is_none() {
            continue;
        }
        let output = workspace
            .cargo(["tree", "--package", name, "--edges", "normal,no-proc-macro", "--prefix", "none"])
            .args(["--format", "{p}", "--no-default-features", "--target", "all"])
            .output()
            .context("cannot run cargo tree")?;
        if !output.status.success() {
            bail!("cargo tree failed:\n{}", String::from_utf8_lossy(&output.stderr).trim());
        }
        let impure = impure(&String::from_utf8_lossy(&output.stdout));
        let what = |dependency| {
            format!("brings in {dependency}, and {name} is pure: make it an optional feature or do without")
        };
        findings
            .extend(impure.into_iter().map(|dependency| Finding::error(&manifest, None, what(dependency))));
    }
    Ok(findings)
}

fn impure(tree: &str) -> Vec<&'static str> {
    let names: Vec<&str> = tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
    IMPURE.iter().filter(|impure| names.contains(impure)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::lines;
    use super::*;

    #[test]
    fn a_pure_crate_reaches_for_nothing() {
        let tree = Tree::of(&[
            (
                "crates/aqueduct-wire/src/lib.rs",
                "use std::{\n    collections::{HashMap, env},\n    fs,\n};\nuse std::time::Duration;\nlet t = std::time::Instant::now();\n#[cfg(test)]\nuse std::env;\n",
            ),
            ("crates/aqueduct/src/main.rs", "use std::env;"),
        ]);
        assert_eq!(
            lines(&sources(&tree)),
            [
                "crates/aqueduct-wire/src/lib.rs:1: uses std::fs, and aqueduct-wire is pure: let the caller pass the value in",
                "crates/aqueduct-wire/src/lib.rs:6: uses std::time, and aqueduct-wire is pure: let the caller pass the value in",
            ]
        );
    }

    #[test]
    fn an_impure_dependency_is_named() {
        assert_eq!(impure("aqueduct-wire v0.1.0 (path)\nmemchr v2.8.3\ntokio v1.2.3\n"), ["tokio"]);
    }
}
