//! The packages `aqueduct-client` for npm and PyPI: where they are, and the programs that check and build them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::workspace::Workspace;
use crate::{program, python};

/// The package for npm.
pub(crate) const NPM: &str = "packages/npm";
/// The package for PyPI.
pub(crate) const PYTHON: &str = "packages/python";

/// What the Python package needs, what checks and builds it, and a reader of the bridge's metrics. The backend is that of its `pyproject.toml`: it is here
/// so that a build needs no network.
const REQUIREMENTS: &[&str] =
    &["websockets>=14", "mypy==2.4.1", "build==1.6.1", "hatchling==1.33.0", "prometheus-client==0.26.0"];

/// The program npm in the folder of its package.
pub(crate) fn npm(workspace: &Workspace, arguments: &[&str]) -> Command {
    let mut npm = workspace.command("npm");
    npm.current_dir(workspace.path(NPM)).args(arguments).env("NO_COLOR", "1");
    npm
}

/// Installs the packages of npm that the package is checked and built with.
pub(crate) fn install_npm(workspace: &Workspace) -> Result<program::Ended> {
    program::run(&mut npm(workspace, &["install", "--no-save", "--no-audit", "--no-fund"]))
}

/// The interpreter of an environment with everything that the Python package needs.
pub(crate) fn python(workspace: &Workspace) -> Result<PathBuf> {
    python::environment(&workspace.scratch("python-client"), REQUIREMENTS)
}

/// A module of Python in the folder of the package.
pub(crate) fn module(workspace: &Workspace, python: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(python);
    command.current_dir(workspace.path(PYTHON)).arg("-m").args(arguments);
    command.env("PYTHONPATH", workspace.path(PYTHON).join("src")).env("PYTHONDONTWRITEBYTECODE", "1");
    command
}
