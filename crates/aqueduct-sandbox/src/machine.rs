//! What the sandbox knows of the machine.

use std::ffi::OsString;
use std::path::PathBuf;

use aqueduct_os::environment::Environment;

/// What the sandbox knows of the machine: a program passes it in.
#[derive(Debug, Clone, Default)]
pub struct SandboxEnvironment {
    /// The working directory, absolute and resolved.
    pub cwd: PathBuf,
    /// The user's home.
    pub home: PathBuf,
    /// The folder of the user's settings.
    pub config: PathBuf,
    /// The search path for programs.
    pub search_path: String,
    /// The program and the leading arguments that lead to [`main`](crate::main).
    pub entry: Vec<OsString>,
}

/// The argument by which a program hands over to [`main`](crate::main).
pub const ENTRY_FLAG: &str = "--sandbox-of-a-command";

impl From<&Environment> for SandboxEnvironment {
    fn from(environment: &Environment) -> Self {
        // The program with its leading arguments, as it starts a guard.
        let entry = match &environment.guard[..] {
            [own @ .., _] => own.iter().cloned().chain([ENTRY_FLAG.into()]).collect(),
            [] => Vec::new(),
        };
        SandboxEnvironment {
            cwd: environment.cwd.clone(),
            home: environment.home.clone(),
            config: environment.config.clone(),
            search_path: environment.variable("PATH").unwrap_or_default().to_owned(),
            entry,
        }
    }
}
