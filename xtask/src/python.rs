//! Python's packages, in a virtual environment outside what is committed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::{program, system};

/// The oldest version of Python that our package supports.
pub(crate) const OLDEST: (u32, u32) = (3, 11);

/// Why Python can't be used, if so.
pub(crate) fn problem() -> Option<String> {
    let (major, minor) = OLDEST;
    let check = format!("import sys; sys.exit(sys.version_info < ({major}, {minor}))");
    let mut python = Command::new("python3");
    match program::run(python.args(["-c", &check])) {
        Ok(ended) if ended.success => None,
        _ => Some(format!("Python {major}.{minor} or newer is missing")),
    }
}

/// A virtual environment with these requirements, made once: a mark distinguishes a finished one from a broken one.
/// Returns its interpreter.
pub(crate) fn environment(directory: &Path, requirements: &[&str]) -> Result<PathBuf> {
    let python = directory.join("bin/python");
    let (mark, wanted) = (directory.join("requirements"), requirements.join("\n"));
    if fs::read_to_string(&mark).is_ok_and(|found| found == wanted) {
        return Ok(python);
    }
    // Debian has this module in a package of its own.
    if !program::run(Command::new("python3").args(["-c", "import ensurepip"]))?.success {
        system::install("python3-venv")?;
    }
    eprintln!("installing {} into {}", requirements.join(", "), directory.display());
    must_run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(directory))?;
    let flags = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    must_run(Command::new(&python).args(flags).args(requirements))?;
    fs::write(&mark, wanted).with_context(|| format!("cannot write {}", mark.display()))?;
    Ok(python)
}

fn must_run(command: &mut Command) -> Result<()> {
    let ended = program::run(command)?;
    if !ended.success {
        bail!("{command:?} failed:\n{}", ended.output.trim_end());
    }
    Ok(())
}
