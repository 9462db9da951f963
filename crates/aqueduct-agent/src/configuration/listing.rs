use aqueduct_rules::Source;
use aqueduct_rules::settings;
use aqueduct_sandbox as sandbox;
use aqueduct_wire::json::Raw;
use serde_json::{Map, Value, json};

use super::check::check;
use super::plain::plain;
use super::scope::{SettingsScope, file_of};
use super::{Configuration, ConfigurationError};
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::hook_config;

impl Configuration {
    /// The effective settings, merged from all scopes, and the settings of each scope.
    pub(crate) fn listing(&self) -> (Raw<'static>, Vec<Raw<'static>>) {
        let mut effective = Map::new();
        let mut sources: Vec<(Source, Value)> = Vec::new();
        for scope in &self.scopes {
            for (name, value) in scope.value.as_object().into_iter().flatten() {
                effective.insert(name.clone(), value.clone());
            }
            match sources.last_mut() {
                Some((source, Value::Object(settings))) if *source == scope.source => {
                    settings.extend(scope.value.as_object().cloned().into_iter().flatten());
                }
                _ => sources.push((scope.source, scope.value.clone())),
            }
        }
        let listed = |(source, settings): &(Source, Value)| {
            Raw::from(&json!({ "source": source.name(), "settings": settings }))
        };
        (Raw::from(&Value::Object(effective)), sources.iter().map(listed).collect())
    }

    /// Each scope by the file or the name of its source, with the names of what it sets.
    pub(crate) fn in_short(&self, environment: &Environment) -> Vec<(String, Vec<String>)> {
        let in_short = |scope: &SettingsScope| {
            let file = file_of(environment, scope.source).map(|path| path.display().to_string());
            let names = scope.value.as_object().into_iter().flatten().map(|(name, _)| name.clone());
            (file.unwrap_or_else(|| scope.source.name().to_owned()), names.collect())
        };
        self.scopes.iter().map(in_short).collect()
    }

    /// Whether there are settings of the organisation.
    pub(crate) fn has_policy(&self) -> bool {
        self.scopes.iter().any(|scope| scope.source == Source::PolicySettings)
    }

    /// Takes out the members that are null, and what the same source set under their names before.
    fn clear(&mut self, source: Source, value: &mut Value) {
        let Value::Object(members) = value else { return };
        let cleared: Vec<String> =
            members.iter().filter(|(_, value)| value.is_null()).map(|(name, _)| name.clone()).collect();
        members.retain(|_, value| !value.is_null());
        for scope in self.scopes.iter_mut().filter(|scope| scope.source == source) {
            if let Value::Object(earlier) = &mut scope.value {
                earlier.retain(|name, _| !cleared.contains(name));
            }
        }
    }

    /// Takes settings of the host in, above all but the organisation's, or as these. Gives what is wrong with them.
    pub(crate) fn apply(
        &mut self,
        source: Source,
        text: &str,
    ) -> Result<Vec<Diagnostic>, ConfigurationError> {
        let (settings, errors) = settings::read("settings", text);
        if let Some(error) = errors.into_iter().next() {
            return Err(error.into());
        }
        let mut value = serde_json::from_str(&plain(text)).map_err(|error: serde_json::Error| {
            ConfigurationError::SettingsText { problem: Diagnostic::problem(error.to_string()) }
        })?;
        self.clear(source, &mut value);
        let policy = self.scopes.iter().position(|scope| scope.source == Source::PolicySettings);
        let hooks = hook_config::read_settings(source, "settings", text, &value);
        let (sandbox, problems) = sandbox::read_settings(text, &value);
        let problems = problems.into_iter().map(|problem| Diagnostic::from(problem).of("settings"));
        let diagnostics =
            hooks.diagnostics.iter().cloned().chain(problems).chain(check("settings", text, &value));
        let diagnostics = diagnostics.collect();
        let scope = SettingsScope {
            source,
            settings,
            name: "settings".to_owned(),
            text: text.to_owned(),
            value,
            hooks,
            sandbox,
        };
        self.scopes.insert(policy.unwrap_or(self.scopes.len()), scope);
        Ok(diagnostics)
    }
}
