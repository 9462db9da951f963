//! What the settings files of a project folder run or widen, and how each of it is withheld without trust.
//!
//! [`ROWS`] is the one table for both: what a row lists is what the user is shown and what the digest binds, and what
//! the row withholds is exactly that. A member of settings that is not in the table needs no trust.

use std::path::Path;

use aqueduct_rules::settings::{PathStep, Settings, line_of};
use aqueduct_rules::{Mode, Source};
use serde_json::{Map, Value, json};

use super::Configuration;
use super::check::is_variable;
use super::scope::SettingsScope;
use crate::provision::{AcceptedProvisions, Provision, ProvisionKind};

/// One kind of provision in settings.
struct ProvisionRow {
    /// Names what a settings file provides.
    list: fn(&SettingsScope) -> Vec<Provision>,
    /// Takes away what is not accepted.
    withhold: fn(&mut SettingsScope, &AcceptedProvisions),
}

/// Every kind of provision in settings.
const ROWS: &[ProvisionRow] = &[
    ProvisionRow { list: hooks, withhold: withhold_hooks },
    ProvisionRow { list: servers, withhold: |_, _| () /* Each is asked about by itself: `mcp`. */ },
    ProvisionRow {
        list: helpers,
        withhold: |scope, accepted| withhold_members(scope, accepted, helpers, HELPERS),
    },
    ProvisionRow { list: allow_rules, withhold: withhold_allow_rules },
    ProvisionRow { list: directories, withhold: withhold_directories },
    ProvisionRow { list: mode, withhold: withhold_mode },
    ProvisionRow { list: variables, withhold: withhold_variables },
    ProvisionRow { list: sandbox, withhold: withhold_sandbox },
    ProvisionRow {
        list: hooks_off,
        withhold: |scope, accepted| withhold_members(scope, accepted, hooks_off, HOOKS_OFF),
    },
    ProvisionRow {
        list: http_lists,
        withhold: |scope, accepted| withhold_members(scope, accepted, http_lists, HTTP_LISTS),
    },
    ProvisionRow {
        list: approvals,
        withhold: |scope, accepted| withhold_members(scope, accepted, approvals, APPROVALS),
    },
];

/// Members that name commands and plugins. This agent runs none of them; the reference CLI does.
const HELPERS: &[&str] = &[
    "apiKeyHelper",
    "awsAuthRefresh",
    "awsCredentialExport",
    "gcpAuthRefresh",
    "otelHeadersHelper",
    "proxyAuthHelper",
    "statusLine",
    "subagentStatusLine",
    "fileSuggestion",
    "enabledPlugins",
    "extraKnownMarketplaces",
    "skipDangerousModePermissionPrompt",
];

/// Members that switch hooks off.
const HOOKS_OFF: &[&str] = &["disableAllHooks"];

/// Members that limit HTTP hooks, the user's too. Lists of several files are one.
const HTTP_LISTS: &[&str] = &["allowedHttpHookUrls", "httpHookAllowedEnvVars"];

/// Members that approve MCP servers of the folder.
const APPROVALS: &[&str] = &["enableAllProjectMcpServers", "enabledMcpjsonServers"];

/// What a settings file of the project folder provides.
pub(super) fn provisions(scope: &SettingsScope) -> Vec<Provision> {
    ROWS.iter().flat_map(|row| (row.list)(scope)).collect()
}

/// Takes away what is not accepted.
pub(super) fn withhold(scope: &mut SettingsScope, accepted: &AcceptedProvisions) {
    for row in ROWS {
        (row.withhold)(scope, accepted);
    }
}

/// The rule of a settings file that allows calls.
pub(crate) fn allow_rule(file: &Path, rule: &str) -> Provision {
    Provision::new(ProvisionKind::AllowRule, file, rule, &Value::Null, String::new())
}

/// The further directory of a settings file.
pub(crate) fn directory(file: &Path, path: &str) -> Provision {
    Provision::new(ProvisionKind::Directory, file, path, &Value::Null, String::new())
}

/// The mode of a settings file, where it waives questions. More careful ones need no trust, and bypassing is never a
/// project's to choose.
pub(crate) fn default_mode(file: &Path, mode: Mode) -> Option<Provision> {
    let detail = "edits in the working directories are not asked about".to_owned();
    (mode == Mode::AcceptEdits)
        .then(|| Provision::new(ProvisionKind::Mode, file, mode.name(), &Value::Null, detail))
}

impl SettingsScope {
    fn file(&self) -> &Path {
        Path::new(&self.name)
    }

