//! Where MCP servers are configured: the command line, the user's records and settings, `.mcp.json` of the project.

mod entry;
mod expand;
mod file;
mod policy;
mod provided;
mod store;

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use aqueduct_mcp::{ServerConfig, ServerRoute, ServerScope, plain_name};
use aqueduct_rules::Source;
use aqueduct_rules::settings::{PathStep, line_of};
use file::{EntryLocation, SERVERS, ServerFile, ServerOrigin};
use policy::forbidden;
use serde_json::Value;
use serde_json::value::RawValue;

pub(crate) use provided::provided_servers;
pub(crate) use store::{McpStoreError, ServerStore, StoreScope};

use crate::configuration::ServerSettings;
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::front_matter::read_settings;
use crate::plugin::Plugin;
use crate::trust::TrustPlaces;

/// The file in which a project lists its servers.
const PROJECT_FILE: &str = ".mcp.json";

/// The variable by which a plugin's servers know where it is.
const PLUGIN_ROOT: &str = "CLAUDE_PLUGIN_ROOT";

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
        /// The error of the operating system.
        error: io::Error,
    },
    /// A text that is none.
    #[error("Invalid MCP configuration: {0}")]
    Text(Diagnostic),
}

/// The folder with the user's sign-ins to servers, beside the trust store.
pub(crate) fn sign_ins_folder(environment: &Environment) -> PathBuf {
    TrustPlaces::of(environment).store.with_file_name("mcp-sign-ins")
}

/// One server that the host configures.
pub(crate) fn read_one(environment: &Environment, name: &str, entry: &Value) -> ServerConfig {
    let at = "mcp_set_servers";
    let spot = EntryLocation { text: None, above: &[] };
    ServerOrigin { name: at, scope: ServerScope::Dynamic, environment, settings: None }
        .config(spot, name, entry)
        .0
}

/// The servers that a subagent defines. Those that settings forbid can't be started, and say so.
pub(crate) fn read_own<'e>(
    environment: &Environment,
    entries: impl Iterator<Item = (&'e str, &'e Value)>,
    settings: ServerSettings<'_>,
) -> Vec<ServerConfig> {
    let configs = entries.map(|(name, entry)| {
        let mut config = read_one(environment, name, entry);
        if let Some(why) = forbidden(settings, &config) {
            config.route = ServerRoute::Wrong(why.to_string());
        }
        config
    });
    configs.collect()
}

/// The servers that are configured.
#[derive(Debug, Default)]
pub(crate) struct ConfiguredServers {
    /// Each name once.
    pub(crate) servers: Vec<ServerConfig>,
    /// Those that the user has switched off.
    pub(crate) off: Vec<String>,
    /// What is wrong in the files, for people.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// What is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ServerConfigSources<'p> {
    /// What the program knows of the machine.
    pub(crate) environment: &'p Environment,
    /// The settings for servers.
    pub(crate) settings: ServerSettings<'p>,
    /// The organisation's file, such as [`MANAGED_SERVERS`].
    pub(crate) managed: &'p Path,
    /// `--mcp-config`: files, or JSON texts.
    pub(crate) given: &'p [String],
    /// The plugins, which may provide servers.
    pub(crate) plugins: &'p [Plugin],
    /// `--strict-mcp-config`: nothing but `given`.
    pub(crate) is_strict: bool,
}

impl<'p> ServerConfigSources<'p> {
    /// The origin of a text whose servers have to be approved of where a project provides them.
    fn origin<'o>(self, name: &'o str, scope: ServerScope) -> ServerOrigin<'o>
    where
        'p: 'o,
    {
        ServerOrigin { name, scope, environment: self.environment, settings: Some(self.settings) }
    }
}

impl ConfiguredServers {
    /// Collects the servers of all sources. Of several with one name, the source with the highest precedence counts:
    /// the command line, then the user's configuration for this project, the project, and the user.
    pub(crate) fn read(places: ServerConfigSources<'_>) -> Result<Self, SourceError> {
        let mut sources = ConfiguredServers::default();
        if places.managed.exists() {
            sources.add_file(places, places.managed, ServerScope::Enterprise);
            let mut others = ConfiguredServers::default();
            others.add_given(places)?;
            sources.add_those_of_the_host(others);
            return Ok(sources);
        }
        if !places.is_strict {
            sources.add_plugins(places);
            sources.add_user(places);
            sources.add_project(places);
            sources.add_local(places);
        }
        sources.add_settings(places, Source::FlagSettings, ServerScope::Dynamic);
        sources.add_given(places)?;
        sources.hold_to_policy(places.settings);
        let is_off = |server: &&ServerConfig| {
            let is_rejected =
                || server.scope == ServerScope::Project && places.settings.rejects(&server.name);
            places.settings.is_off(&server.name) || is_rejected()
        };
        sources.off = sources.servers.iter().filter(is_off).map(|server| server.name.clone()).collect();
        sources.drop_ambiguous();
        Ok(sources)
    }

