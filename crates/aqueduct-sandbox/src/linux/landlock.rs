//! Files by Landlock, without bubblewrap.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use rustix::io::Errno;
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

/// The first version that also holds the lengths of files: without that, what can't be written can be emptied.
const LEAST: ABI = ABI::V3;
/// The version that knows processes outside: they get no signals and no messages from inside.
const SCOPES: ABI = ABI::V6;

/// Devices that all users may write to.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];

/// Why Landlock does not hold this process.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConfineError {
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
    #[error("capabilities stay: {0}")]
    Capabilities(Errno),
    #[error("the kernel does not hold it")]
    NotEnforced,
}

/// What a command may do with files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LandlockAccess {
    /// What it may change.
    pub(super) writable: Vec<PathBuf>,
    /// What it may not read.
    pub(super) hidden: Vec<PathBuf>,
}

/// Whether the kernel has what is needed.
pub(super) fn is_there() -> bool {
    ruleset().is_ok()
}

fn ruleset() -> Result<RulesetCreated, RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(LEAST))?
        .set_compatibility(CompatLevel::BestEffort)
        .scope(Scope::from_all(SCOPES))?
        .create()
}

/// Holds this process and those it starts to that, for good. Of root it leaves the name: a capability is a way to
/// devices, to the network's settings and to the memory of others.
pub(super) fn confine(reach: &LandlockAccess) -> Result<(), ConfineError> {
    let none = CapabilitySet::empty();
    let nothing = CapabilitySets { effective: none, permitted: none, inheritable: none };
    let read = AccessFs::from_read(LEAST);
    let mut rules = ruleset()?;
    if reach.hidden.is_empty() {
        rules = add(rules, Path::new("/"), read)?;
    } else {
        // Folders are listed everywhere; files are read where no hidden one is below.
        rules = add(rules, Path::new("/"), AccessFs::ReadDir.into())?;
        for path in shown(&reach.hidden) {
            rules = add(rules, &path, read)?;
        }
    }
    // A device is a way around all files.
    let change = AccessFs::from_all(LEAST) & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    for path in &reach.writable {
        rules = add(rules, path, change)?;
    }
    for device in DEVICES {
        rules = add(rules, Path::new(device), AccessFs::from_file(LEAST))?;
    }
    // This also sets that no program gives rights, so that none come back when root starts one.
    let status = rules.restrict_self()?;
    set_capabilities(None, nothing).map_err(ConfineError::Capabilities)?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err(ConfineError::NotEnforced),
        _ => Ok(()),
    }
}

/// Adds a path; one that can't be opened is out of reach anyway.
fn add(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, ConfineError> {
    let Ok(opened) = PathFd::new(path) else { return Ok(rules) };
    let is_folder = fs::metadata(path).is_ok_and(|found| found.is_dir());
    let access = if is_folder { access } else { access & AccessFs::from_file(LEAST) };
    Ok(rules.add_rule(PathBeneath::new(opened, access))?)
}

/// All paths besides the hidden ones and their parents. Links are none of them: where they lead counts, and
/// that may be what is hidden.
fn shown(hidden: &[PathBuf]) -> Vec<PathBuf> {
    let above: BTreeSet<&Path> = hidden.iter().flat_map(|path| path.ancestors().skip(1)).collect();
    let entries = above.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let entries = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
    let paths = entries.map(|entry| entry.path());
    paths.filter(|path| !above.contains(path.as_path()) && !hidden.contains(path)).collect()
}
