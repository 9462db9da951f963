//! How commands are held on this machine.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::{HAS_SANDBOX, bubblewrap, has_landlock};
use crate::machine::Machine;

/// Why other systems have no sandbox.
pub(crate) const LINUX_ONLY: &str = "commands can be held in a sandbox on Linux only";

/// How commands are held on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Method {
    /// By this bubblewrap, which works.
    Bubblewrap(PathBuf),
    /// By Landlock; why not by bubblewrap.
    Landlock(String),
    /// Not at all, for this reason.
    None(String),
}

impl Method {
    /// Looks what works, by trying it.
    pub(super) fn find(machine: &Machine) -> Method {
        if !HAS_SANDBOX {
            return Method::None(LINUX_ONLY.to_owned());
        }
        let why = match bubblewrap(machine) {
            Ok(program) => return Method::Bubblewrap(program),
            Err(why) => why,
        };
        if has_landlock() {
            return Method::Landlock(why);
        }
        Method::None(format!("{why}, and this kernel has no Landlock, or one before its version 3"))
    }
}

/// A bubblewrap that works here, or why there is none.
fn bubblewrap(machine: &Machine) -> Result<PathBuf, String> {
    let found = std::env::split_paths(&machine.search_path).filter(|folder| folder.is_absolute());
    let program = found.map(|folder| folder.join("bwrap")).find(|program| program.is_file());
    let program = program.ok_or("bubblewrap (bwrap) is not installed")?;
    let tried = Command::new(&program)
        .args(bubblewrap::trial())
        .env_clear()
        .env("PATH", &machine.search_path)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{} can't be started: {error}", program.display()))?;
    if tried.status.success() {
        return Ok(program);
    }
    let said = String::from_utf8_lossy(&tried.stderr);
    let said = said.lines().next().unwrap_or("it printed nothing").to_owned();
    Err(format!("{} does not work here: {said}", program.display()))
}
