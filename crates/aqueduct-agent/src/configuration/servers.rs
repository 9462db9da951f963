use std::path::PathBuf;

use aqueduct_rules::Source;
use serde_json::Value;

use super::scope::file_of;
use super::{Configuration, ProjectRecords};
use crate::environment::Environment;
use crate::provision::ProvisionDigest;

/// The settings for MCP servers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ServerSettings<'c> {
    configuration: &'c Configuration,
}

/// Servers that settings themselves configure.
#[derive(Debug)]
pub(crate) struct SetServers<'c> {
    /// Whose settings.
    pub(crate) source: Source,
    /// The file, or the flag.
    pub(crate) file: PathBuf,
    /// Its text.
    pub(crate) text: &'c str,
    /// The servers.
    pub(crate) servers: &'c Value,
}

impl Configuration {
    /// The settings for MCP servers.
    pub(crate) fn servers(&self) -> ServerSettings<'_> {
        ServerSettings { configuration: self }
    }
}

impl<'c> ServerSettings<'c> {
    /// What is known beside the settings.
    pub(crate) fn records(self) -> &'c ProjectRecords {
        &self.configuration.records
    }

    /// Whether a scope's files count.
    pub(crate) fn counts(self, source: Source) -> bool {
        self.configuration.chosen.contains(&source)
    }

    /// The servers that settings themselves configure, with the text in which they do.
    pub(crate) fn configured(self, environment: &Environment) -> Vec<SetServers<'c>> {
        let scopes = self.configuration.scopes.iter().filter_map(|scope| {
            let servers = scope.value.get("mcpServers")?;
            let file = file_of(environment, scope.source).unwrap_or_else(|| PathBuf::from("--settings"));
            Some(SetServers { source: scope.source, file, text: &scope.text, servers })
        });
        scopes.collect()
    }

    /// Whether the user lets a server of the project's own list run: it is part of what the user trusts, or the user's
    /// settings or records name it. Approvals in the project's own settings are withheld without trust.
    pub(crate) fn approves(self, name: &str, provided: &ProvisionDigest) -> bool {
        let is_enabled = self.configuration.scopes.iter().any(|scope| {
            scope.value.get("enableAllProjectMcpServers") == Some(&Value::Bool(true))
                || lists(&scope.value, "enabledMcpjsonServers", name)
        });
        let recorded =
            || self.records().list_of_project("enabledMcpjsonServers").iter().any(|known| known == name);
        self.configuration.accepted.covers_digest(provided) || is_enabled || recorded()
    }

    /// Whether settings or the user's records disable a server of the project's own list.
    pub(crate) fn rejects(self, name: &str) -> bool {
        self.configuration.scopes.iter().any(|scope| lists(&scope.value, "disabledMcpjsonServers", name))
            || self.records().list_of_project("disabledMcpjsonServers").iter().any(|known| known == name)
    }

    /// Whether the user has switched a server off in this project.
    pub(crate) fn is_off(self, name: &str) -> bool {
        self.records().list_of_project("disabledMcpServers").iter().any(|known| known == name)
    }

    /// The entries of `deniedMcpServers`: every scope may deny servers.
    pub(crate) fn denied(self) -> impl Iterator<Item = &'c Value> {
        let scopes = self.configuration.scopes.iter();
        scopes.filter_map(|scope| scope.value.get("deniedMcpServers")?.as_array()).flatten()
    }

    /// The entries of the organisation's `allowedMcpServers`, where it has such a list.
    pub(crate) fn allowed(self) -> Option<Vec<&'c Value>> {
        let mut policies =
            self.configuration.scopes.iter().filter(|scope| scope.source == Source::PolicySettings);
        let list = policies.find_map(|scope| scope.value.get("allowedMcpServers")?.as_array())?;
        Some(list.iter().collect())
    }
}

fn lists(settings: &Value, list: &str, name: &str) -> bool {
    settings.get(list).and_then(Value::as_array).is_some_and(|names| names.iter().any(|known| known == name))
}
