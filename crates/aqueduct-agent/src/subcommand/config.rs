//! `config`: read and change settings.

use std::fs;
use std::path::PathBuf;

use aqueduct_rules::Source;
use aqueduct_rules::settings::{remove_member, set_member};
use aqueduct_tools::file::{Before, replace};
use serde_json::{Map, Value, json};

use super::context::{Console, Context};
use super::parse::Given;
use crate::configuration::{mistakes_in, plain, settings_file, unknown_setting};
use crate::front_matter::read_settings;

/// `config list`.
pub(super) fn list(context: &Context, given: &Given, console: &mut Console<'_>) -> Result<u8, String> {
    console.print(&format!("{}\n", pretty(&in_effect(context, given)?)?));
    Ok(0)
}

/// `config get <key>`.
pub(super) fn get(context: &Context, given: &Given, console: &mut Console<'_>) -> Result<u8, String> {
    let key = given.operand(0);
    let settings = in_effect(context, given)?;
    let value = key.split('.').try_fold(&settings, |value, name| value.get(name));
    let value = value.ok_or_else(|| format!("Error: the setting {key:?} is not set"))?;
    console.print(&match value {
        Value::String(text) => format!("{text}\n"),
        other => format!("{}\n", pretty(other)?),
    });
    Ok(0)
}

/// `config set <key> <value>`.
pub(super) fn set(context: &Context, given: &Given, console: &mut Console<'_>) -> Result<u8, String> {
    let (key, text) = (given.operand(0), given.operand(1));
    let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
    fits(key, &value)?;
    let target = Target::of(context, given)?;
    target.put(key, &value)?;
    console.print(&format!("Set {key} to {text}\nFile modified: {}\n", target.file.display()));
    Ok(0)
}

/// `config add <key> <values...>`.
pub(super) fn add(context: &Context, given: &Given, console: &mut Console<'_>) -> Result<u8, String> {
    let key = given.operand(0);
    let target = Target::of(context, given)?;
    let mut list = target.list(key)?;
    let values = words(given);
    for value in &values {
        if !list.contains(value) {
            list.push(value.clone());
        }
    }
    fits(key, &Value::Array(list.clone()))?;
    target.put(key, &Value::Array(list))?;
    console.print(&format!("Added {} to {key}\nFile modified: {}\n", shown(&values), target.file.display()));
    Ok(0)
}

/// `config remove <key> [values...]`.
pub(super) fn remove(context: &Context, given: &Given, console: &mut Console<'_>) -> Result<u8, String> {
    let key = given.operand(0);
    let target = Target::of(context, given)?;
    let values = words(given);
    if values.is_empty() {
        let after = target.edit(|file, text| remove_member(file, text, &path(key)))?;
        let after = after.ok_or_else(|| format!("Error: {} does not set {key:?}", target.file.display()))?;
        target.write(&after)?;
        console.print(&format!("Removed {key}\nFile modified: {}\n", target.file.display()));
        return Ok(0);
    }
    let mut list = target.list(key)?;
    let before = list.len();
    list.retain(|item| !values.contains(item));
    if list.len() == before {
        return Err(format!("Error: {key:?} in {} has no {}", target.file.display(), shown(&values)));
    }
    target.put(key, &Value::Array(list))?;
    console.print(&format!(
        "Removed {} from {key}\nFile modified: {}\n",
        shown(&values),
        target.file.display()
    ));
    Ok(0)
}

/// The settings that are in effect; with `--global`, those of the user alone.
fn in_effect(context: &Context, given: &Given) -> Result<Value, String> {
    if given.has("--global") {
        return Target::of(context, given)?.value();
    }
    let (configuration, _) = context.configuration()?;
    let (effective, _) = configuration.listing();
    serde_json::from_str(effective.as_str()).map_err(|error| error.to_string())
}

/// The settings file that is changed.
struct Target {
    file: PathBuf,
    text: String,
}

impl Target {
    fn of(context: &Context, given: &Given) -> Result<Self, String> {
        let source = if given.has("--global") { Source::UserSettings } else { Source::ProjectSettings };
        let file = settings_file(&context.environment, source).ok_or("Error: no settings file exists")?;
        // The user's own file may be a link. That of a checkout is not followed.
        let file = if given.has("--global") { fs::canonicalize(&file).unwrap_or(file) } else { file };
        let text = match read_settings(&file) {
            Ok(text) => text,
            Err(error) if error.is_absent => String::new(),
            Err(error) => return Err(format!("Error: {}", error.describe(&file))),
        };
        Ok(Target { file, text })
    }

    /// What the file says.
    fn value(&self) -> Result<Value, String> {
        if self.text.trim().is_empty() {
            return Ok(Value::Object(Map::new()));
        }
        serde_json::from_str(&plain(&self.text)).map_err(|error| {
            format!("Error: {}:{}: is not valid JSON: {error}", self.file.display(), error.line())
        })
    }

    /// The list under a key; empty, where there is none.
    fn list(&self, key: &str) -> Result<Vec<Value>, String> {
        let value = self.value()?;
        match path(key).into_iter().try_fold(&value, |value, name| value.get(name)) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => Ok(items.clone()),
            Some(_) => Err(format!("Error: {key:?} in {} is not a list", self.file.display())),
        }
    }

    fn put(&self, key: &str, value: &Value) -> Result<(), String> {
        let written = pretty(value)?;
        let after = self.edit(|file, text| set_member(file, text, &path(key), &written).map(Some))?;
        self.write(after.as_deref().unwrap_or(&self.text))
    }

    fn edit(
        &self,
        edit: impl FnOnce(&str, &str) -> Result<Option<String>, aqueduct_rules::Error>,
    ) -> Result<Option<String>, String> {
        edit(&self.file.display().to_string(), &self.text).map_err(|error| format!("Error: {error}"))
    }

    fn write(&self, text: &str) -> Result<(), String> {
        replace(&self.file, text.as_bytes(), Before::Anything)
            .map(drop)
            .map_err(|error| format!("Error: {error}"))
    }
}

/// Refuses a setting that is not known, and a value that it can't have: a mistake in a settings file costs the user more
/// than one on the command line.
fn fits(key: &str, value: &Value) -> Result<(), String> {
    let names = path(key);
    if names.iter().any(|name| name.is_empty()) {
        return Err(format!("Error: {key:?} is not a valid setting name"));
    }
    unknown_setting(&names).map_or(Ok(()), |why| Err(format!("Error: {why}")))?;
    let settings = names.iter().rev().fold(value.clone(), |value, name| json!({ *name: value }));
    match mistakes_in(&settings).first() {
        Some(mistake) => Err(format!("Error: {mistake}")),
        None => Ok(()),
    }
}

/// The names on the way to a setting: `a.b` is `b` in `a`.
fn path(key: &str) -> Vec<&str> {
    key.split('.').collect()
}

/// The values after the key.
fn words(given: &Given) -> Vec<Value> {
    given.operands.iter().skip(1).map(|text| Value::String(text.clone())).collect()
}

fn shown(values: &[Value]) -> String {
    values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
}

fn pretty(value: &Value) -> Result<String, String> {
    serde_json::to_string_pretty(value).map_err(|error| error.to_string())
}
