//! `plugin`: what is installed, and whether a folder is a plugin.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::context::{Console, SubcommandContext};
use super::error::SubcommandError;
use super::parse::GivenArguments;
use crate::front_matter::read_settings;

/// Why an installed plugin has no effect.
const NOT_LOADED: &str = "This agent loads no installed plugins; pass the folder with --plugin-dir";

/// A plugin that another program of this kind has installed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct InstalledPlugin {
    scope: Option<String>,
    install_path: Option<String>,
    version: Option<String>,
    installed_at: Option<String>,
    last_updated: Option<String>,
}

/// What hosts read. The order and the names of the members are theirs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedPlugin {
    id: String,
    version: String,
    scope: String,
    enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    install_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    installed_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_updated: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<&'static str>,
    project_enabled: bool,
}

/// Those that are installed, and those that could be.
#[derive(Debug, Serialize)]
struct PluginListing<'a> {
    installed: &'a [ListedPlugin],
    available: [(); 0],
}

/// `plugin list`.
pub(super) fn list(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let plugins = installed(context)?;
    if given.has("--json") {
        let text = match given.has("--available") {
            true => serde_json::to_string_pretty(&PluginListing { installed: &plugins, available: [] }),
            false => serde_json::to_string_pretty(&plugins),
        };
        console.print(&format!("{}\n", text.map_err(SubcommandError::Output)?));
        return Ok(0);
    }
    if plugins.is_empty() {
        console.print("No plugins installed. Pass the folder of a plugin with --plugin-dir.\n");
        return Ok(0);
    }
    console.print("Installed plugins:\n");
    for plugin in &plugins {
        console.print(&format!(
            "\n  ❯ {}\n    Version: {}\n    Scope: {}\n",
            plugin.id, plugin.version, plugin.scope
        ));
        match plugin.errors.first() {
            Some(error) => console.print(&format!("    Status: ✘ failed to load\n    Error: {error}\n")),
            None => console.print("    Status: ✘ disabled\n"),
        }
    }
    console.print("\n");
    Ok(0)
}

/// The plugins that another program of this kind has installed.
fn installed(context: &SubcommandContext) -> Result<Vec<ListedPlugin>, SubcommandError> {
    let file = context.environment.config.join("plugins/installed_plugins.json");
    let text = match read_settings(&file) {
        Ok(text) => text,
        Err(error) if error.is_absent => return Ok(Vec::new()),
        Err(error) => return Err(SubcommandError::Unreadable(error.describe(&file))),
    };
    let value: Value = serde_json::from_str(&text).map_err(|error| SubcommandError::Json { file, error })?;
    let (configuration, _) = context.configuration()?;
    let enabled = configuration.get("enabledPlugins");
    let mut listed = Vec::new();
    for (id, places) in value.get("plugins").and_then(Value::as_object).into_iter().flatten() {
        let places = places.as_array().cloned().unwrap_or_else(|| vec![places.clone()]);
        for place in places {
            let Ok(place) = serde_json::from_value::<InstalledPlugin>(place) else { continue };
            let is_enabled = enabled.and_then(|enabled| enabled.get(id)).is_some_and(|value| value != false);
            listed.push(ListedPlugin {
                id: id.clone(),
                version: place.version.unwrap_or_else(|| "unknown".to_owned()),
                scope: place.scope.unwrap_or_else(|| "user".to_owned()),
                enabled: is_enabled,
                install_path: place.install_path,
                installed_at: place.installed_at,
                last_updated: place.last_updated,
                errors: if is_enabled { vec![NOT_LOADED] } else { Vec::new() },
                project_enabled: false,
            });
        }
    }
    Ok(listed)
}

/// `plugin marketplace list`: there are none.
pub(super) fn marketplaces(
    _: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    console.print(if given.has("--json") { "[]\n" } else { "No marketplaces configured\n" });
    Ok(0)
}
