//! What the machine has, and how to get what it lacks.

use std::process::Command;

use anyhow::{Result, bail};

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
    let by_hand = format!("{program_name} is missing: install the package {package} and try again");
    if !is_root() || !program::exists("apt-get", "--version") {
        bail!(by_hand);
    }
    eprintln!("{program_name} is missing: installing {package}");
    let mut install = Command::new("sh");
    install.env("DEBIAN_FRONTEND", "noninteractive");
    install.args([
        "-c",
        "apt-get update -q && apt-get install -q -y --no-install-recommends \"$0\"",
        package,
    ]);
    let ended = program::run(&mut install)?;
    if !ended.success || !program::exists(program_name, version_flag) {
        bail!("{by_hand}; apt-get reported:\n{}", ended.output.trim_end());
    }
    Ok(())
}
