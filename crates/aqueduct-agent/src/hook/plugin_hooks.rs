//! Hooks that plugins bring.

use aqueduct_rules::Source;
use serde_json::Value;

use super::command_hook::{self, HooksRead};
use crate::front_matter::read_file;
use crate::plugin::Plugin;

/// Where a plugin has its hooks.
const FILE: &str = "hooks/hooks.json";

/// Reads the hooks of plugins. They know where their plugin is.
pub(crate) fn of_plugins(plugins: &[Plugin]) -> HooksRead {
    let mut all = HooksRead::default();
    for plugin in plugins {
        let path = plugin.path.join(FILE);
        if !path.exists() {
            continue;
        }
        let file = path.display().to_string();
        let text = match read_file(&path) {
            Ok(text) => text,
            Err(error) => {
                all.mistakes.push(error.told(&path));
                continue;
            }
        };
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => {
                let read = command_hook::read(Source::FlagSettings, &file, &text, &value);
                all.mistakes.extend(read.mistakes);
                let root = Some(plugin.path.clone());
                all.hooks.extend(
                    read.hooks
                        .into_iter()
                        .map(|hook| command_hook::CommandHook { root: root.clone(), ..hook }),
                );
            }
            Err(error) => {
                all.mistakes.push(format!("{file}:{}: is not valid JSON: {error}", error.line().max(1)))
            }
        }
    }
    all
}
