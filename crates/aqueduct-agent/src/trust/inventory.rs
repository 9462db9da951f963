//! Everything that a folder provides.

use std::path::Path;

use crate::configuration::{Configuration, ConfigurationError, SettingsSources};
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::provision::{Provision, ProvisionDigest, digest_of};
use crate::{custom_command, mcp_config, subagent};

/// Everything that a folder provides, read by the code that puts it into effect.
#[derive(Debug, Default)]
pub(crate) struct Inventory {
    pub(crate) provisions: Vec<Provision>,
    /// Files that can't be read or understood. They provide nothing.
    pub(super) problems: Vec<Diagnostic>,
}

impl Inventory {
    /// What the working directory provides. Its settings are those that the configuration has read.
    pub(crate) fn gather(environment: &Environment, configuration: &Configuration) -> Self {
        let mut inventory = Inventory { provisions: configuration.provisions(), problems: Vec::new() };
        for (provisions, problems) in [
            mcp_config::provided_servers(&environment.cwd),
            custom_command::provided(environment),
            subagent::provided(environment),
        ] {
            inventory.provisions.extend(provisions);
            inventory.problems.extend(problems);
        }
        inventory.provisions.sort_by_key(|provision| provision.kind);
        inventory
    }

    /// What the working directory provides, read now.
    pub(super) fn read(environment: &Environment) -> Result<(Self, Configuration), ConfigurationError> {
        let sources = SettingsSources {
            managed: Path::new("/nonexistent"),
            given_policy: None,
            settings: None,
            setting_sources: Some("project,local"),
        };
        let configuration = Configuration::read(environment, sources)?;
        let mut inventory = Inventory::gather(environment, &configuration);
        inventory.problems.extend(configuration.warnings().iter().cloned());
        Ok((inventory, configuration))
    }

    /// The digest of all of it.
    pub(crate) fn digest(&self) -> ProvisionDigest {
        digest_of(self.provisions.iter().map(|provision| provision.digest))
    }
}
