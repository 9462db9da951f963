//! The libraries that are linked into the programs.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use crate::metadata::Metadata;
use crate::workspace::Workspace;

/// The packages of the programs that are published.
const PROGRAMS: &[&str] = &["aqueduct", "aqueduct-agent"];

/// A package that is not ours.
pub(super) struct Component {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) licence: String,
    pub(super) repository: Option<String>,
    /// Where its sources are.
    pub(super) folder: PathBuf,
    /// The SHA-256 of its archive in the registry.
    pub(super) checksum: Option<String>,
}

/// All of them, by name and version. Those of build scripts and procedural macros are among them, as they made the
/// programs.
pub(super) fn of_programs(workspace: &Workspace) -> Result<Vec<Component>> {
    let mut tree =
        workspace.cargo(["tree", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"]);
    for program in PROGRAMS {
        tree.args(["--package", program]);
    }
    let output = tree.output().context("cannot run cargo tree")?;
    if !output.status.success() {
        bail!("cargo tree failed:\n{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut named: Vec<(&str, &str)> = listed.lines().filter_map(name_and_version).collect();
    named.sort_unstable();
    named.dedup();
    let lock = fs::read_to_string(workspace.path("Cargo.lock")).context("cannot read Cargo.lock")?;
    let checksums = checksums(&lock);
    let metadata = Metadata::read(workspace)?;
    let mut components = Vec::new();
    for package in metadata.foreign() {
        let key = (package.name.as_str(), package.version.as_str());
        if named.binary_search(&key).is_err() {
            continue;
        }
        components.push(Component {
            name: package.name.clone(),
            version: package.version.clone(),
            // The old form of an expression.
            licence: package.license.clone().unwrap_or_default().replace('/', " OR "),
            repository: package.repository.clone(),
            folder: package.manifest_path.parent().map(Into::into).unwrap_or_default(),
            checksum: checksums.get(&key).map(|&sum| sum.to_owned()),
        });
    }
    components.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
    Ok(components)
}

/// Reads `name v1.2.3 (proc-macro)`.
fn name_and_version(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split_whitespace();
    Some((words.next()?, words.next()?.strip_prefix('v')?))
}

/// The checksums of a lock file.
fn checksums(lock: &str) -> BTreeMap<(&str, &str), &str> {
    let member = |package: &'_ str, name: &str| -> Option<(usize, usize)> {
        let start = package.find(&format!("\n{name} = \""))? + name.len() + 5;
        Some((start, start + package[start..].find('"')?))
    };
    let packages = lock.split("[[package]]").skip(1).filter_map(|package| {
        let text = |name| member(package, name).map(|(start, end)| &package[start..end]);
        Some(((text("name")?, text("version")?), text("checksum")?))
    });
    packages.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_files_have_checksums_of_what_is_not_ours() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"ff\"\n\n\
                    [[package]]\nname = \"ours\"\nversion = \"0.1.0\"\n";
        assert_eq!(checksums(lock), BTreeMap::from([(("a", "1.0.0"), "ff")]));
        assert_eq!(name_and_version("a v1.0.0 (proc-macro) (*)"), Some(("a", "1.0.0")));
        assert_eq!(name_and_version(""), None);
    }
}
