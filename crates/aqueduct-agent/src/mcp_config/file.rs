use std::path::Path;

use aqueduct_mcp::{ServerConfig, ServerRoute, ServerScope, SignInSettings, entry_id};
use aqueduct_rules::settings::{PathStep, line_of, repeated};
use serde_json::Value;
use serde_json::value::RawValue;

use super::PLUGIN_ROOT;
use super::entry::{self, EntryFault};
use crate::configuration::{ObjectMembers, ServerSettings, plain};
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::plugin::{MANIFEST, Plugin};
use crate::provision::provided_server;

/// The member with the servers.
pub(super) const SERVERS: &str = "mcpServers";

/// Servers that a text configures, and what is wrong with it. What is right counts.
#[derive(Debug, Default)]
pub(super) struct ServerFile {
    pub(super) servers: Vec<ServerConfig>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl ServerFile {
    /// The same as a plugin's, which programs know the folder of.
    pub(super) fn of_plugin(mut self, plugin: &Plugin) -> Self {
        for server in &mut self.servers {
            server.name = format!("plugin:{}:{}", plugin.name, server.name);
            if let ServerRoute::Program { variables, .. } = &mut server.route {
                variables.push((PLUGIN_ROOT.to_owned(), plugin.path.display().to_string()));
            }
        }
        self
    }
}

/// Where a text is from.
#[derive(Debug, Clone, Copy)]
pub(super) struct ServerOrigin<'o> {
    /// The file, or the flag, for messages.
    pub(super) name: &'o str,
    pub(super) scope: ServerScope,
    pub(super) environment: &'o Environment,
    /// What the user approves of, of the servers that a project provides.
    pub(super) settings: Option<ServerSettings<'o>>,
}

/// The location of an entry, for messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntryLocation<'s> {
    /// The text that contains it, if that has lines.
    pub(super) text: Option<&'s str>,
    /// The path to the object of servers in it.
    pub(super) above: &'s [PathStep<'s>],
}

