//! How commands are held on this machine.

use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use super::{HAS_SANDBOX, bubblewrap, has_landlock};
use crate::machine::SandboxEnvironment;

/// Why there is no sandbox.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum NoSandbox {
    #[error("commands can be held in a sandbox on Linux only")]
    NotLinux,
    #[error("{0}, and this kernel has no Landlock, or one before its version 3")]
    NoMethod(NoBubblewrap),
}

/// Why bubblewrap can't be used.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum NoBubblewrap {
    #[error("bubblewrap (bwrap) is not installed")]
    NotInstalled,
    #[error("{} can't be started: {error}", program.display())]
    NotStarted { program: PathBuf, error: Arc<io::Error> },
    #[error("{} does not work here: {output}", program.display())]
    Failed { program: PathBuf, output: String },
}

/// How commands are held on this machine.
#[derive(Debug, Clone)]
pub(super) enum SandboxMethod {
    /// By this bubblewrap, which works.
    Bubblewrap(PathBuf),
    /// By Landlock; why not by bubblewrap.
    Landlock(NoBubblewrap),
    /// Not at all, for this reason.
    None(NoSandbox),
}

impl SandboxMethod {
    /// Looks what works, by trying it.
    pub(super) fn find(machine: &SandboxEnvironment) -> SandboxMethod {
        if !HAS_SANDBOX {
            return SandboxMethod::None(NoSandbox::NotLinux);
        }
        let why = match bubblewrap(machine) {
            Ok(program) => return SandboxMethod::Bubblewrap(program),
            Err(why) => why,
        };
        if has_landlock() {
            return SandboxMethod::Landlock(why);
        }
        SandboxMethod::None(NoSandbox::NoMethod(why))
    }
}

/// A bubblewrap that works here, or why there is none.
fn bubblewrap(machine: &SandboxEnvironment) -> Result<PathBuf, NoBubblewrap> {
    let found = std::env::split_paths(&machine.search_path).filter(|folder| folder.is_absolute());
    let program = found.map(|folder| folder.join("bwrap")).find(|program| program.is_file());
    let program = program.ok_or(NoBubblewrap::NotInstalled)?;
    let tried = Command::new(&program)
        .args(bubblewrap::trial())
        .env_clear()
        .env("PATH", &machine.search_path)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| NoBubblewrap::NotStarted { program: program.clone(), error: Arc::new(error) })?;
    if tried.status.success() {
        return Ok(program);
    }
    let output = String::from_utf8_lossy(&tried.stderr);
    let output = output.lines().next().unwrap_or("it prints nothing").to_owned();
    Err(NoBubblewrap::Failed { program, output })
}
