//! What a program knows of the machine. Libraries read neither environment nor home nor working directory: a program
//! passes this value.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// What the program knows of the machine.
#[derive(Debug, Clone)]
pub struct Environment {
    /// The working directory, absolute and resolved.
    pub cwd: PathBuf,
    /// The user's home.
    pub home: PathBuf,
    /// The folder of the user's settings and transcripts: `CLAUDE_CONFIG_DIR`, or `.claude` in the home.
    pub config: PathBuf,
    /// The temporary folder.
    pub temporary: PathBuf,
    /// All environment variables; tools' commands inherit them.
    pub variables: Vec<(OsString, OsString)>,
    /// The program and the leading arguments that start the guard of this build (see [`crate::guard`]).
    pub guard: Vec<OsString>,
}

impl Environment {
    /// A variable, if it is set, not empty, and text.
    pub fn variable(&self, name: &str) -> Option<&str> {
        let (_, value) = self.variables.iter().rev().find(|(key, _)| key == OsStr::new(name))?;
        value.to_str().filter(|value| !value.is_empty())
    }

    /// The folders of the search path, in their order.
    pub fn search_path(&self) -> impl Iterator<Item = PathBuf> {
        std::env::split_paths(self.variable("PATH").unwrap_or_default())
    }

    /// Sets variables, in place of those of the same name.
    pub fn extend(&mut self, variables: impl IntoIterator<Item = (String, String)>) {
        for (name, value) in variables {
            let name = OsString::from(name);
            self.variables.retain(|(known, _)| *known != name);
            self.variables.push((name, value.into()));
        }
    }

    /// Whether a variable is false: `0`, `false`, `no` or `off`.
    pub fn denies(&self, name: &str) -> bool {
        self.variable(name)
            .is_some_and(|value| ["0", "false", "no", "off"].iter().any(|no| value.eq_ignore_ascii_case(no)))
    }

    /// Whether a variable is true: `1`, `true`, `yes` or `on`.
    pub fn flag(&self, name: &str) -> bool {
        self.variable(name)
            .is_some_and(|value| ["1", "true", "yes", "on"].iter().any(|yes| value.eq_ignore_ascii_case(yes)))
    }
}