    /// The servers of plugins: in a file of their own, or in the manifest.
    fn add_plugins(&mut self, places: ServerConfigSources<'_>) {
        for plugin in places.plugins.iter().filter(|plugin| plugin.brings_servers) {
            let mut environment = places.environment.clone();
            environment.extend([(PLUGIN_ROOT.to_owned(), plugin.path.display().to_string())]);
            for file in plugin.server_files() {
                let name = file.display().to_string();
                let origin = ServerOrigin {
                    name: &name,
                    scope: ServerScope::Plugin,
                    environment: &environment,
                    settings: None,
                };
                let found = match std::fs::read_to_string(&file) {
                    Ok(text) => origin.read_plugin(&text),
                    Err(error) => Err(Diagnostic::warning(format!("{name} can't be read: {error}"))),
                };
                self.take(found.map(|found| found.of_plugin(plugin)));
            }
        }
    }

    fn add_user(&mut self, places: ServerConfigSources<'_>) {
        if !places.settings.counts(Source::UserSettings) {
            return;
        }
        self.add_settings(places, Source::UserSettings, ServerScope::User);
        let servers = places.settings.records().of_user(SERVERS);
        self.add_records(places, ServerScope::User, servers, &[PathStep::Member(SERVERS)]);
    }

    /// What the project brings has to be approved. The nearest folder takes precedence.
    fn add_project(&mut self, places: ServerConfigSources<'_>) {
        if !places.settings.counts(Source::ProjectSettings) {
            return;
        }
        let folders: Vec<&Path> = places.environment.cwd.ancestors().collect();
        for folder in folders.into_iter().rev() {
            self.add_file(places, &folder.join(PROJECT_FILE), ServerScope::Project);
        }
        self.add_settings(places, Source::ProjectSettings, ServerScope::Project);
    }

    fn add_local(&mut self, places: ServerConfigSources<'_>) {
        if !places.settings.counts(Source::LocalSettings) {
            return;
        }
        // The local settings file is in the project folder, so a repository can bring it: its servers are asked about.
        self.add_settings(places, Source::LocalSettings, ServerScope::Project);
        let records = places.settings.records();
        let above =
            [PathStep::Member("projects"), PathStep::Member(records.project()), PathStep::Member(SERVERS)];
        self.add_records(places, ServerScope::Local, records.of_project(SERVERS), &above);
    }