    fn line(&self, path: &[PathStep<'_>]) -> usize {
        line_of(&self.text, path)
    }

    fn permission(&self, name: &str, index: Option<usize>) -> usize {
        let mut path = vec![PathStep::Member("permissions"), PathStep::Member(name)];
        path.extend(index.map(PathStep::Item));
        self.line(&path)
    }

    fn object(&self, name: &str) -> impl Iterator<Item = (&String, &Value)> {
        self.value.get(name).and_then(Value::as_object).into_iter().flatten()
    }
}

fn hooks(scope: &SettingsScope) -> Vec<Provision> {
    let hooks = scope.hooks.hooks.iter().enumerate();
    hooks.map(|(position, hook)| hook.provision(scope.file(), position, None)).collect()
}

fn withhold_hooks(scope: &mut SettingsScope, accepted: &AcceptedProvisions) {
    let keeps: Vec<bool> = hooks(scope).iter().map(|hook| accepted.covers(hook)).collect();
    let mut keeps = keeps.into_iter();
    scope.hooks.hooks.retain(|_| keeps.next() == Some(true));
    // Hosts are shown the value under this name as the effective one.
    if scope.hooks.hooks.is_empty() {
        remove(&mut scope.value, "hooks");
    }
}

fn servers(scope: &SettingsScope) -> Vec<Provision> {
    let server = |(name, entry): (&String, &Value)| {
        let line = scope.line(&[PathStep::Member("mcpServers"), PathStep::Member(name)]);
        crate::provision::provided_server(scope.file(), name, entry).at(line)
    };
    scope.object("mcpServers").map(server).collect()
}

fn helpers(scope: &SettingsScope) -> Vec<Provision> {
    members(scope, ProvisionKind::Helper, HELPERS)
}

fn hooks_off(scope: &SettingsScope) -> Vec<Provision> {
    members(scope, ProvisionKind::HooksOff, HOOKS_OFF)
}

/// Lists that limit HTTP hooks. An empty one allows nothing.
fn http_lists(scope: &SettingsScope) -> Vec<Provision> {
    listed(scope, ProvisionKind::HooksOff, HTTP_LISTS, Value::is_null)
}

fn approvals(scope: &SettingsScope) -> Vec<Provision> {
    members(scope, ProvisionKind::ServerApproval, APPROVALS)
}

/// Members of settings as they are. A member that is off or empty provides nothing.
fn members(scope: &SettingsScope, kind: ProvisionKind, names: &[&str]) -> Vec<Provision> {
    listed(scope, kind, names, is_empty_value)
}

fn listed(
    scope: &SettingsScope,
    kind: ProvisionKind,
    names: &[&str],
    is_empty_value: fn(&Value) -> bool,
) -> Vec<Provision> {
    let is_set = |name: &&str| scope.value.get(*name).is_some_and(|value| !is_empty_value(value));
    let provision = |name: &&str| {
        let value = &scope.value[*name];
        let detail = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Provision::new(kind, scope.file(), name, value, detail).at(scope.line(&[PathStep::Member(name)]))
    };
    names.iter().filter(|name| is_set(name)).map(provision).collect()
}

fn is_empty_value(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

fn withhold_members(
    scope: &mut SettingsScope,
    accepted: &AcceptedProvisions,
    list: fn(&SettingsScope) -> Vec<Provision>,
    names: &[&str],
) {
    let kept: Vec<Provision> = list(scope).into_iter().filter(|member| accepted.covers(member)).collect();
    for name in names.iter().filter(|name| kept.iter().all(|kept| kept.name != **name)) {
        remove(&mut scope.value, name);
    }
}

fn allow_rules(scope: &SettingsScope) -> Vec<Provision> {
    let rules = scope.settings.allow.iter().enumerate();
    rules
        .map(|(index, rule)| allow_rule(scope.file(), rule).at(scope.permission("allow", Some(index))))
        .collect()
}

fn withhold_allow_rules(scope: &mut SettingsScope, accepted: &AcceptedProvisions) {
    let file = scope.name.clone();
    scope.settings.allow.retain(|rule| accepted.covers(&allow_rule(Path::new(&file), rule)));
    let allow = json!(scope.settings.allow);
    if let Some(Value::Object(permissions)) = scope.value.get_mut("permissions") {
        replace(permissions, "allow", allow);
    }
}

fn directories(scope: &SettingsScope) -> Vec<Provision> {
    let paths = scope.settings.additional_directories.iter().enumerate();
    let provision = |(index, path): (usize, &String)| {
        directory(scope.file(), path).at(scope.permission("additionalDirectories", Some(index)))
    };
    paths.map(provision).collect()
}

fn withhold_directories(scope: &mut SettingsScope, accepted: &AcceptedProvisions) {
    let file = scope.name.clone();
    let keeps = |path: &String| accepted.covers(&directory(Path::new(&file), path));
    scope.settings.additional_directories.retain(keeps);
    let directories = json!(scope.settings.additional_directories);
    if let Some(Value::Object(permissions)) = scope.value.get_mut("permissions") {
        replace(permissions, "additionalDirectories", directories);
    }
}

fn mode(scope: &SettingsScope) -> Vec<Provision> {
    let provision = scope.settings.default_mode.and_then(|mode| default_mode(scope.file(), mode));
    provision.map(|mode| mode.at(scope.permission("defaultMode", None))).into_iter().collect()
}

fn withhold_mode(scope: &mut SettingsScope, accepted: &AcceptedProvisions) {
    if mode(scope).iter().any(|mode| !accepted.covers(mode)) {
        scope.settings.default_mode = None;
        if let Some(Value::Object(permissions)) = scope.value.get_mut("permissions") {
            permissions.remove("defaultMode");
        }
    }
}

fn variable(file: &Path, name: &str, value: &Value) -> Provision {
    let detail = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Provision::new(ProvisionKind::Variable, file, name, value, detail)
}

fn variables(scope: &SettingsScope) -> Vec<Provision> {
    let is_set = |(name, value): &(&String, &Value)| {
        is_variable(name) && matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_))
    };
    let provision = |(name, value): (&String, &Value)| {
        let line = scope.line(&[PathStep::Member("env"), PathStep::Member(name)]);
        variable(scope.file(), name, value).at(line)
    };
    scope.object("env").filter(is_set).map(provision).collect()
}

