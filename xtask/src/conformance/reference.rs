//! The reference CLI: which versions the wire is compared with, and where they are.
//!
//! It comes from npm under a licence of its own. It is installed outside the tree, run, and never
//! copied from.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::npm;

const PACKAGE: &str = "@anthropic-ai/claude-code";

/// An old one that hosts still pin, one of the middle, and a recent one.
pub(super) const VERSIONS: &[&str] = &["2.1.37", "2.1.74", NEWEST];

/// The one that the agent is compared with and measured beside.
pub(crate) const NEWEST: &str = "2.1.325";

/// The versions that were asked for; all if none was named.
pub(super) fn wanted(named: &[String]) -> Result<Vec<&'static str>> {
    let is_wanted = |version: &&str| named.is_empty() || named.iter().any(|name| name == version);
    let versions: Vec<_> = VERSIONS.iter().copied().filter(is_wanted).collect();
    match versions.is_empty() {
        true => bail!("none of these versions is played: there are {}", VERSIONS.join(", ")),
        false => Ok(versions),
    }
}

/// Where programs from elsewhere are kept between runs.
pub(super) fn lab() -> Result<PathBuf> {
    if let Some(directory) = env::var_os("AQUEDUCT_LAB") {
        return Ok(directory.into());
    }
    let home =
        env::home_dir().context("no home directory: set AQUEDUCT_LAB to a directory to install into")?;
    Ok(home.join(".cache/aqueduct-lab"))
}

/// Installs a version if it is not there, and returns its executable.
pub(crate) fn install(version: &str) -> Result<PathBuf> {
    let directory = lab()?.join(format!("cli-{version}"));
    npm::install(&directory, PACKAGE, version)?;
    executable(&directory)
}

/// Newer versions are native programs in a package for each platform; older ones are a script.
fn executable(directory: &Path) -> Result<PathBuf> {
    let packages = directory.join("node_modules");
    let arch = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let native = packages.join(format!("{PACKAGE}-linux-{arch}/claude"));
    let script = packages.join(".bin/claude");
    match [native, script].into_iter().find(|path| path.exists()) {
        Some(path) => Ok(path),
        None => bail!("no executable in {}: remove that directory and try again", directory.display()),
    }
}
