//! Plugins: folders with commands, skills, subagents, hooks and MCP servers, which the command line names.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::environment::Environment;
use crate::front_matter::read_file;

/// Where a plugin says what it is.
pub(crate) const MANIFEST: &str = ".claude-plugin/plugin.json";

/// How long a name may be.
const NAME_LIMIT: usize = 64;

/// Where a plugin lists its MCP servers.
const SERVERS: &str = ".mcp.json";

/// What a plugin may bring, and the agent does not take.
const UNKNOWN_HERE: &[&str] = &[".lsp.json"];

/// A plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plugin {
    /// What it is called. The names of what it brings begin with that.
    pub(crate) name: String,
    /// Its folder.
    pub(crate) path: PathBuf,
    /// Its version, if it has one.
    pub(crate) version: Option<String>,
    /// Whether its MCP servers are the agent's business.
    pub(crate) brings_servers: bool,
    /// Files with MCP servers that its manifest names.
    server_files: Vec<PathBuf>,
}

/// A plugin that can't be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BrokenPlugin {
    /// The folder that was named.
    pub(crate) path: PathBuf,
    /// What kind of fault it is, for hosts.
    pub(crate) kind: &'static str,
    /// What is wrong.
    pub(crate) message: String,
}

/// The plugins of a session.
#[derive(Debug, Default)]
pub(crate) struct Plugins {
    /// Those that are there.
    pub(crate) all: Vec<Plugin>,
    /// Those that are not.
    pub(crate) broken: Vec<BrokenPlugin>,
}

impl Plugins {
    /// Looks at the folders that were named. Of two with one name the first counts.
    pub(crate) fn read(environment: &Environment, folders: &[PathBuf], without_mcp: &[PathBuf]) -> Self {
        let mut plugins = Plugins::default();
        let all = folders.iter().map(|folder| (folder, true));
        for (folder, brings_servers) in all.chain(without_mcp.iter().map(|folder| (folder, false))) {
            let path = environment.cwd.join(folder);
            match Plugin::read(&path, brings_servers) {
                Ok(plugin) if plugins.all.iter().any(|known| known.name == plugin.name) => {
                    let message = format!("there is another plugin {:?}; this one is left out", plugin.name);
                    plugins.broken.push(BrokenPlugin { path, kind: "duplicate-name", message });
                }
                Ok(plugin) => plugins.all.push(plugin),
                Err((kind, message)) => plugins.broken.push(BrokenPlugin { path, kind, message }),
            }
        }
        plugins
    }

    /// What people should know of them.
    pub(crate) fn mistakes(&self) -> Vec<String> {
        let broken =
            self.broken.iter().map(|broken| format!("{}: {}", broken.path.display(), broken.message));
        let untaken = self.all.iter().flat_map(|plugin| {
            let there = UNKNOWN_HERE.iter().map(|name| plugin.path.join(name)).filter(|file| file.exists());
            there.map(|file| format!("{}: language servers are not started here", file.display()))
        });
        broken.chain(untaken).collect()
    }
}

impl Plugin {
    fn read(path: &Path, brings_servers: bool) -> Result<Self, (&'static str, String)> {
        if !path.is_dir() {
            return Err(("path-not-found", "there is no such folder".to_owned()));
        }
        let folder_name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let manifest = path.join(MANIFEST);
        // One that says nothing of itself is called as its folder is.
        let about = match manifest.exists() {
            false => Value::Null,
            true => {
                let wrong = |error: String| ("manifest-invalid", format!("{MANIFEST}: {error}"));
                let text = read_file(&manifest).map_err(|error| wrong(error.to_string()))?;
                serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?
            }
        };
        let text = |key: &str| about.get(key).and_then(Value::as_str).map(str::to_owned);
        let name = text("name").unwrap_or(folder_name);
        let is_fine = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.is_empty() || name.len() > NAME_LIMIT || !name.chars().all(is_fine) {
            let what = format!(
                "its name must have 1 to {NAME_LIMIT} letters, digits, hyphens, dots and underscores"
            );
            return Err(("manifest-invalid", what));
        }
        let named = match about.get("mcpServers") {
            Some(Value::String(file)) => vec![path.join(file)],
            Some(Value::Array(files)) => {
                files.iter().filter_map(Value::as_str).map(|file| path.join(file)).collect()
            }
            _ => Vec::new(),
        };
        let (path, version) = (path.to_owned(), text("version"));
        Ok(Plugin { name, path, version, brings_servers, server_files: named })
    }

    /// The files that may list MCP servers.
    pub(crate) fn server_files(&self) -> Vec<PathBuf> {
        let usual =
            [self.path.join(MANIFEST), self.path.join(SERVERS)].into_iter().filter(|file| file.exists());
        usual.chain(self.server_files.iter().cloned()).collect()
    }

    /// A name of something that it brings, as people and models call it.
    pub(crate) fn named(&self, name: &str) -> String {
        format!("{}:{name}", self.name)
    }
}
