//! Which functions of a program run, as callgrind counts them.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use tempfile::TempDir;

/// A run of a program in a directory and with a home of its own.
pub(super) struct Run {
    place: TempDir,
}

impl Run {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { place: tempfile::tempdir().context("cannot make a directory")? })
    }

    pub(super) fn place(&self) -> &Path {
        self.place.path()
    }

    fn counts(&self) -> PathBuf {
        self.place().join("counts")
    }

    /// The command that runs the program, with an empty environment.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("valgrind");
        command
            .args(["--tool=callgrind", "--demangle=no"])
            .arg(format!("--callgrind-out-file={}", self.counts().display()))
            .arg(program)
            .current_dir(self.place())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.place());
        command
    }

    /// The symbols of all functions that ran, once the program has ended.
    pub(super) fn functions(&self) -> Result<HashSet<String>> {
        let counts = fs::read_to_string(self.counts()).context("callgrind wrote no counts")?;
        Ok(functions(&counts))
    }
}

/// The functions in callgrind's file. A name follows its number once: `fn=(12) name`, later `fn=(12)`.
fn functions(counts: &str) -> HashSet<String> {
    let named = |line: &str| {
        let rest = line.strip_prefix("fn=(").or_else(|| line.strip_prefix("cfn=("))?;
        let (_, name) = rest.split_once(") ")?;
        Some(name.to_owned())
    };
    counts.lines().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_read_where_they_are_named() {
        let counts = "fl=(1) main.rs\nfn=(1) one\n12 4\ncfn=(2) two\ncalls=1 0\n12 4\nfn=(1)\n13 1\n";
        assert_eq!(functions(counts), ["one".to_owned(), "two".to_owned()].into());
    }
}
