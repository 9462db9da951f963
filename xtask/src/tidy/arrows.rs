//! Dependencies point one way. The table below is the map; a crate that is not on it is not in it.

use super::finding::Finding;
use crate::metadata::Metadata;

/// Which of our crates a crate may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("aqueduct-wire", &[]),
    ("aqueduct-os", &[]),
    ("aqueduct-testing", &[]),
    ("aqueduct-tracing", &[]),
    ("aqueduct-rules", &["aqueduct-wire"]),
    ("aqueduct-sandbox", &["aqueduct-os", "aqueduct-rules"]),
    ("aqueduct-model", &["aqueduct-wire"]),
    ("aqueduct-mcp", &["aqueduct-wire", "aqueduct-os", "aqueduct-model"]),
    (
        "aqueduct-tools",
        &[
            "aqueduct-wire",
            "aqueduct-os",
            "aqueduct-rules",
            "aqueduct-sandbox",
            "aqueduct-model",
            "aqueduct-mcp",
        ],
    ),
    (
        "aqueduct-agent",
        &[
            "aqueduct-wire",
            "aqueduct-os",
            "aqueduct-rules",
            "aqueduct-sandbox",
            "aqueduct-model",
            "aqueduct-mcp",
            "aqueduct-tools",
            "aqueduct-tracing",
        ],
    ),
    // The rules are behind a feature.
    ("aqueduct-client", &["aqueduct-wire", "aqueduct-os", "aqueduct-rules", "aqueduct-tracing"]),
    ("aqueduct-web", &[]),
    (
        "aqueduct-bridge",
        &["aqueduct-wire", "aqueduct-os", "aqueduct-client", "aqueduct-web", "aqueduct-tracing"],
    ),
    ("aqueduct-bridge", &["aqueduct-wire", "aqueduct-os", "aqueduct-client", "aqueduct-web"]),
    ("aqueduct-otlp", &["aqueduct-wire", "aqueduct-bridge"]),
    (
        "aqueduct",
        &[
            "aqueduct-wire",
            "aqueduct-os",
            "aqueduct-rules",
            "aqueduct-model",
            "aqueduct-agent",
            "aqueduct-client",
            "aqueduct-web",
            "aqueduct-bridge",
            "aqueduct-tracing",
            "aqueduct-otlp",
        ],
    ),
    ("xtask", &[]),
];

/// Crates that meet only across a process boundary: not even a test of one may link the other.
const APART: &[(&str, &str)] = &[("aqueduct-agent", "aqueduct-bridge")];

pub(super) fn check(metadata: &Metadata) -> Vec<Finding> {
    let ours: Vec<&str> = metadata.members().map(|package| package.name.as_str()).collect();
    let mut findings = Vec::new();
    for package in metadata.members() {
        let path = manifest(&package.name);
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == package.name) else {
            let what = "not on the map: add it to ARROWS in xtask/src/tidy/arrows.rs and to ARCHITECTURE.md";
            findings.push(Finding::error(&path, None, what));
            continue;
        };
        for dependency in package.dependencies.iter().filter(|dependency| ours.contains(&&*dependency.name)) {
            let name = dependency.name.as_str();
            if are_apart(&package.name, name) {
                let what = format!("uses {name}, and the two must meet only across a process boundary");
                findings.push(Finding::error(&path, None, what));
            } else if dependency.kind.as_deref() != Some("dev") && !allowed.contains(&name) {
                let what = format!("uses {name}: that arrow is not on the map (xtask/src/tidy/arrows.rs)");
                findings.push(Finding::error(&path, None, what));
            }
        }
    }
    findings
}

fn are_apart(one: &str, other: &str) -> bool {
    APART.iter().any(|&(a, b)| (a, b) == (one, other) || (b, a) == (one, other))
}

fn manifest(package: &str) -> String {
    match package {
        "xtask" => "xtask/Cargo.toml".to_owned(),
        _ => format!("crates/{package}/Cargo.toml"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::lines;
    use super::*;
    use crate::metadata::{Dependency, Package};

    fn package(name: &str, uses: &[(&str, Option<&str>)]) -> Package {
        let dependency = |(name, kind): &(&str, Option<&str>)| Dependency {
            name: (*name).into(),
            kind: kind.map(str::to_owned),
        };
        let dependencies = uses.iter().map(dependency).collect();
        Package { id: name.into(), name: name.into(), dependencies, ..Package::default() }
    }

    #[test]
    fn arrows_point_one_way() {
        let packages = vec![
            package("aqueduct-wire", &[("serde", None), ("aqueduct-rules", None)]),
            package("aqueduct-rules", &[("aqueduct-wire", None)]),
            package("aqueduct-agent", &[("aqueduct-client", Some("dev")), ("aqueduct-bridge", Some("dev"))]),
            package("aqueduct-bridge", &[]),
            package("aqueduct-client", &[]),
            package("newcomer", &[]),
        ];
        let workspace_members = packages.iter().map(|package| package.id.clone()).collect();
        assert_eq!(
            lines(&check(&Metadata { packages, workspace_members })),
            [
                "crates/aqueduct-wire/Cargo.toml: uses aqueduct-rules: that arrow is not on the map (xtask/src/tidy/arrows.rs)",
                "crates/aqueduct-agent/Cargo.toml: uses aqueduct-bridge, and the two must meet only across a process boundary",
                "crates/newcomer/Cargo.toml: not on the map: add it to ARROWS in xtask/src/tidy/arrows.rs and to ARCHITECTURE.md",
            ]
        );
    }
}
