use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use aqueduct_rules::Source;
use aqueduct_rules::settings::{self, PathStep, Settings, line_of};
use aqueduct_sandbox::{
    self as sandbox, SandboxEnvironment, SandboxPolicy, SandboxSettings, SettingsProblem,
};
use serde_json::Value;

use super::check::{check, is_variable};
use super::plain::plain;
use super::provided::is_in_the_folder;
use super::{ConfigurationError, ProjectRecords};
use crate::diagnostic::{Diagnostic, SourceLocation};
use crate::environment::Environment;
use crate::front_matter::read_settings;
use crate::hook_config::{self, HooksRead};
use crate::provision::AcceptedProvisions;

/// The settings of all scopes.
#[derive(Debug)]
pub(crate) struct Configuration {
    /// In ascending order of precedence.
    pub(super) scopes: Vec<SettingsScope>,
    /// The settings files of the project folder as they were read, whether they count or not.
    pub(super) of_folder: Vec<SettingsScope>,
    /// What of them is in effect.
    pub(super) accepted: AcceptedProvisions,
    /// The hooks of plugins.
    pub(super) plugins: HooksRead,
    /// What is known of the project beside its settings.
    pub(super) records: ProjectRecords,
    /// The files that count, whether they are there or not.
    pub(super) chosen: Vec<Source>,
    /// What is wrong in the files, for people. What could be read counts.
    warnings: Vec<Diagnostic>,
}

/// The settings of one scope.
#[derive(Debug, Clone)]
pub(super) struct SettingsScope {
    pub(super) source: Source,
    pub(super) settings: Settings,
    /// The file, or the flag.
    pub(super) name: String,
    pub(super) text: String,
    pub(super) value: Value,
    pub(super) hooks: HooksRead,
    pub(super) sandbox: SandboxSettings,
}

/// Which settings count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SettingsSources<'a> {
    /// The organisation's file, such as [`super::MANAGED_SETTINGS`].
    pub(crate) managed: &'a Path,
    /// `--managed-settings`: what takes the place of that file where it is not there, as JSON text.
    pub(crate) given_policy: Option<&'a str>,
    /// `--settings`: a file or a JSON text.
    pub(crate) settings: Option<&'a str>,
    /// `--setting-sources`: which of user, project and local count; all, where it is not given.
    pub(crate) setting_sources: Option<&'a str>,
}

impl Configuration {
    /// Reads the settings of the selected sources. A missing file has no settings. A file with errors causes a
    /// warning, or fails if the command line named it. The provisions of the project folder are withheld until
    /// [`Configuration::hold_to`] accepts them.
    pub(crate) fn read(
        environment: &Environment,
        sources: SettingsSources<'_>,
    ) -> Result<Self, ConfigurationError> {
        let chosen = chosen(sources.setting_sources)?;
        let records = ProjectRecords::read(environment);
        let mut configuration = Configuration {
            scopes: Vec::new(),
            of_folder: Vec::new(),
            accepted: AcceptedProvisions::nothing(),
            plugins: HooksRead::default(),
            records,
            chosen,
            warnings: Vec::new(),
        };
        for source in SETTINGS_FILES.map(|(_, source)| source) {
            let Some(file) = file_of(environment, source) else { continue };
            let warned = configuration.warnings.len();
            configuration.add_file(source, &file);
            // In the home folder, the project's file is the user's own.
            let is_users = Some(&file) == file_of(environment, Source::UserSettings).as_ref();
            if is_in_the_folder(source) && !is_users {
                let read = configuration.scopes.iter().find(|scope| scope.source == source);
                configuration.of_folder.extend(read.cloned());
            }
            if !configuration.chosen.contains(&source) {
                configuration.scopes.retain(|scope| scope.source != source);
                configuration.warnings.truncate(warned);
            }
        }
        if let Some(given) = sources.settings {
            configuration.add_given(environment, given)?;
        }
        match sources.given_policy.filter(|_| !sources.managed.exists()) {
            Some(text) => configuration.add_text(Source::PolicySettings, "--managed-settings", text)?,
            None => configuration.add_file(Source::PolicySettings, sources.managed),
        }
        configuration.warnings.extend(configuration.records.diagnostic());
        configuration.hold_to(AcceptedProvisions::nothing());
        Ok(configuration)
    }

