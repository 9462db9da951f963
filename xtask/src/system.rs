//! What the machine has, and how to get what it lacks.

use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::program;

pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Makes sure a program is there: installs Debian's package where that is possible without asking,
/// and reports what to do where it is not.
pub(crate) fn need(program_name: &str, version_flag: &str, package: &str) -> Result<()> {
    if program::exists(program_name, version_flag) {
        return Ok(());
    }
    eprintln!("{program_name} is missing: installing {package}");
    install(package).with_context(|| format!("{program_name} is missing"))?;
    if !program::exists(program_name, version_flag) {
        bail!("{program_name} is missing, and the package {package} does not contain it");
    }
    Ok(())
}

/// Installs a package of Debian where that is possible without asking, and reports what to do where it is not.
pub(crate) fn install(package: &str) -> Result<()> {
    let by_hand = format!("install the package {package} and try again");
    if !is_root() || !program::exists("apt-get", "--version") {
        bail!(by_hand);
    }
    let mut install = Command::new("sh");
    install.env("DEBIAN_FRONTEND", "noninteractive");
    install.args([
        "-c",
        "apt-get update -q && apt-get install -q -y --no-install-recommends \"$0\"",
        package,
    ]);
    let ended = program::run(&mut install)?;
    if !ended.success {
        bail!("{by_hand}; apt-get reported:\n{}", ended.output.trim_end());
    }
    Ok(())
}
