//! What a subcommand works with.

use std::path::Path;

use crate::configuration::{Configuration, ConfigurationError, MANAGED_SETTINGS, SettingsSources};
use crate::environment::Environment;
use crate::mcp_config::{self, MANAGED_SERVERS, ServerConfigSources, SourceError};
use crate::options::AgentOptions;
use crate::plugin::Plugins;
use crate::trust;

/// What a subcommand works with.
#[derive(Debug)]
pub(crate) struct SubcommandContext {
    /// What the program knows of the machine.
    pub(crate) environment: Environment,
    /// The options before the subcommand.
    pub(crate) options: AgentOptions,
    /// How the program is called, for messages.
    pub(crate) program: String,
}

impl SubcommandContext {
    /// The settings that are in effect, and the environment with their variables.
    pub(super) fn configuration(&self) -> Result<(Configuration, Environment), ConfigurationError> {
        let sources = self.options.setting_sources.as_ref().map(|names| names.join(","));
        let sources = SettingsSources {
            managed: Path::new(MANAGED_SETTINGS),
            settings: self.options.settings.as_deref(),
            given_policy: self.options.managed_settings.as_deref(),
            setting_sources: sources.as_deref(),
        };
        let mut configuration = Configuration::read(&self.environment, sources)?;
        trust::settle(&self.environment, &mut configuration, self.options.trust_workspace);
        let mut environment = self.environment.clone();
        environment.extend(configuration.variables());
        Ok((configuration, environment))
    }

    /// The plugins of `--plugin-dir`.
    pub(super) fn plugins(&self) -> Plugins {
        Plugins::read(&self.environment, &self.options.plugins, &self.options.plugins_without_mcp)
    }

    /// The MCP servers of all places.
    pub(super) fn servers(
        &self,
        configuration: &Configuration,
        environment: &Environment,
        plugins: &Plugins,
    ) -> Result<mcp_config::ConfiguredServers, SourceError> {
        mcp_config::ConfiguredServers::read(ServerConfigSources {
            environment,
            settings: configuration.servers(),
            managed: Path::new(MANAGED_SERVERS),
            given: &self.options.mcp_config,
            plugins: &plugins.all,
            is_strict: self.options.strict_mcp_config,
        })
    }

    /// A text with the program's name in it.
    pub(super) fn named(&self, text: &str) -> String {
        text.replace("{program}", &self.program)
    }
}

/// Where a subcommand prints.
pub(crate) struct Console<'c> {
    /// Writes to stdout.
    pub(crate) out: &'c mut dyn FnMut(&str),
    /// Writes a line to stderr.
    pub(crate) report_error: &'c mut dyn FnMut(&str),
}

impl Console<'_> {
    /// Prints a text on stdout.
    pub(super) fn print(&mut self, text: &str) {
        (self.out)(text);
    }

    /// Prints a line on stderr.
    pub(super) fn warn(&mut self, text: &str) {
        (self.report_error)(text);
    }
}
