//! The repository's files, in memory: what a check reads, and what a test makes up.

use std::fs;

use anyhow::{Context as _, Result};

use crate::workspace::Workspace;

pub(crate) struct Tree {
    files: Vec<File>,
}

pub(crate) struct File {
    /// From the root, with `/`.
    pub(crate) path: String,
    /// Empty where the file is not text.
    pub(crate) text: String,
}

impl Tree {
    pub(crate) fn read(workspace: &Workspace) -> Result<Self> {
        let read = |path: String| {
            let bytes =
                fs::read(workspace.path(&path)).with_context(|| format!("cannot read the file {path}"))?;
            Ok(File { path, text: String::from_utf8(bytes).unwrap_or_default() })
        };
        let files = workspace.files()?.into_iter().map(read).collect::<Result<_>>()?;
        Ok(Self { files })
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = &File> {
        self.files.iter()
    }

    pub(crate) fn get(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Files with one of these endings that a person wrote.
    pub(crate) fn written<'a>(&'a self, endings: &'a [&str]) -> impl Iterator<Item = &'a File> {
        self.files().filter(move |file| {
            endings.iter().any(|ending| file.path.ends_with(ending)) && !file.is_generated()
        })
    }

    /// The crates that have a manifest under `crates/`, as `crates/NAME`.
    pub(crate) fn crates(&self) -> impl Iterator<Item = &str> {
        self.files()
            .filter_map(|file| file.path.strip_suffix("/Cargo.toml"))
            .filter(|dir| dir.strip_prefix("crates/").is_some_and(|name| !name.contains('/')))
    }
}

impl File {
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }

    /// Whether a program wrote it: such files are compared with their source instead.
    fn is_generated(&self) -> bool {
        self.path.split('/').any(|part| matches!(part, "generated" | "dist"))
    }
}

#[cfg(test)]
impl Tree {
    /// A tree made of paths and texts.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let file = |(path, text): &(&str, &str)| File { path: (*path).into(), text: (*text).into() };
        Self { files: files.iter().map(file).collect() }
    }
}