fn withhold_variables(scope: &mut SettingsScope, accepted: &AcceptedProvisions) {
    let file = scope.name.clone();
    if let Some(Value::Object(env)) = scope.value.get_mut("env") {
        env.retain(|name, value| accepted.covers(&variable(Path::new(&file), name, value)));
    }
}

fn loose(file: &Path, member: &str, effect: &str) -> Provision {
    Provision::new(ProvisionKind::Sandbox, file, member, &json!(effect), effect.to_owned())
}

fn sandbox(scope: &SettingsScope) -> Vec<Provision> {
    let provision = |(member, effect): (&'static str, String)| {
        let path = member.split('.').map(PathStep::Member);
        let path: Vec<PathStep<'_>> = std::iter::once(PathStep::Member("sandbox")).chain(path).collect();
        loose(scope.file(), member, &effect).at(scope.line(&path))
    };
    scope.sandbox.loosening().into_iter().map(provision).collect()
}

fn withhold_sandbox(scope: &mut SettingsScope, accepted: &AcceptedProvisions) {
    let file = scope.name.clone();
    scope.sandbox.tighten(|member, effect| accepted.covers(&loose(Path::new(&file), member, effect)));
}

fn remove(value: &mut Value, name: &str) {
    if let Value::Object(members) = value {
        members.remove(name);
    }
}

fn replace(members: &mut Map<String, Value>, name: &str, value: Value) {
    if let Some(member) = members.get_mut(name) {
        *member = value;
    }
}

impl Configuration {
    /// What the settings files of the project folder provide, whichever of them count.
    pub(crate) fn provisions(&self) -> Vec<Provision> {
        self.of_folder.iter().flat_map(provisions).collect()
    }

    /// What of it would count and is withheld.
    pub(crate) fn withheld(&self) -> Vec<Provision> {
        let counts = |scope: &&SettingsScope| self.chosen.contains(&scope.source);
        let all = self.of_folder.iter().filter(counts).flat_map(provisions);
        all.filter(|provision| !self.accepted.covers(provision)).collect()
    }

    /// What of the project folder is in effect.
    pub(crate) fn accepted(&self) -> &AcceptedProvisions {
        &self.accepted
    }

    /// The permissions in the settings files of the project folder, as far as they are in effect.
    pub(crate) fn folder_settings(&self) -> Vec<(Source, Settings)> {
        let of_folder = self.scopes.iter().filter(|scope| is_in_the_folder(scope.source));
        of_folder.map(|scope| (scope.source, scope.settings.clone())).collect()
    }

    /// Whether the user trusts the folder in the reference CLI.
    pub(crate) fn is_recorded_as_trusted(&self) -> bool {
        self.records.is_trusted()
    }

    /// Limits the project folder's settings to those that are accepted.
    pub(crate) fn hold_to(&mut self, accepted: AcceptedProvisions) {
        for scope in self.scopes.iter_mut().filter(|scope| is_in_the_folder(scope.source)) {
            let Some(whole) = self.of_folder.iter().find(|whole| whole.source == scope.source) else {
                continue;
            };
            *scope = whole.clone();
            withhold(scope, &accepted);
        }
        self.accepted = accepted;
    }
}

/// How much a mode allows: the lower, the more careful.
pub(super) fn rank(mode: Mode) -> u8 {
    match mode {
        Mode::Plan => 0,
        Mode::DontAsk => 1,
        Mode::Default | Mode::Delegate => 2,
        Mode::AcceptEdits => 3,
        Mode::BypassPermissions => 4,
    }
}

/// Whether a source's settings file is in the project folder.
pub(super) fn is_in_the_folder(source: Source) -> bool {
    matches!(source, Source::ProjectSettings | Source::LocalSettings)
}

#[cfg(test)]
mod tests;
