//! Plugins: folders with commands, skills, subagents, hooks and MCP servers, which the command line names.

use std::path::{Path, PathBuf};

use aqueduct_rules::settings::{PathStep, line_of, repeated};
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::front_matter::{UnreadableFile, read_file};

/// The path of a plugin's manifest.
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

/// A plugin that can't be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BrokenPlugin {
    /// The folder that was named.
    pub(crate) path: PathBuf,
    /// What is wrong.
    pub(crate) fault: PluginFault,
}

/// Why a plugin can't be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PluginFault {
    /// Its folder does not exist.
    NoFolder,
    /// Another plugin of this name counts.
    Duplicate(String),
    /// Its manifest is of no use.
    Manifest {
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        what: String,
    },
}

impl PluginFault {
    /// The name of the fault, for hosts.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            PluginFault::NoFolder => "path-not-found",
            PluginFault::Duplicate(_) => "duplicate-name",
            PluginFault::Manifest { .. } => "manifest-invalid",
        }
    }

    /// What is wrong, with the place in the plugin's folder.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        match self {
            PluginFault::NoFolder => Diagnostic::problem("there is no such folder"),
            PluginFault::Duplicate(name) => Diagnostic::problem(format!("there is another plugin {name:?}"))
                .clause("this one is left out"),
            PluginFault::Manifest { line, what } => {
                Diagnostic::problem(what.as_str()).of(MANIFEST).at_line(*line)
            }
        }
    }
}

impl BrokenPlugin {
    /// What people should know of it: about its folder, or about the manifest in it.
    fn diagnostic(&self) -> Diagnostic {
        let file = match self.fault {
            PluginFault::Manifest { .. } => self.path.join(MANIFEST),
            PluginFault::NoFolder | PluginFault::Duplicate(_) => self.path.clone(),
        };
        self.fault.diagnostic().in_file(&file)
    }
}

/// The plugins of a session.
#[derive(Debug, Default)]
pub(crate) struct Plugins {
    /// Those that are there.
    pub(crate) all: Vec<Plugin>,
    /// Those that are not.
    pub(crate) broken: Vec<BrokenPlugin>,
    /// What is wrong with the manifests of those that are there, with file and line.
    misstated: Vec<Diagnostic>,
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
                    plugins.broken.push(BrokenPlugin { path, fault: PluginFault::Duplicate(plugin.name) });
                }
                Ok(plugin) => {
                    plugins.misstated.extend(misstated(&plugin.path.join(MANIFEST)));
                    plugins.all.push(plugin);
                }
                Err(fault) => plugins.broken.push(BrokenPlugin { path, fault }),
            }
        }
        plugins
    }

    /// What people should know of them.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        let broken = self.broken.iter().map(BrokenPlugin::diagnostic);
        let untaken = self.all.iter().flat_map(|plugin| {
            let there = UNKNOWN_HERE.iter().map(|name| plugin.path.join(name)).filter(|file| file.exists());
            there.map(|file| Diagnostic::problem("language servers are not started here").in_file(&file))
        });
        broken.chain(self.misstated.iter().cloned()).chain(untaken).collect()
    }
}

/// What is wrong with a manifest that can be read, with file and line.
fn misstated(file: &Path) -> Vec<Diagnostic> {
    let Ok(text) = read_file(file) else { return Vec::new() };
    let about: Value = serde_json::from_str(&text).unwrap_or_default();
    let Value::Object(members) = &about else {
        return vec![Diagnostic::problem("must be an object").in_file(file).at_line(1)];
    };
    let mut wrong: Vec<Diagnostic> = Vec::new();
    for (name, value) in members {
        let what = match name.as_str() {
            "name" | "version" | "description" if !value.is_string() => {
                Diagnostic::problem(format!("{name} must be a text")).ignored()
            }
            "mcpServers" if !(value.is_string() || value.is_array() || value.is_object()) => {
                format!("{name} must be a file, a list of files, or an object of servers").into()
            }
            name if FOLDERS_COUNT.contains(&name) => {
                format!("{name} has no effect here: the plugin's usual folders count").into()
            }
            name if !MEMBERS.contains(&name) => format!("{name} is not known here and is ignored").into(),
            _ => continue,
        };
        wrong.push(what.at_line(line_of(&text, &[PathStep::Member(name)])));
    }
    wrong.extend(repeated(&text).into_iter().map(Diagnostic::from));
    wrong.sort_by_key(Diagnostic::line);
    wrong.into_iter().map(|wrong| wrong.in_file(file)).collect()
}

impl Plugin {
    fn read(path: &Path, brings_servers: bool) -> Result<Self, PluginFault> {
        if !path.is_dir() {
            return Err(PluginFault::NoFolder);
        }
        let folder_name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let manifest = path.join(MANIFEST);
        // A plugin without a manifest is named after its folder.
        let about = match manifest.exists() {
            false => Value::Null,
            true => {
                let wrong = |line: usize, what: String| PluginFault::Manifest { line: line.max(1), what };
                let unread = |error: UnreadableFile| wrong(error.line, format!("can't be read: {error}"));
                let text = read_file(&manifest).map_err(unread)?;
                let no_json =
                    |error: serde_json::Error| wrong(error.line(), format!("is not valid JSON: {error}"));
                serde_json::from_str(&text).map_err(no_json)?
            }
        };
        let text = |key: &str| about.get(key).and_then(Value::as_str).map(str::to_owned);
        let name = text("name").unwrap_or(folder_name);
        let is_fine = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.is_empty() || name.len() > NAME_LIMIT || !name.chars().all(is_fine) {
            let line = read_file(&manifest).map_or(1, |text| line_of(&text, &[PathStep::Member("name")]));
            let what =
                format!("name must have 1 to {NAME_LIMIT} letters, digits, hyphens, dots and underscores");
            return Err(PluginFault::Manifest { line, what });
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
