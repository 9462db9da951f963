//! Packages from npm, each in a directory of its own outside what is committed.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::program;

/// Installs one package at one version, once: a mark distinguishes a finished installation from a broken one.
pub(crate) fn install(directory: &Path, package: &str, version: &str) -> Result<()> {
    let wanted = format!("{package}@{version}");
    let mark = directory.join("ok");
    if mark.is_file() {
        return Ok(());
    }
    if !program::exists("npm", "--version") {
        bail!("npm is missing and {wanted} comes from it: install Node.js 20 or newer");
    }
    eprintln!("installing {wanted} into {}", directory.display());
    fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    let manifest = directory.join("package.json");
    // Without a manifest of its own npm would install into the nearest one above.
    fs::write(&manifest, "{ \"private\": true }\n")
        .with_context(|| format!("cannot write {}", manifest.display()))?;
    let mut npm = Command::new("npm");
    npm.current_dir(directory).args(["install", "--no-audit", "--no-fund", "--save-exact", &wanted]);
    let ended = program::run(&mut npm)?;
    if !ended.success {
        bail!("npm could not install {wanted}:\n{}", ended.output.trim_end());
    }
    fs::write(&mark, format!("{wanted}\n")).with_context(|| format!("cannot write {}", mark.display()))
}
