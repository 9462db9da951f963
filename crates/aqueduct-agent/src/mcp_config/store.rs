//! The files that servers are added to and removed from.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use aqueduct_rules::settings::{remove_member, set_member};
use aqueduct_tools::file::{FileError, Precondition, put_private, replace};
use aqueduct_wire::hint::{Hint, HintedError};

use super::PROJECT_FILE;
use super::file::SERVERS;
use crate::configuration::{ObjectMembers, ProjectRecords, plain};
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::front_matter::read_settings;

/// The lists in which other programs of this kind keep what the user said about servers of a project.
const CHOICES: [&str; 3] = ["enabledMcpjsonServers", "disabledMcpjsonServers", "enableAllProjectMcpServers"];

/// Where a server can be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoreScope {
    /// The user's records, for one project.
    Local,
    /// `.mcp.json` of the project.
    Project,
    /// The user's records, for all projects.
    User,
}

impl StoreScope {
    /// All of them; of two servers with one name, that of the first counts.
    pub(crate) const ALL: [StoreScope; 3] = [StoreScope::Local, StoreScope::Project, StoreScope::User];

    /// The name, as options have it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            StoreScope::Local => "local",
            StoreScope::Project => "project",
            StoreScope::User => "user",
        }
    }

    /// The same for people.
    pub(crate) fn described(self) -> &'static str {
        match self {
            StoreScope::Local => "Local config (private to you in this project)",
            StoreScope::Project => "Project config (shared via .mcp.json)",
            StoreScope::User => "User config (available in all your projects)",
        }
    }
}

