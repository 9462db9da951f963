//! `config`: read and change settings.

use std::fs;
use std::path::PathBuf;

use aqueduct_rules::Source;
use aqueduct_rules::settings::{remove_member, set_member};
use aqueduct_tools::file::{FileError, Precondition, replace};
use serde_json::{Map, Value, json};

use super::context::{Console, SubcommandContext};
use super::error::SubcommandError;
use super::parse::GivenArguments;
use crate::configuration::{diagnostics_in, plain, settings_file, unknown_setting};
use crate::diagnostic::Diagnostic;
use crate::front_matter::read_settings;

/// Why a setting can't be read or changed.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConfigEditError {
    /// No source has the setting.
    #[error("the setting {0:?} is not set")]
    Unset(String),
    /// The file does not have the setting.
    #[error("{} does not set {key:?}", file.display())]
    NotInFile { file: PathBuf, key: String },
    /// The list in the file has none of the values.
    #[error("{key:?} in {} has no {values}", file.display())]
    NotInList { file: PathBuf, key: String, values: String },
    /// The setting in the file is not a list.
    #[error("{key:?} in {} is not a list", file.display())]
    NoList { file: PathBuf, key: String },
    /// No file has settings of this source.
    #[error("no settings file exists")]
    NoFile,
    /// The file can't be read.
    #[error("{0}")]
    Unreadable(Diagnostic),
    /// The file is not valid JSON.
    #[error("{}:{}: is not valid JSON: {error}", file.display(), error.line())]
    Json { file: PathBuf, error: serde_json::Error },
    /// The text of the file can't be changed.
    #[error(transparent)]
    Edit(#[from] aqueduct_rules::Error),
    /// The file can't be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The name of a setting has an empty part.
    #[error("{0:?} is not a valid setting name")]
    Name(String),
    /// The setting is not known, or can't have the value.
    #[error("{0}")]
    Invalid(Diagnostic),
    /// The value can't be written as JSON.
    #[error(transparent)]
    Output(serde_json::Error),
}

/// `config list`.
pub(super) fn list(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    console.print(&format!("{}\n", pretty(&in_effect(context, given)?)?));
    Ok(0)
}

/// `config get <key>`.
pub(super) fn get(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let key = given.operand(0);
    let settings = in_effect(context, given)?;
    let value = key.split('.').try_fold(&settings, |value, name| value.get(name));
    let value = value.ok_or_else(|| ConfigEditError::Unset(key.to_owned()))?;
    console.print(&match value {
        Value::String(text) => format!("{text}\n"),
        other => format!("{}\n", pretty(other)?),
    });
    Ok(0)
}

/// `config set <key> <value>`.
pub(super) fn set(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let (key, text) = (given.operand(0), given.operand(1));
    let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
    fits(key, &value)?;
    let target = SettingsTarget::of(context, given)?;
    target.put(key, &value)?;
    console.print(&format!("Set {key} to {text}\nFile modified: {}\n", target.file.display()));
    Ok(0)
}