impl ServerOrigin<'_> {
    /// Reads a text with `mcpServers` in it. An error means that nothing of it can be used.
    pub(super) fn read(self, text: &str) -> Result<ServerFile, Diagnostic> {
        let text = plain(text);
        let root: ObjectMembers<'_> = serde_json::from_str(&text).map_err(|error| self.misread(&error))?;
        let Some(servers) = root.get(SERVERS) else {
            return Err(self.wrong(1, format!("there is no `{SERVERS}` in it")));
        };
        let mut found = self.servers(&text, &[PathStep::Member(SERVERS)], servers)?;
        let twice = repeated(&text).into_iter();
        found.warnings.extend(twice.map(|twice| Diagnostic::from(twice).of(self.name).as_warning()));
        Ok(found)
    }

    /// Reads a plugin's file: one with `mcpServers` in it, or with nothing but servers. A manifest may have none.
    pub(super) fn read_plugin(self, text: &str) -> Result<ServerFile, Diagnostic> {
        let text = plain(text);
        let root: &RawValue = serde_json::from_str(&text).map_err(|error| self.misread(&error))?;
        let members: ObjectMembers<'_> =
            serde_json::from_str(root.get()).map_err(|error| self.misread(&error))?;
        match members.get(SERVERS) {
            // It names a file, which is read by itself.
            Some(servers) if servers.get().starts_with(['"', '[']) => Ok(ServerFile::default()),
            Some(servers) => self.servers(&text, &[PathStep::Member(SERVERS)], servers),
            None if self.name.ends_with(MANIFEST) => Ok(ServerFile::default()),
            None => self.servers(&text, &[], root),
        }
    }

    /// Reads an object of servers, to which `above` leads in `text`.
    pub(super) fn servers(
        self,
        text: &str,
        above: &[PathStep<'_>],
        servers: &RawValue,
    ) -> Result<ServerFile, Diagnostic> {
        let wrong =
            || self.wrong(line_of(text, above), format!("`{SERVERS}` must be an object of servers by name"));
        let servers: ObjectMembers<'_> = serde_json::from_str(servers.get()).map_err(|_| wrong())?;
        let mut found = ServerFile::default();
        for (name, raw) in servers.iter() {
            let value = serde_json::from_str(raw.get()).unwrap_or(Value::Null);
            let (config, warnings) = self.config(EntryLocation { text: Some(text), above }, name, &value);
            found.servers.retain(|known: &ServerConfig| known.name != name);
            found.servers.push(config);
            found.warnings.extend(warnings);
        }
        Ok(found)
    }

    /// One server, and what is wrong with it.
    pub(super) fn config(
        self,
        spot: EntryLocation<'_>,
        name: &str,
        value: &Value,
    ) -> (ServerConfig, Vec<Diagnostic>) {
        let mut config = ServerConfig {
            name: name.to_owned(),
            scope: self.scope,
            route: ServerRoute::Host,
            timeout: None,
            always_load: false,
            asks: self.has_to_be_approved(name, value).then(|| entry_id(value)),
            sign_in: SignInSettings::default(),
        };
        let reported = |fault: &EntryFault| {
            let what = Diagnostic::warning(format!("the MCP server {name:?}: {}", fault.what)).of(self.name);
            match self.line(spot, name, fault) {
                Some(line) => what.at_line(line),
                None => what,
            }
        };
        let read = match entry::read(value, self.environment) {
            Ok(_) if name.trim().is_empty() => {
                Err(EntryFault { member: None, what: "it needs a name".to_owned() })
            }
            Ok(entry)
                if entry.route == ServerRoute::Host
                    && !matches!(self.scope, ServerScope::Dynamic | ServerScope::Sdk) =>
            {
                let what = "`type` \"sdk\" is for the host's own servers, not for files".to_owned();
                Err(EntryFault { member: Some(("type".to_owned(), None)), what })
            }
            read => read,
        };
        match read {
            Ok(entry) => {
                config.scope = if entry.route == ServerRoute::Host { ServerScope::Sdk } else { self.scope };
                config.route = entry.route;
                config.timeout = entry.timeout;
                config.always_load = entry.always_load;
                config.sign_in = entry.sign_in;
                (config, entry.faults.iter().map(reported).collect())
            }
            Err(fault) => {
                let problem = reported(&fault);
                config.route = ServerRoute::Wrong(problem.to_string());
                config.asks = None;
                (config, vec![problem])
            }
        }
    }

    /// Whether the user has to be asked about a server: the project provides it, and nothing approves of it yet.
    fn has_to_be_approved(self, name: &str, value: &Value) -> bool {
        let is_approved = |settings: ServerSettings<'_>| {
            let provided = provided_server(Path::new(self.name), name, value).digest;
            settings.approves(name, &provided)
        };
        self.scope == ServerScope::Project && !self.settings.is_some_and(is_approved)
    }

    /// The line of what is wrong with an entry, if its text has lines.
    fn line(self, spot: EntryLocation<'_>, name: &str, fault: &EntryFault) -> Option<usize> {
        let text = spot.text?;
        let mut path = [spot.above, &[PathStep::Member(name)]].concat();
        if let Some((member, item)) = &fault.member {
            path.push(PathStep::Member(member));
            path.extend(item.map(PathStep::Item));
        }
        Some(line_of(text, &path))
    }

    fn misread(self, error: &serde_json::Error) -> Diagnostic {
        match error.is_data() {
            true => self.wrong(1, format!("it must be an object with `{SERVERS}` in it")),
            false => {
                self.wrong(error.line(), format!("is not valid JSON: {error}")).at_column(error.column())
            }
        }
    }

    fn wrong(self, line: usize, message: String) -> Diagnostic {
        Diagnostic::warning(message).of(self.name).at_line(line)
    }
}