/// Why servers can't be listed, stored or removed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum McpStoreError {
    /// A file can't be read.
    #[error("{0}")]
    Unreadable(Diagnostic),
    /// A file is not valid JSON.
    #[error("{}:{}: is not valid JSON: {error}", file.display(), error.line())]
    Json {
        /// The file.
        file: PathBuf,
        /// Where and why.
        error: serde_json::Error,
    },
    /// The text of a file can't be changed.
    #[error(transparent)]
    Edit(#[from] aqueduct_rules::Error),
    /// The folder of a file can't be made or opened.
    #[error("{} can't be written: {error}", file.display())]
    Folder {
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A file can't be replaced.
    #[error(transparent)]
    File(#[from] FileError),
}

impl HintedError for McpStoreError {
    fn hint(&self) -> Option<Hint> {
        match self {
            McpStoreError::Json { .. } => Some(Hint::sentence("Fix the file, then try again")),
            McpStoreError::File(error) => error.hint(),
            McpStoreError::Edit(error) => error.hint(),
            McpStoreError::Unreadable(_) | McpStoreError::Folder { .. } => None,
        }
    }
}

/// The files with servers.
#[derive(Debug)]
pub(crate) struct ServerStore {
    /// The user's records.
    records: PathBuf,
    /// The project's name in them.
    project: String,
    /// The project's folder.
    folder: PathBuf,
}

impl ServerStore {
    /// The files for a working directory.
    pub(crate) fn of(environment: &Environment) -> Self {
        ServerStore {
            records: ProjectRecords::file(environment),
            project: environment.cwd.to_string_lossy().into_owned(),
            folder: environment.cwd.clone(),
        }
    }

    /// The file of a scope, for people.
    pub(crate) fn place(&self, scope: StoreScope) -> String {
        match scope {
            StoreScope::Local => format!("{} [project: {}]", self.records.display(), self.project),
            StoreScope::Project => self.file(scope).display().to_string(),
            StoreScope::User => self.records.display().to_string(),
        }
    }

    fn file(&self, scope: StoreScope) -> PathBuf {
        match scope {
            StoreScope::Local | StoreScope::User => self.records.clone(),
            StoreScope::Project => self.folder.join(PROJECT_FILE),
        }
    }

    /// The way to the servers in that file.
    fn way(&self, scope: StoreScope) -> Vec<&str> {
        match scope {
            StoreScope::Local => vec!["projects", &self.project, SERVERS],
            StoreScope::Project | StoreScope::User => vec![SERVERS],
        }
    }

    /// The servers of a scope by name, each as its file writes it. Those of a project's folder are followed by those of
    /// the folders above it.
    pub(crate) fn entries(&self, scope: StoreScope) -> Result<Vec<(String, String)>, McpStoreError> {
        let mut entries = self.entries_of(scope, &self.file(scope))?;
        let above = self.folder.ancestors().skip(1).filter(|_| scope == StoreScope::Project);
        for folder in above {
            for (name, entry) in self.entries_of(scope, &folder.join(PROJECT_FILE))? {
                if entries.iter().all(|(known, _)| *known != name) {
                    entries.push((name, entry));
                }
            }
        }
        Ok(entries)
    }

    fn entries_of(&self, scope: StoreScope, file: &Path) -> Result<Vec<(String, String)>, McpStoreError> {
        let text = plain(&read(file)?);
        if text.trim().is_empty() {
            return Ok(Vec::new());
        }
        serde_json::from_str::<serde::de::IgnoredAny>(&text)
            .map_err(|error| McpStoreError::Json { file: file.to_owned(), error })?;
        let mut members = ObjectMembers::of(&text);
        for name in self.way(scope) {
            members = match members.get(name) {
                Some(below) => ObjectMembers::of(below.get()),
                None => return Ok(Vec::new()),
            };
        }
        Ok(members.iter().map(|(name, entry)| (name.to_owned(), entry.get().to_owned())).collect())
    }

    /// Stores a server; `entry` is JSON in lines.
    pub(crate) fn add(&self, scope: StoreScope, name: &str, entry: &str) -> Result<(), McpStoreError> {
        let mut way = self.way(scope);
        way.push(name);
        self.change(scope, |file, text| set_member(file, text, &way, entry).map(Some))?;
        Ok(())
    }

    /// Removes a server; whether it was there.
    pub(crate) fn remove(&self, scope: StoreScope, name: &str) -> Result<bool, McpStoreError> {
        let mut way = self.way(scope);
        way.push(name);
        self.change(scope, |file, text| remove_member(file, text, &way))
    }

    /// Removes the user's recorded choices about servers of the project.
    pub(crate) fn forget_choices(&self) -> Result<(), McpStoreError> {
        for choice in CHOICES {
            self.change(StoreScope::Local, |file, text| {
                remove_member(file, text, &["projects", &self.project, choice])
            })?;
        }
        Ok(())
    }

    /// Changes a file as a whole or not at all; whether there was anything to change.
    fn change(
        &self,
        scope: StoreScope,
        edit: impl FnOnce(&str, &str) -> Result<Option<String>, aqueduct_rules::Error>,
    ) -> Result<bool, McpStoreError> {
        let file = self.file(scope);
        // The records may be a link to where the user keeps them. That of a checkout is not followed.
        let file = match scope {
            StoreScope::Local | StoreScope::User => fs::canonicalize(&file).unwrap_or(file),
            StoreScope::Project => file,
        };
        let failed = |error| McpStoreError::Folder { file: file.clone(), error };
        let folder = file.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder).map_err(failed)?;
        let others_wait = File::open(folder).map_err(failed)?;
        // A file system without locks does without.
        let _ = others_wait.lock();
        let before = read(&file)?;
        let after = edit(&file.display().to_string(), &before)?;
        let Some(after) = after else { return Ok(false) };
        let is_new_and_private = scope != StoreScope::Project && !file.exists();
        match is_new_and_private {
            true => put_private(&file, after.as_bytes()),
            false => replace(&file, after.as_bytes(), Precondition::Anything).map(drop),
        }?;
        Ok(true)
    }
}

/// The text of a file; empty, where there is none.
fn read(file: &Path) -> Result<String, McpStoreError> {
    match read_settings(file) {
        Ok(text) => Ok(text),
        Err(error) if error.is_absent => Ok(String::new()),
        Err(error) => Err(McpStoreError::Unreadable(error.describe(file))),
    }
}
