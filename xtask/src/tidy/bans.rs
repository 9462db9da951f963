//! Crates this project does without, and crates it carries twice.

use std::collections::BTreeMap;

use super::finding::Finding;
use crate::metadata::Metadata;

/// The same list as in deny.toml, with what to use instead.
const BANNED: &[(&str, &str)] = &[
    ("openssl", "rustls: TLS must not need a system library"),
    ("openssl-sys", "rustls: TLS must not need a system library"),
    ("native-tls", "rustls: TLS must not need a system library"),
    ("serde_yaml", "serde-saphyr: serde_yaml is unmaintained"),
    ("serde_yml", "serde-saphyr: serde_yml is unsound"),
];

pub(super) fn banned(metadata: &Metadata) -> Vec<Finding> {
    let ban = |name: &str| BANNED.iter().find(|(banned, _)| *banned == name);
    let foreign = metadata.foreign().filter_map(|package| ban(&package.name));
    foreign
        .map(|(name, instead)| Finding::error("Cargo.lock", None, format!("{name} is banned: use {instead}")))
        .collect()
}

pub(super) fn duplicates(metadata: &Metadata) -> Vec<Finding> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in metadata.foreign() {
        versions.entry(&package.name).or_default().push(&package.version);
    }
    versions.retain(|_, versions| versions.len() > 1);
    let note = |(name, versions): (&str, Vec<&str>)| {
        let what = format!("{name} is built in {} versions: {}", versions.len(), versions.join(", "));
        Finding::note("Cargo.lock", None, what)
    };
    versions.into_iter().map(note).collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::lines;
    use super::*;
    use crate::metadata::Package;

    fn foreign(packages: &[(&str, &str)]) -> Metadata {
        let package = |(name, version): &(&str, &str)| Package {
            name: (*name).into(),
            version: (*version).into(),
            ..Package::default()
        };
        Metadata { packages: packages.iter().map(package).collect(), workspace_members: Vec::new() }
    }

    #[test]
    fn banned_and_doubled_crates_are_named() {
        let metadata = foreign(&[("serde_yaml", "0.9.0"), ("syn", "1.0.0"), ("syn", "2.0.0")]);
        assert_eq!(
            lines(&banned(&metadata)),
            ["Cargo.lock: serde_yaml is banned: use serde-saphyr: serde_yaml is unmaintained"]
        );
        assert_eq!(lines(&duplicates(&metadata)), ["Cargo.lock: syn is built in 2 versions: 1.0.0, 2.0.0"]);
    }
}
