//! Where servers are configured: the command line, the user's records and settings, `.mcp.json` of the project.

mod entry;
mod expand;
mod file;
mod policy;

use std::io;
use std::path::{Path, PathBuf};

use aqueduct_rules::Source;
use file::{Found, Origin};
use serde_json::Value;

use super::config::{Config, Route, Scope};
use crate::configuration::ServerSettings;
use crate::environment::Environment;

/// The file in which a project lists its servers.
const PROJECT_FILE: &str = ".mcp.json";

/// Where an organisation's servers are on this system. Where that file is, there are no others.
pub(crate) const MANAGED_SERVERS: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode/managed-mcp.json"
} else {
    "/etc/claude-code/managed-mcp.json"
};

/// `--mcp-config` is of no use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SourceError {
    /// A file that can't be read.
    #[error("Invalid MCP configuration: {} can't be read: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A text that is none.
    #[error("Invalid MCP configuration: {0}")]
    Text(String),
}

/// One server that the host configures.
pub(super) fn read_one(environment: &Environment, name: &str, entry: &Value) -> Config {
    let at = "mcp_set_servers";
    Origin { name: at, scope: Scope::Dynamic, environment }.config(at, name, entry).0
}

/// The servers that are configured.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// Each name once.
    pub(super) servers: Vec<Config>,
    /// Those that the user has switched off.
    pub(super) off: Vec<String>,
    /// What is wrong in the files, for people.
    pub(crate) warnings: Vec<String>,
}

/// What is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places<'p> {
    /// What the program knows of the machine.
    pub(crate) environment: &'p Environment,
    /// What settings say.
    pub(crate) settings: ServerSettings<'p>,
    /// The organisation's file, such as [`MANAGED_SERVERS`].
    pub(crate) managed: &'p Path,
    /// `--mcp-config`: files, or JSON texts.
    pub(crate) given: &'p [String],
    /// `--strict-mcp-config`: nothing but `given`.
    pub(crate) is_strict: bool,
}

impl Sources {
    /// Gathers the servers of all places. Of several with one name the nearest counts: what the command line
    /// says, then what the user says for this project, the project, and the user.
    pub(crate) fn read(places: Places<'_>) -> Result<Self, SourceError> {
        let mut sources = Sources::default();
        if places.managed.exists() {
            sources.add_file(places, places.managed, Scope::Enterprise);
            for given in places.given {
                let what = "the organisation's list of MCP servers is the only one that counts";
                sources.warnings.push(format!("--mcp-config {given}: ignored, because {what}"));
            }
            return Ok(sources);
        }
        if !places.is_strict {
            sources.add_user(places);
            sources.add_project(places);
            sources.add_local(places);
        }
        sources.add_settings(places, Source::FlagSettings, Scope::Dynamic);
        sources.add_given(places)?;
        sources.hold_to_policy(places.settings);
        let names = sources.servers.iter().map(|server| server.name.clone());
        sources.off = names.filter(|name| places.settings.is_off(name)).collect();
        Ok(sources)
    }

    fn add_user(&mut self, places: Places<'_>) {
        if !places.settings.counts(Source::UserSettings) {
            return;
        }
        self.add_settings(places, Source::UserSettings, Scope::User);
        let records = places.settings.records();
        if let Some(servers) = records.of_user("mcpServers") {
            let name = records.path.display().to_string();
            let origin = Origin { name: &name, scope: Scope::User, environment: places.environment };
            self.take(origin.servers(&records.text, servers));
        }
    }

    /// What the project brings has to be approved. The nearest folder has the last word.
    fn add_project(&mut self, places: Places<'_>) {
        if !places.settings.counts(Source::ProjectSettings) {
            return;
        }
        let folders: Vec<&Path> = places.environment.cwd.ancestors().collect();
        for folder in folders.into_iter().rev() {
            self.add_file(places, &folder.join(PROJECT_FILE), Scope::Project);
        }
        self.add_settings(places, Source::ProjectSettings, Scope::Project);
        for server in self.servers.iter_mut().filter(|server| server.scope == Scope::Project) {
            if places.settings.rejects(&server.name) {
                server.route =
                    Route::Wrong("`disabledMcpjsonServers` in the settings switches it off".to_owned());
                server.asks = None;
            } else if places.settings.approves(&server.name) {
                server.asks = None;
            }
        }
    }

    fn add_local(&mut self, places: Places<'_>) {
        if !places.settings.counts(Source::LocalSettings) {
            return;
        }
        self.add_settings(places, Source::LocalSettings, Scope::Local);
        let records = places.settings.records();
        if let Some(servers) = records.of_project("mcpServers") {
            let name = records.path.display().to_string();
            let origin = Origin { name: &name, scope: Scope::Local, environment: places.environment };
            self.take(origin.servers(&records.text, servers));
        }
    }

    /// The servers of `--mcp-config`. Who names a file there wants it: what can't be read is an error.
    fn add_given(&mut self, places: Places<'_>) -> Result<(), SourceError> {
        for given in places.given {
            let path = places.environment.cwd.join(given);
            let (name, text) = if given.trim_start().starts_with('{') {
                ("--mcp-config".to_owned(), given.clone())
            } else {
                let text = std::fs::read_to_string(&path);
                let text = text.map_err(|error| SourceError::File { path: path.clone(), error })?;
                (path.display().to_string(), text)
            };
            let origin = Origin { name: &name, scope: Scope::Dynamic, environment: places.environment };
            self.add(origin.read(&text).map_err(SourceError::Text)?);
        }
        Ok(())
    }

    fn add_file(&mut self, places: Places<'_>, file: &Path, scope: Scope) {
        let name = file.display().to_string();
        match std::fs::read_to_string(file) {
            Ok(text) => self.take(Origin { name: &name, scope, environment: places.environment }.read(&text)),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {}
            Err(error) => self.warnings.push(format!("{name} can't be read: {error}")),
        }
    }

    /// The servers in a settings file itself.
    fn add_settings(&mut self, places: Places<'_>, source: Source, scope: Scope) {
        for (_, file, servers) in
            places.settings.configured(places.environment).into_iter().filter(|(found, ..)| *found == source)
        {
            let name = file.display().to_string();
            let origin = Origin { name: &name, scope, environment: places.environment };
            let Value::Object(servers) = servers else {
                self.warnings.push(format!("{name}: `mcpServers` must be an object of servers by name"));
                continue;
            };
            for (server, entry) in servers {
                let (config, warnings) = origin.config(&name, server, entry);
                self.add(Found { servers: vec![config], warnings });
            }
        }
    }

    fn hold_to_policy(&mut self, settings: ServerSettings<'_>) {
        for server in &mut self.servers {
            if let Some(why) = policy::forbidden(settings, server) {
                self.warnings.push(format!("the MCP server {:?} is not connected: {why}", server.name));
                server.route = Route::Wrong(why);
                server.asks = None;
            }
        }
    }

    fn take(&mut self, found: Result<Found, String>) {
        match found {
            Ok(found) => self.add(found),
            Err(problem) => self.warnings.push(problem),
        }
    }

    fn add(&mut self, found: Found) {
        for server in found.servers {
            self.servers.retain(|known| known.name != server.name);
            self.servers.push(server);
        }
        self.warnings.extend(found.warnings);
    }
}