    /// The value of a key in the scope with the highest precedence that sets it.
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.scopes.iter().rev().find_map(|scope| scope.value.get(key)).filter(|value| !value.is_null())
    }

    /// The text under a name.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// File and line of what is under a name.
    pub(crate) fn place(&self, key: &str) -> Option<SourceLocation> {
        let scope = self.scopes.iter().rev().find(|scope| scope.value.get(key).is_some())?;
        let line = line_of(&scope.text, &[PathStep::Member(key)]);
        Some(SourceLocation { source: Some(scope.name.clone()), line: NonZeroUsize::new(line), column: None })
    }

    /// The variables of `env`, merged.
    pub(crate) fn variables(&self) -> Vec<(String, String)> {
        let mut variables: Vec<(String, String)> = Vec::new();
        for scope in &self.scopes {
            for (name, value) in scope.value.get("env").and_then(Value::as_object).into_iter().flatten() {
                let value = match value {
                    _ if !is_variable(name) => continue,
                    Value::String(text) => text.clone(),
                    Value::Number(_) | Value::Bool(_) => value.to_string(),
                    _ => continue,
                };
                variables.retain(|(known, _)| known != name);
                variables.push((name.clone(), value));
            }
        }
        variables
    }

    /// What holds for the sandbox of commands.
    pub(crate) fn sandbox(&self, environment: &Environment) -> SandboxPolicy {
        let sandbox_settings = self.scopes.iter().map(|scope| (scope.source, &scope.sandbox));
        // What the project folder loosens without trust is withheld already.
        SandboxPolicy::of(sandbox_settings, true, &SandboxEnvironment::from(environment))
    }

    /// What is wrong in the settings files, for people.
    pub(crate) fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    fn add_file(&mut self, source: Source, file: &Path) {
        match read_settings(file) {
            Ok(text) => {
                let problems = self.add(source, &file.to_string_lossy(), &text);
                self.warnings.extend(problems);
            }
            Err(error) if error.is_absent => {}
            Err(error) => self.warnings.push(error.describe(file)),
        }
    }

    fn add_given(&mut self, environment: &Environment, given: &str) -> Result<(), ConfigurationError> {
        let (name, text) = if given.trim_start().starts_with('{') {
            ("--settings".to_owned(), given.to_owned())
        } else {
            let path = environment.cwd.join(given);
            match fs::read_to_string(&path) {
                Ok(text) => (path.to_string_lossy().into_owned(), text),
                Err(error) => return Err(ConfigurationError::SettingsFile { path, error }),
            }
        };
        self.add_text(Source::FlagSettings, &name, &text)
    }

    /// Adds the settings of the command line. They were given explicitly, so a problem in them is an error.
    fn add_text(&mut self, source: Source, name: &str, text: &str) -> Result<(), ConfigurationError> {
        let problems = self.add(source, name, text);
        match problems.into_iter().next() {
            Some(problem) => Err(ConfigurationError::SettingsText { problem }),
            None => Ok(()),
        }
    }

    /// Adds a scope: what is wrong with it.
    fn add(&mut self, source: Source, name: &str, text: &str) -> Vec<Diagnostic> {
        let (settings, errors) = settings::read(name, text);
        let mut problems: Vec<Diagnostic> = errors.into_iter().map(Diagnostic::from).collect();
        let value = match serde_json::from_str(&plain(text)) {
            Ok(value) => value,
            Err(error) => {
                // Errors in permissions have already been reported, with more detail.
                if problems.is_empty() && !text.trim().is_empty() {
                    problems.push(Diagnostic::problem(error.to_string()).of(name));
                }
                Value::Null
            }
        };
        let hooks = hook_config::read_settings(source, name, text, &value);
        self.warnings.extend(hooks.diagnostics.iter().cloned());
        let (sandbox, diagnostics) = sandbox::read_settings(text, &value);
        self.warnings.extend(diagnostics.into_iter().map(|diagnostic| Diagnostic::from(diagnostic).of(name)));
        self.warnings.extend(check(name, text, &value));
        self.scopes.push(SettingsScope {
            source,
            settings,
            name: name.to_owned(),
            text: text.to_owned(),
            value,
            hooks,
            sandbox,
        });
        problems
    }
}

/// The settings file of a source that has one which can be written.
pub(crate) fn file_of(environment: &Environment, source: Source) -> Option<PathBuf> {
    match source {
        Source::UserSettings => Some(environment.config.join("settings.json")),
        Source::ProjectSettings => Some(environment.cwd.join(".claude/settings.json")),
        Source::LocalSettings => Some(environment.cwd.join(".claude/settings.local.json")),
        _ => None,
    }
}

/// The settings files of user and project, by their names for `--setting-sources`, in ascending order of precedence.
const SETTINGS_FILES: [(&str, Source); 3] =
    [("user", Source::UserSettings), ("project", Source::ProjectSettings), ("local", Source::LocalSettings)];

/// The sources that `--setting-sources` names, in ascending order of precedence.
fn chosen(list: Option<&str>) -> Result<Vec<Source>, ConfigurationError> {
    const KNOWN: [(&str, Source); 3] = SETTINGS_FILES;
    let Some(list) = list else { return Ok(KNOWN.map(|(_, source)| source).to_vec()) };
    let names: Vec<&str> = list.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    if let Some(name) = names.iter().find(|name| KNOWN.iter().all(|(known, _)| known != *name)) {
        return Err(ConfigurationError::UnknownSource { name: (*name).to_owned() });
    }
    Ok(KNOWN.iter().filter(|(known, _)| names.contains(known)).map(|(_, source)| *source).collect())
}

impl From<SettingsProblem> for Diagnostic {
    fn from(problem: SettingsProblem) -> Self {
        Diagnostic::problem(problem.message).at_line(problem.line)
    }
}