/// `config add <key> <values...>`.
pub(super) fn add(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let key = given.operand(0);
    let target = SettingsTarget::of(context, given)?;
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
pub(super) fn remove(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let key = given.operand(0);
    let target = SettingsTarget::of(context, given)?;
    let values = words(given);
    if values.is_empty() {
        let after = target.edit(|file, text| remove_member(file, text, &path(key)))?;
        let absent = || ConfigEditError::NotInFile { file: target.file.clone(), key: key.to_owned() };
        let after = after.ok_or_else(absent)?;
        target.write(&after)?;
        console.print(&format!("Removed {key}\nFile modified: {}\n", target.file.display()));
        return Ok(0);
    }
    let mut list = target.list(key)?;
    let before = list.len();
    list.retain(|item| !values.contains(item));
    if list.len() == before {
        let (key, values) = (key.to_owned(), shown(&values));
        return Err(ConfigEditError::NotInList { file: target.file, key, values }.into());
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
fn in_effect(context: &SubcommandContext, given: &GivenArguments) -> Result<Value, SubcommandError> {
    if given.has("--global") {
        return Ok(SettingsTarget::of(context, given)?.value()?);
    }
    let (configuration, _) = context.configuration()?;
    let (effective, _) = configuration.listing();
    serde_json::from_str(effective.as_str()).map_err(SubcommandError::Output)
}

/// The settings file that is changed.
struct SettingsTarget {
    file: PathBuf,
    text: String,
}

impl SettingsTarget {
    fn of(context: &SubcommandContext, given: &GivenArguments) -> Result<Self, ConfigEditError> {
        let source = if given.has("--global") { Source::UserSettings } else { Source::ProjectSettings };
        let file = settings_file(&context.environment, source).ok_or(ConfigEditError::NoFile)?;
        // The user's own file may be a link. That of a checkout is not followed.
        let file = if given.has("--global") { fs::canonicalize(&file).unwrap_or(file) } else { file };
        let text = match read_settings(&file) {
            Ok(text) => text,
            Err(error) if error.is_absent => String::new(),
            Err(error) => return Err(ConfigEditError::Unreadable(error.describe(&file))),
        };
        Ok(SettingsTarget { file, text })
    }

    /// The parsed content of the file.
    fn value(&self) -> Result<Value, ConfigEditError> {
        if self.text.trim().is_empty() {
            return Ok(Value::Object(Map::new()));
        }
        serde_json::from_str(&plain(&self.text))
            .map_err(|error| ConfigEditError::Json { file: self.file.clone(), error })
    }

    /// The list under a key; empty, where there is none.
    fn list(&self, key: &str) -> Result<Vec<Value>, ConfigEditError> {
        let value = self.value()?;
        match path(key).into_iter().try_fold(&value, |value, name| value.get(name)) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => Ok(items.clone()),
            Some(_) => Err(ConfigEditError::NoList { file: self.file.clone(), key: key.to_owned() }),
        }
    }

    fn put(&self, key: &str, value: &Value) -> Result<(), ConfigEditError> {
        let written = serde_json::to_string_pretty(value).map_err(ConfigEditError::Output)?;
        let after = self.edit(|file, text| set_member(file, text, &path(key), &written).map(Some))?;
        self.write(after.as_deref().unwrap_or(&self.text))
    }

    fn edit(
        &self,
        edit: impl FnOnce(&str, &str) -> Result<Option<String>, aqueduct_rules::Error>,
    ) -> Result<Option<String>, ConfigEditError> {
        Ok(edit(&self.file.display().to_string(), &self.text)?)
    }

    fn write(&self, text: &str) -> Result<(), ConfigEditError> {
        replace(&self.file, text.as_bytes(), Precondition::Anything)?;
        Ok(())
    }
}

/// Rejects an unknown setting, and a value that is invalid for it: an error in a settings file costs the user more than
/// one on the command line.
fn fits(key: &str, value: &Value) -> Result<(), ConfigEditError> {
    let names = path(key);
    if names.iter().any(|name| name.is_empty()) {
        return Err(ConfigEditError::Name(key.to_owned()));
    }
    if let Some(why) = unknown_setting(&names) {
        return Err(ConfigEditError::Invalid(why));
    }
    let settings = names.iter().rev().fold(value.clone(), |value, name| json!({ *name: value }));
    diagnostics_in(&settings)
        .into_iter()
        .next()
        .map_or(Ok(()), |diagnostic| Err(ConfigEditError::Invalid(diagnostic)))
}

/// The names on the way to a setting: `a.b` is `b` in `a`.
fn path(key: &str) -> Vec<&str> {
    key.split('.').collect()
}

/// The values after the key.
fn words(given: &GivenArguments) -> Vec<Value> {
    given.operands.iter().skip(1).map(|text| Value::String(text.clone())).collect()
}

fn shown(values: &[Value]) -> String {
    values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
}

fn pretty(value: &Value) -> Result<String, SubcommandError> {
    serde_json::to_string_pretty(value).map_err(SubcommandError::Output)
}
