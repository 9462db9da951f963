//! Two crates touch the system below `std`: the others call them, so that they work on every system.

use super::code;
use super::finding::Finding;
use super::tree::Tree;
use crate::metadata::Metadata;

/// The crates that touch the system.
const CRATES: &[&str] = &["aqueduct-os", "aqueduct-sandbox"];

/// No part of the product, and links none of it: a chore has to run when the product does not compile.
const CHORES: &str = "xtask";

/// Dependencies of those crates alone. Tests of others may use them to make what the product must cope with.
const LIBRARIES: &[&str] = &["landlock", "libc", "rustix", "seccompiler"];

/// What only one system has: text in code that is not a comment.
const LINUX: &[&str] = &["/proc/", "target_os = \"linux\""];

/// Compares paths as text, and opens none: another check keeps it pure.
const PURE: &str = "crates/aqueduct-rules/";

/// Who depends on the libraries.
pub(super) fn dependencies(metadata: &Metadata) -> Vec<Finding> {
    let mut findings = Vec::new();
    let is_exempt = |name: &str| CRATES.contains(&name) || name == CHORES;
    for package in metadata.members().filter(|package| !is_exempt(&package.name)) {
        let product =
            package.dependencies.iter().filter(|dependency| dependency.kind.as_deref() != Some("dev"));
        for dependency in product.filter(|dependency| LIBRARIES.contains(&dependency.name.as_str())) {
            let what =
                format!("depends on {}: call aqueduct-os, or add to it what is missing", dependency.name);
            findings.push(Finding::error(&format!("crates/{}/Cargo.toml", package.name), None, what));
        }
    }
    findings
}

/// Which sources assume Linux.
pub(super) fn sources(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.written(&[".rs"]) {
        let is_allowed = CRATES.iter().any(|name| file.path.starts_with(&format!("crates/{name}/")));
        let is_product = file.path.starts_with("crates/") && file.path.contains("/src/");
        let is_test = file.path.ends_with("/tests.rs") || file.path.contains("/tests/");
        if is_allowed || !is_product || is_test || file.path.starts_with(PURE) {
            continue;
        }
        let end = code::product_code(&file.text).lines().count();
        for (index, line) in file.text.lines().take(end).enumerate() {
            let text = line.split("//").next().unwrap_or_default();
            for found in LINUX.iter().filter(|linux| text.contains(**linux)) {
                let what = format!("has `{found}`: only aqueduct-os and aqueduct-sandbox know the system");
                findings.push(Finding::error(&file.path, index + 1, what));
            }
        }
    }
    findings
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
    fn two_crates_depend_on_the_system() {
        let packages = vec![
            package("aqueduct-os", &[("rustix", None)]),
            package("aqueduct-agent", &[("rustix", Some("dev")), ("libc", None), ("tokio", None)]),
        ];
        let workspace_members = packages.iter().map(|package| package.id.clone()).collect();
        assert_eq!(
            lines(&dependencies(&Metadata { packages, workspace_members })),
            [
                "crates/aqueduct-agent/Cargo.toml: depends on libc: call aqueduct-os, or add to it what is missing"
            ]
        );
    }

    #[test]
    fn two_crates_know_the_system() {
        let tree = Tree::of(&[
            ("crates/aqueduct-os/src/lib.rs", "let path = \"/proc/self\";"),
            ("crates/aqueduct-rules/src/path.rs", "let path = \"/proc/self\";"),
            ("crates/aqueduct-tools/src/tool/tests.rs", "let path = \"/proc/self\";"),
            ("crates/aqueduct-agent/tests/it/main.rs", "let path = \"/proc/self\";"),
            (
                "crates/aqueduct-agent/src/lib.rs",
                "// of /proc/self\nlet path = \"/proc/self\";\n#[cfg(target_os = \"linux\")]\nfn f() {}\n#[cfg(test)]\nmod tests { const P: &str = \"/proc/1\"; }\n",
            ),
        ]);
        let what = "only aqueduct-os and aqueduct-sandbox know the system";
        assert_eq!(
            lines(&sources(&tree)),
            [
                format!("crates/aqueduct-agent/src/lib.rs:2: has `/proc/`: {what}"),
                format!("crates/aqueduct-agent/src/lib.rs:3: has `target_os = \"linux\"`: {what}"),
            ]
        );
    }
}
