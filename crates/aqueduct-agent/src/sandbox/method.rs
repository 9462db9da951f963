//! How commands are held on this machine.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::bubblewrap;
use crate::environment::Environment;

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
    pub(super) fn find(environment: &Environment) -> Method {
        if !cfg!(target_os = "linux") {
            return Method::None("commands can be held in a sandbox on Linux only".to_owned());
        }
        let why = match bubblewrap(environment) {
            Ok(program) => return Method::Bubblewrap(program),
            Err(why) => why,
        };
        #[cfg(target_os = "linux")]
        if super::landlock::is_there() {
            return Method::Landlock(why);
        }
        Method::None(format!("{why}, and this kernel has no Landlock, or one before its version 3"))
    }
}

/// A bubblewrap that works here, or why there is none.
fn bubblewrap(environment: &Environment) -> Result<PathBuf, String> {
    let found = environment.search_path().filter(|folder| folder.is_absolute());
    let program = found.map(|folder| folder.join("bwrap")).find(|program| program.is_file());
    let program = program.ok_or("bubblewrap (bwrap) is not installed")?;
    let tried = Command::new(&program)
        .args(bubblewrap::trial())
        .env_clear()
        .env("PATH", environment.variable("PATH").unwrap_or_default())
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{} can't be started: {error}", program.display()))?;
    if tried.status.success() {
        return Ok(program);
    }
    let said = String::from_utf8_lossy(&tried.stderr);
    let said = said.lines().next().unwrap_or("it says nothing").to_owned();
    Err(format!("{} does not work here: {said}", program.display()))
}
