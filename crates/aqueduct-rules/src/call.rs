//! The call that is decided.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::repository::Repository;

/// A tool call and what the host knows about the paths in it.
#[derive(Debug, Clone)]
pub struct Call<'a> {
    /// The tool's name on the wire.
    pub tool: &'a str,
    /// Its input.
    pub input: &'a Value,
    /// Where paths really lead, by the path asked for.
    resolved: HashMap<&'a str, Vec<&'a str>>,
    /// What git finds, by the directory it would run in.
    repositories: &'a [(String, Repository)],
    /// Whether it does not matter which repository git uses.
    any_repository: bool,
    /// The paths asked for that lead to folders.
    folders: HashSet<&'a str>,
}

impl<'a> Call<'a> {
    /// A call with nothing known about symlinks.
    pub fn new(tool: &'a str, input: &'a Value) -> Self {
        Self {
            tool,
            input,
            resolved: HashMap::new(),
            folders: HashSet::new(),
            repositories: &[],
            any_repository: false,
        }
    }

    /// The same call with the real paths behind the paths in it: pairs of the path asked for and the path
    /// without symlinks. The paths to resolve are given by [`crate::paths`]. A path that is not listed is
    /// taken as it is written. A path may be listed several times: one with a wildcard leads wherever the
    /// links do that it may match. A real path that ends with a slash is a folder.
    ///
    /// A path that ends with `/**` asks where the links below a folder lead, and one that ends with `/**/*` asks
    /// the same for a program that splits the names below it at spaces. What can't be found out leads to `/`.
    pub fn with_resolved(mut self, resolved: &'a [(String, String)]) -> Self {
        self.resolved.clear();
        self.folders.clear();
        for (asked, real) in resolved {
            let plain = real.trim_end_matches('/');
            if real.ends_with('/') {
                self.folders.insert(asked);
            }
            self.resolved.entry(asked).or_default().push(if plain.is_empty() { "/" } else { plain });
        }
        self
    }

    /// The same call with what git finds in the directories that [`crate::git_directories`] gives. A directory that is
    /// not listed makes a git command in it asked.
    pub fn with_repositories(mut self, repositories: &'a [(String, Repository)]) -> Self {
        self.repositories = repositories;
        self
    }

    /// The same call for a question in which it does not matter where git runs, such as whether a pattern means a
    /// command. What may run is never decided like this.
    pub fn in_any_repository(mut self) -> Self {
        self.any_repository = true;
        self
    }

    /// Whether it does not matter which repository git uses.
    pub(crate) fn ignores_repositories(&self) -> bool {
        self.any_repository
    }

    /// What git finds in a directory, if the host has passed it.
    pub(crate) fn repository(&self, directory: &str) -> Option<&'a Repository> {
        self.repositories.iter().find(|(known, _)| known == directory).map(|(_, repository)| repository)
    }

    /// The same call, with a path that leads where another one does as well.
    pub(crate) fn leading(&self, path: &'a str, like: &str) -> Self {
        let mut call = self.clone();
        let more = call.resolved.get(like).cloned().unwrap_or_default();
        call.resolved.entry(path).or_default().extend(more);
        call
    }

    /// Whether the host has resolved a path.
    pub(crate) fn knows(&self, path: &str) -> bool {
        self.resolved.contains_key(path)
    }

    /// Whether a path may lead to a folder. If the host has not resolved it, a name with an extension is a
    /// file.
    pub(crate) fn may_be_folder(&self, path: &str) -> bool {
        let has_ending =
            || path.rsplit('/').next().is_some_and(|name| name.trim_start_matches('.').contains('.'));
        self.folders.contains(path) || !self.knows(path) && !has_ending()
    }

    /// The path as written, and where it really leads if that is known to be elsewhere.
    pub(crate) fn places<'s>(&'s self, path: &'s str) -> impl Iterator<Item = &'s str> {
        let real = self.resolved.get(path).into_iter().flatten().copied();
        std::iter::once(path).chain(real.filter(move |real| *real != path))
    }
}
