//! Hooks of plugins.

use aqueduct_rules::Source;
use aqueduct_rules::settings::{PathStep, line_of, repeated};
use serde_json::Value;

use super::configured::ConfiguredHook;
use super::read::{self, HooksRead};
use crate::diagnostic::Diagnostic;
use crate::front_matter::read_file;
use crate::plugin::Plugin;

/// The file with the hooks of a plugin.
const FILE: &str = "hooks/hooks.json";

/// The members that it may have.
const MEMBERS: &[&str] = &["hooks", "description", "$schema"];

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
                all.diagnostics.push(error.describe(&path));
                continue;
            }
        };
        match serde_json::from_str::<Value>(&text) {
            Ok(value) if value.get("hooks").is_none() => {
                let what = Diagnostic::problem("must be an object with \"hooks\"");
                all.diagnostics.push(what.of(file).at_line(1));
            }
            Ok(value) => {
                for name in value.as_object().into_iter().flatten().map(|(name, _)| name) {
                    if !MEMBERS.contains(&name.as_str()) {
                        let line = line_of(&text, &[PathStep::Member(name)]);
                        let what = Diagnostic::problem(format!("{name} is not known here and is ignored"));
                        all.diagnostics.push(what.of(&file).at_line(line));
                    }
                }
                let twice = repeated(&text).into_iter();
                all.diagnostics.extend(twice.map(|twice| Diagnostic::from(twice).of(&file)));
                let read = read::read(Source::FlagSettings, &file, &text, &value);
                all.diagnostics.extend(read.diagnostics);
                let root = Some(plugin.path.clone());
                all.hooks
                    .extend(read.hooks.into_iter().map(|hook| ConfiguredHook { root: root.clone(), ..hook }));
            }
            Err(error) => {
                let what = Diagnostic::problem(format!("is not valid JSON: {error}"));
                all.diagnostics.push(what.of(file).at_line(error.line().max(1)));
            }
        }
    }
    all
}