    /// The servers in an object of the user's records, which is at the path `above`.
    fn add_records(
        &mut self,
        places: ServerConfigSources<'_>,
        scope: ServerScope,
        servers: Option<&RawValue>,
        above: &[PathStep<'_>],
    ) {
        let Some(servers) = servers else { return };
        let records = places.settings.records();
        let name = records.path.display().to_string();
        self.take(places.origin(&name, scope).servers(&records.text, above, servers));
    }

    /// The servers of `--mcp-config`. Who names a file there wants it: what can't be read is an error.
    fn add_given(&mut self, places: ServerConfigSources<'_>) -> Result<(), SourceError> {
        for given in places.given {
            let path = places.environment.cwd.join(given);
            let (name, text) = if given.trim_start().starts_with('{') {
                ("--mcp-config".to_owned(), given.clone())
            } else {
                let text = std::fs::read_to_string(&path);
                let text = text.map_err(|error| SourceError::File { path: path.clone(), error })?;
                (path.display().to_string(), text)
            };
            let origin = places.origin(&name, ServerScope::Dynamic);
            self.add(origin.read(&text).map_err(SourceError::Text)?);
        }
        Ok(())
    }

    /// Where only the organisation's servers count, those that the host brings itself count as well.
    fn add_those_of_the_host(&mut self, others: ConfiguredServers) {
        for server in others.servers {
            if server.route == ServerRoute::Host {
                self.servers.push(server);
            } else {
                self.warnings.push(unconnected(&server.name, "only the list of the organisation is used"));
            }
        }
    }

    fn add_file(&mut self, places: ServerConfigSources<'_>, file: &Path, scope: ServerScope) {
        let name = file.display().to_string();
        match read_settings(file) {
            Ok(text) => self.take(places.origin(&name, scope).read(&text)),
            Err(error) if error.is_absent => {}
            Err(error) => self.warnings.push(error.describe(file).as_warning()),
        }
    }

    /// The servers in a settings file itself.
    fn add_settings(&mut self, places: ServerConfigSources<'_>, source: Source, scope: ServerScope) {
        let configured = places.settings.configured(places.environment);
        for set in configured.into_iter().filter(|set| set.source == source) {
            let name = set.file.display().to_string();
            let origin = places.origin(&name, scope);
            let above = [PathStep::Member(SERVERS)];
            let Value::Object(servers) = set.servers else {
                let line = line_of(set.text, &above);
                let what = format!("`{SERVERS}` must be an object of servers by name");
                self.warnings.push(Diagnostic::warning(what).of(name).at_line(line));
                continue;
            };
            for (server, entry) in servers {
                let spot = EntryLocation { text: Some(set.text), above: &above };
                let (config, warnings) = origin.config(spot, server, entry);
                self.add(ServerFile { servers: vec![config], warnings });
            }
        }
    }

    fn hold_to_policy(&mut self, settings: ServerSettings<'_>) {
        for server in &mut self.servers {
            if let Some(why) = forbidden(settings, server) {
                self.warnings.push(unconnected(&server.name, why));
                server.route = ServerRoute::Wrong(why.to_string());
                server.asks = None;
            }
        }
    }

    /// Two servers whose names a model could not tell apart are one too many.
    fn drop_ambiguous(&mut self) {
        let mut names: Vec<(String, String)> = Vec::new();
        for server in &mut self.servers {
            let plain = plain_name(&server.name);
            match names.iter().find(|(known, _)| *known == plain) {
                Some((_, other)) => {
                    let why = format!(
                        "its tools could not be distinguished from those of {other:?}: give it another name"
                    );
                    self.warnings.push(unconnected(&server.name, &why));
                    server.route = ServerRoute::Wrong(why);
                    server.asks = None;
                }
                None => names.push((plain, server.name.clone())),
            }
        }
    }

    fn take(&mut self, found: Result<ServerFile, Diagnostic>) {
        match found {
            Ok(found) => self.add(found),
            Err(problem) => self.warnings.push(problem),
        }
    }

    fn add(&mut self, found: ServerFile) {
        for server in found.servers {
            match self.servers.iter_mut().find(|known| known.name == server.name) {
                Some(known) => *known = server,
                None => self.servers.push(server),
            }
        }
        self.warnings.extend(found.warnings);
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.servers.is_empty()
    }

    /// The same with one server alone.
    pub(crate) fn only(mut self, name: &str) -> Self {
        self.servers.retain(|server| server.name == name);
        self
    }
}

fn unconnected(server: &str, why: impl Display) -> Diagnostic {
    Diagnostic::warning(format!("the MCP server {server:?} is not connected: {why}"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{ConfiguredServers, ServerConfigSources};
    use crate::configuration::{Configuration, SettingsSources};
    use crate::environment::Environment;

    #[test]
    fn managed_settings_override_all_but_the_host() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        let managed = root.join("managed-mcp.json");
        std::fs::write(&managed, r#"{"mcpServers":{"theirs":{"command":"x"}}}"#).unwrap();
        std::fs::write(root.join(".mcp.json"), r#"{"mcpServers":{"project":{"command":"x"}}}"#).unwrap();
        let environment = Environment {
            cwd: root.clone(),
            home: root.join("home"),
            config: root.join("home/.claude"),
            temporary: root,
            variables: Vec::new(),
            guard: Vec::new(),
        };
        let nothing = Path::new("/nonexistent");
        let settings =
            SettingsSources { managed: nothing, given_policy: None, settings: None, setting_sources: None };
        let configuration = Configuration::read(&environment, settings).unwrap();
        let given = r#"{"mcpServers":{"host":{"type":"sdk","name":"host"},"given":{"command":"x"}}}"#;
        let read = |managed: &Path| {
            let sources = ConfiguredServers::read(ServerConfigSources {
                environment: &environment,
                settings: configuration.servers(),
                managed,
                given: &[given.to_owned()],
                plugins: &[],
                is_strict: false,
            });
            let sources = sources.unwrap();
            let names: Vec<String> = sources.servers.iter().map(|server| server.name.clone()).collect();
            (names, sources.warnings.len())
        };
        assert_eq!(read(&managed), (vec!["theirs".to_owned(), "host".to_owned()], 1));
        let all = ["project", "host", "given"].map(str::to_owned).to_vec();
        assert_eq!(read(nothing).0.len(), all.len());
    }
}
