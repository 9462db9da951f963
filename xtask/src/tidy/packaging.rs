//! What builds and publishes elsewhere, where no test runs it: the Dockerfile copies files that exist, and workflows use
//! fixed versions of actions with the least rights.

use super::finding::Finding;
use super::tree::{File, Tree};

const DOCKERFILE: &str = "contrib/Dockerfile";
const COMPOSE: &str = "contrib/compose.yaml";
const WORKFLOWS: &str = ".github/workflows/";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings: Vec<Finding> = tree.get(DOCKERFILE).map(|file| copied(tree, file)).unwrap_or_default();
    if let Some(compose) = tree.get(COMPOSE)
        && !compose.text.contains(&format!("dockerfile: {DOCKERFILE}"))
    {
        findings.push(Finding::error(COMPOSE, None, format!("does not build {DOCKERFILE}")));
    }
    let workflows = tree.files().filter(|file| file.path.starts_with(WORKFLOWS));
    findings.extend(workflows.flat_map(workflow));
    findings
}

/// Sources of `COPY` that do not exist. Those of another stage are built there.
fn copied(tree: &Tree, dockerfile: &File) -> Vec<Finding> {
    let exists = |path: &str| {
        let folder = format!("{path}/");
        tree.files().any(|file| file.path == path || file.path.starts_with(&folder))
    };
    let mut findings = Vec::new();
    for (number, line) in dockerfile.lines() {
        let Some(rest) = line.strip_prefix("COPY ").filter(|rest| !rest.starts_with("--from=")) else {
            continue;
        };
        let words: Vec<&str> = rest.split_whitespace().collect();
        let sources = words.split_last().map_or(&words[..], |(_, sources)| sources);
        for missing in sources.iter().filter(|path| !exists(path)) {
            let what = format!("copies {missing}, which does not exist: correct or remove the line");
            findings.push(Finding::error(&dockerfile.path, number, what));
        }
    }
    findings
}

fn workflow(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    let used = file.lines().filter_map(|(number, line)| {
        let action = line.trim_start().trim_start_matches("- ").strip_prefix("uses: ")?;
        Some((number, action.split_whitespace().next().unwrap_or_default()))
    });
    for (number, action) in used.filter(|(_, action)| !has_full_version(action)) {
        let what = format!("uses {action} without a full version: write NAME@v1.2.3 or a commit");
        findings.push(Finding::error(&file.path, number, what));
    }
    if !file.text.contains("\npermissions:\n  contents: read\n") {
        let what =
            "has more rights than reading: write `permissions: contents: read`, and more only for a job";
        findings.push(Finding::error(&file.path, None, what));
    }
    findings
}

/// `v1.2.3`, or a commit.
fn has_full_version(action: &str) -> bool {
    let Some((_, version)) = action.split_once('@') else { return action.starts_with("./") };
    let is_commit = version.len() == 40 && version.chars().all(|c| c.is_ascii_hexdigit());
    let mut parts = version.strip_prefix('v').unwrap_or_default().split('.');
    let is_number = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    is_commit || (0..3).all(|_| parts.next().is_some_and(is_number)) && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::super::finding::lines;
    use super::*;

    #[test]
    fn what_is_copied_exists() {
        let dockerfile = "FROM rust AS build\nCOPY Cargo.toml Cargo.lock ./\nCOPY crates crates\nCOPY --from=build /a /b\n";
        let tree = Tree::of(&[
            (DOCKERFILE, dockerfile),
            (COMPOSE, "dockerfile: contrib/Dockerfile"),
            ("Cargo.toml", ""),
            ("crates/a/src/lib.rs", ""),
        ]);
        assert_eq!(
            lines(&check(&tree)),
            ["contrib/Dockerfile:2: copies Cargo.lock, which does not exist: correct or remove the line"]
        );
    }

    #[test]
    fn actions_have_versions_and_workflows_few_rights() {
        let workflow =
            "on: push\n\npermissions:\n  contents: read\n\nsteps:\n  - uses: a/b@v1.2.3\n  - uses: a/c@v4\n";
        let tree =
            Tree::of(&[(".github/workflows/a.yml", workflow), (".github/workflows/b.yml", "on: push\n")]);
        assert_eq!(
            lines(&check(&tree)),
            [
                ".github/workflows/a.yml:8: uses a/c@v4 without a full version: write NAME@v1.2.3 or a commit",
                ".github/workflows/b.yml: has more rights than reading: write `permissions: contents: read`, and more only for a job",
            ]
        );
    }
}
