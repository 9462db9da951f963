//! The official SDKs: which versions we are compared with, and where they are.
//!
//! They come from their registries under licences of their own. They are installed outside the tree, run, and never
//! copied from.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::reference::lab;
use crate::npm;
use crate::program;

const PYTHON_PACKAGE: &str = "claude-agent-sdk";
const PYTHON_VERSION: &str = "0.2.182";
const NODE_PACKAGE: &str = "@anthropic-ai/claude-agent-sdk";
const NODE_VERSION: &str = "0.3.325";

/// Installs the Python SDK if it is not there, and returns a Python that has it.
pub(crate) fn python() -> Result<PathBuf> {
    let directory = lab()?.join(format!("python-sdk-{PYTHON_VERSION}"));
    let python = directory.join("bin/python");
    let mark = directory.join("ok");
    if mark.is_file() {
        return Ok(python);
    }
    eprintln!("installing {PYTHON_PACKAGE} {PYTHON_VERSION} into {}", directory.display());
    must_run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&directory))?;
    let wanted = format!("{PYTHON_PACKAGE}=={PYTHON_VERSION}");
    must_run(Command::new(&python).args(["-m", "pip", "install", "--quiet", &wanted]))?;
    std::fs::write(&mark, format!("{wanted}\n"))?;
    Ok(python)
}

/// Fetches the Python SDK's source package if it is not there, and returns its folder. It has the examples.
pub(crate) fn python_source() -> Result<PathBuf> {
    python_package_source(PYTHON_PACKAGE, PYTHON_VERSION)
}

/// Fetches the source package of a Python package if it is not there, and returns its folder.
pub(crate) fn python_package_source(package: &str, version: &str) -> Result<PathBuf> {
    let directory = lab()?.join(format!("{package}-source-{version}"));
    let name = format!("{}-{version}", package.replace('-', "_"));
    let source = directory.join(&name);
    let mark = directory.join("ok");
    if mark.is_file() {
        return Ok(source);
    }
    eprintln!("fetching the sources of {package} {version} into {}", directory.display());
    let python = python()?;
    let wanted = format!("{package}=={version}");
    must_run(
        Command::new(&python)
            .args(["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", package, &wanted])
            .arg("--dest")
            .arg(&directory),
    )?;
    let archive = source.with_file_name(format!("{name}.tar.gz"));
    must_run(Command::new(&python).args(["-m", "tarfile", "--extract"]).arg(archive).arg(&directory))?;
    std::fs::write(&mark, format!("{wanted}\n"))?;
    Ok(source)
}

/// Adds packages to a Python, once.
pub(crate) fn add(python: &Path, packages: &[&str]) -> Result<()> {
    let mark = python.with_file_name(format!("added-{}", packages.join("-")));
    if mark.is_file() {
        return Ok(());
    }
    eprintln!("installing {}", packages.join(", "));
    must_run(Command::new(python).args(["-m", "pip", "install", "--quiet"]).args(packages))?;
    std::fs::write(&mark, packages.join("\n")).with_context(|| format!("cannot write {}", mark.display()))
}

/// Installs the TypeScript SDK if it is not there, and returns the directory whose `node_modules` has it.
pub(crate) fn typescript() -> Result<PathBuf> {
    let directory = lab()?.join(format!("typescript-sdk-{NODE_VERSION}"));
    npm::install(&directory, NODE_PACKAGE, NODE_VERSION)?;
    Ok(directory)
}

fn must_run(command: &mut Command) -> Result<()> {
    let ended = program::run(command)?;
    match ended.success {
        true => Ok(()),
        false => bail!("{} failed:\n{}", command.get_program().display(), ended.output.trim_end()),
    }
}
