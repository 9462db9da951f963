use serde_json::Value;
use serde_json::value::RawValue;

use super::{PLUGIN_ROOT, entry};
use crate::configuration::{Members, plain};
use crate::environment::Environment;
use crate::mcp::approval::entry_id;
use crate::mcp::config::{Config, Route, Scope};
use crate::plugin::{MANIFEST, Plugin};

/// Servers that a text configures, and what is wrong with it. What is right counts.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) servers: Vec<Config>,
    pub(super) warnings: Vec<String>,
}

impl Found {
    /// The same as a plugin's, which programs know the folder of.
    pub(super) fn of_plugin(mut self, plugin: &Plugin) -> Self {
        for server in &mut self.servers {
            server.name = format!("plugin:{}:{}", plugin.name, server.name);
            if let Route::Program { variables, .. } = &mut server.route {
                variables.push((PLUGIN_ROOT.to_owned(), plugin.path.display().to_string()));
            }
        }
        self
    }
}

/// Where a text is from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin<'o> {
    /// The file, or the flag, for messages.
    pub(super) name: &'o str,
    pub(super) scope: Scope,
    pub(super) environment: &'o Environment,
}

impl Origin<'_> {
    /// Reads a text with `mcpServers` in it. An error means that there is nothing to be had.
    pub(super) fn read(self, text: &str) -> Result<Found, String> {
        let text = plain(text);
        let root: Members<'_> = serde_json::from_str(&text).map_err(|error| self.misread(&error))?;
        match root.get("mcpServers") {
            Some(servers) => self.servers(&text, servers),
            None => Err(format!("{}: there is no `mcpServers` in it", self.name)),
        }
    }

    /// Reads a plugin's file: one with `mcpServers` in it, or with nothing but servers. A manifest may have none.
    pub(super) fn read_plugin(self, text: &str) -> Result<Found, String> {
        let text = plain(text);
        let root: &RawValue = serde_json::from_str(&text).map_err(|error| self.misread(&error))?;
        let members: Members<'_> = serde_json::from_str(root.get()).map_err(|error| self.misread(&error))?;
        match members.get("mcpServers") {
            // It names a file, which is read by itself.
            Some(servers) if servers.get().starts_with(['"', '[']) => Ok(Found::default()),
            Some(servers) => self.servers(&text, servers),
            None if self.name.ends_with(MANIFEST) => Ok(Found::default()),
            None => self.servers(&text, root),
        }
    }

    /// Reads the object under `mcpServers`, which stands somewhere in `text`.
    pub(super) fn servers(self, text: &str, servers: &RawValue) -> Result<Found, String> {
        let wrong = || {
            let line = line(text, servers);
            format!("{}:{line}: `mcpServers` must be an object of servers by name", self.name)
        };
        let servers: Members<'_> = serde_json::from_str(servers.get()).map_err(|_| wrong())?;
        let mut found = Found::default();
        for (name, raw) in servers.iter() {
            let at = format!("{}:{}", self.name, line(text, raw));
            let value = serde_json::from_str(raw.get()).unwrap_or(Value::Null);
            let (config, warnings) = self.config(&at, name, &value);
            found.servers.retain(|known: &Config| known.name != name);
            found.servers.push(config);
            found.warnings.extend(warnings);
        }
        Ok(found)
    }

    /// One server, and what is wrong with it. `at` is where it stands, for messages.
    pub(super) fn config(self, at: &str, name: &str, value: &Value) -> (Config, Vec<String>) {
        let mut config = Config {
            name: name.to_owned(),
            scope: self.scope,
            route: Route::Host,
            timeout: None,
            always_load: false,
            asks: (self.scope == Scope::Project).then(|| entry_id(value)),
        };
        match entry::read(value, self.environment) {
            Ok(entry) => {
                config.scope = if entry.route == Route::Host { Scope::Sdk } else { self.scope };
                config.route = entry.route;
                config.timeout = entry.timeout;
                config.always_load = entry.always_load;
                let unset = |name: &String| format!("{at}: the variable {name} is not set");
                (config, entry.missing.iter().map(unset).collect())
            }
            Err(problem) => {
                let problem = format!("{at}: the MCP server {name:?}: {problem}");
                config.route = Route::Wrong(problem.clone());
                config.asks = None;
                (config, vec![problem])
            }
        }
    }

    fn misread(self, error: &serde_json::Error) -> String {
        if error.is_data() {
            return format!("{}: it must be an object with `mcpServers` in it", self.name);
        }
        let said = error.to_string();
        let said = said.split(" at line ").next().unwrap_or_default();
        format!("{}:{}:{}: {said}", self.name, error.line(), error.column())
    }
}

/// The line on which a part of a text begins, from 1.
fn line(text: &str, part: &RawValue) -> usize {
    let offset = (part.get().as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    text.get(..offset).map_or(1, |before| before.matches('\n').count() + 1)
}
