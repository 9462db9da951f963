//! What the program knows of the machine: the only way by which environment, home and working directory
//! reach this crate.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

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

    /// The `.claude` folders of the project: that of the working directory, then those of the folders above it up
    /// to the repository's root, or to the file system's where there is none. The user's own is not among them.
    pub(crate) fn project_folders(&self) -> Vec<PathBuf> {
        let is_root = |folder: &Path| folder.join(".git").exists();
        let above = self.cwd.ancestors().position(is_root).map_or(usize::MAX, |steps| steps + 1);
        let folders = self.cwd.ancestors().take(above).map(|folder| folder.join(".claude"));
        let is_users = |folder: &PathBuf| *folder == self.config || *folder == self.home.join(".claude");
        folders.filter(|folder| !is_users(folder)).collect()
    }

    /// Sets variables, in place of those of the same name.
    pub(crate) fn extend(&mut self, variables: impl IntoIterator<Item = (String, String)>) {
        for (name, value) in variables {
            let name = OsString::from(name);
            self.variables.retain(|(known, _)| *known != name);
            self.variables.push((name, value.into()));
        }
    }

    /// Whether a variable says no: `0`, `false`, `no` or `off`.
    pub(crate) fn denies(&self, name: &str) -> bool {
        self.variable(name)
            .is_some_and(|value| ["0", "false", "no", "off"].iter().any(|no| value.eq_ignore_ascii_case(no)))
    }

    /// Whether a variable says yes: `1`, `true`, `yes` or `on`.
    pub fn flag(&self, name: &str) -> bool {
        self.variable(name)
            .is_some_and(|value| ["1", "true", "yes", "on"].iter().any(|yes| value.eq_ignore_ascii_case(yes)))
    }
}
