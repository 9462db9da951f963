//! Plugins: folders with commands, skills, subagents, hooks and MCP servers, which the command line names.

use std::path::{Path, PathBuf};

use aqueduct_rules::settings::{Toward, line_of, repeated};
use serde_json::Value;

use crate::environment::Environment;
use crate::front_matter::{Unreadable, read_file};

/// Where a plugin says what it is.
pub(crate) const MANIFEST: &str = ".claude-plugin/plugin.json";

/// How long a name may be.
const NAME_LIMIT: usize = 64;

/// Where a plugin lists its MCP servers.
const SERVERS: &str = ".mcp.json";

/// What a manifest may say.
const MEMBERS: &[&str] = &[
    "name",
    "version",
    "description",
    "displayName",
    "author",
    "homepage",
    "repository",
    "license",
    "keywords",
    "mcpServers",
    "$schema",
];

/// What other programs take from a manifest; here the usual folders count.
const FOLDERS_COUNT: &[&str] = &["commands", "agents", "skills", "hooks", "outputStyles", "lspServers"];

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
    /// What is wrong with the manifests of those that are there, with file and line.
    misstated: Vec<String>,
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
                Ok(plugin) => {
                    plugins.misstated.extend(misstated(&plugin.path.join(MANIFEST)));
                    plugins.all.push(plugin);
                }
                Err((kind, message)) => plugins.broken.push(BrokenPlugin { path, kind, message }),
            }
        }
        plugins
    }

    /// What people should know of them.
    pub(crate) fn mistakes(&self) -> Vec<String> {
        let broken = self.broken.iter().map(|broken| {
            // One that names a file is about that.
            let between = if broken.message.starts_with(MANIFEST) { "/" } else { ": " };
            format!("{}{between}{}", broken.path.display(), broken.message)
        });
        let untaken = self.all.iter().flat_map(|plugin| {
            let there = UNKNOWN_HERE.iter().map(|name| plugin.path.join(name)).filter(|file| file.exists());
            there.map(|file| format!("{}: language servers are not started here", file.display()))
        });
        broken.chain(self.misstated.iter().cloned()).chain(untaken).collect()
    }
}

/// What is wrong with a manifest that can be read, with file and line.
fn misstated(file: &Path) -> Vec<String> {
    let Ok(text) = read_file(file) else { return Vec::new() };
    let about: Value = serde_json::from_str(&text).unwrap_or_default();
    let Value::Object(members) = &about else {
        return vec![format!("{}:1: must be an object", file.display())];
    };
    let mut wrong: Vec<(usize, String)> = Vec::new();
    for (name, value) in members {
        let what = match name.as_str() {
            "name" | "version" | "description" if !value.is_string() => "must be a text; it is ignored",
            "mcpServers" if !(value.is_string() || value.is_array() || value.is_object()) => {
                "must be a file, a list of files, or an object of servers"
            }
            name if FOLDERS_COUNT.contains(&name) => "has no effect here: the plugin's usual folders count",
            name if !MEMBERS.contains(&name) => "is not known here and is ignored",
            _ => continue,
        };
        wrong.push((line_of(&text, &[Toward::Member(name)]), format!("{name} {what}")));
    }
    for twice in repeated(&text) {
        let what = format!("{} stands here, and once more on line {}: that one counts", twice.path, twice.by);
        wrong.push((twice.line, what));
    }
    wrong.sort_by_key(|(line, _)| *line);
    wrong.into_iter().map(|(line, what)| format!("{}:{line}: {what}", file.display())).collect()
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
                let wrong = |line: usize, what: String| {
                    ("manifest-invalid", format!("{MANIFEST}:{}: {what}", line.max(1)))
                };
                let unread = |error: Unreadable| wrong(error.line, format!("can't be read: {error}"));
                let text = read_file(&manifest).map_err(unread)?;
                let no_json = |error: serde_json::Error| wrong(error.line(), format!("is no JSON: {error}"));
                serde_json::from_str(&text).map_err(no_json)?
            }
        };
        let text = |key: &str| about.get(key).and_then(Value::as_str).map(str::to_owned);
        let name = text("name").unwrap_or(folder_name);
        let is_fine = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.is_empty() || name.len() > NAME_LIMIT || !name.chars().all(is_fine) {
            let line = read_file(&manifest).map_or(1, |text| line_of(&text, &[Toward::Member("name")]));
            let what = format!(
                "{MANIFEST}:{line}: name must have 1 to {NAME_LIMIT} letters, digits, hyphens, dots and underscores"
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
