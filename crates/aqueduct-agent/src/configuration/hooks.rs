use aqueduct_rules::Source;
use serde_json::Value;

use super::Configuration;
use super::scope::SettingsScope;
use crate::diagnostic::Diagnostic;
use crate::hook_config::{ConfiguredHook, HooksRead};
use crate::provision::ProvisionKind;

/// The settings for hooks as a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct HooksPolicy {
    /// The organisation has switched hooks off.
    pub(crate) disabled_by_policy: bool,
    /// Only the organisation's hooks run.
    pub(crate) managed_only: bool,
    /// The user has switched hooks off; the organisation's run all the same.
    pub(crate) all_disabled: bool,
    /// How many hooks the organisation has.
    pub(crate) policy_hooks: usize,
}

impl Configuration {
    /// The hooks that may run. Those of a folder that is not trusted are withheld.
    pub(crate) fn hooks(&self) -> impl Iterator<Item = &ConfiguredHook> {
        let policy = self.hooks_policy();
        let only_managed = policy.managed_only || policy.all_disabled;
        let counts = move |scope: &&SettingsScope| match scope.source {
            Source::PolicySettings => true,
            _ => !only_managed,
        };
        let scopes = self.scopes.iter().filter(move |_| !policy.disabled_by_policy).filter(counts);
        let plugins = self.plugins.hooks.iter().filter(move |_| !policy.disabled_by_policy && !only_managed);
        scopes.flat_map(|scope| &scope.hooks.hooks).chain(plugins)
    }

    /// The texts under a name, of all sources together; none, where no source has the name.
    pub(crate) fn texts(&self, name: &str) -> Option<Vec<String>> {
        let lists: Vec<&Value> = self.scopes.iter().filter_map(|scope| scope.value.get(name)).collect();
        let texts = lists.iter().filter_map(|list| list.as_array()).flatten();
        let texts = texts.filter_map(|text| text.as_str().map(str::to_owned)).collect();
        (!lists.is_empty()).then_some(texts)
    }

    /// Whether hooks outside settings files may run.
    pub(crate) fn lets_others_run(&self) -> bool {
        let policy = self.hooks_policy();
        !(policy.disabled_by_policy || policy.managed_only || policy.all_disabled)
    }

    /// Takes in the hooks of plugins.
    pub(crate) fn add_plugins(&mut self, hooks: HooksRead) {
        self.plugins = hooks;
    }

    /// The settings for hooks as a whole.
    pub(crate) fn hooks_policy(&self) -> HooksPolicy {
        let policy = |scope: &&SettingsScope| scope.source == Source::PolicySettings;
        let is_set = |scope: &SettingsScope, name: &str| scope.value.get(name) == Some(&Value::Bool(true));
        let last_word = self
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.value.get("disableAllHooks").and_then(Value::as_bool));
        let managed = || self.scopes.iter().filter(policy);
        HooksPolicy {
            disabled_by_policy: managed().any(|scope| is_set(scope, "disableAllHooks")),
            managed_only: managed().any(|scope| is_set(scope, "allowManagedHooksOnly")),
            all_disabled: last_word == Some(true),
            policy_hooks: managed().map(|scope| scope.hooks.hooks.len()).sum(),
        }
    }

    /// What is wrong with the hooks of settings files, and how many of them are withheld.
    pub(crate) fn hook_diagnostics(&self) -> Vec<Diagnostic> {
        let read = self.scopes.iter().map(|scope| &scope.hooks).chain([&self.plugins]);
        let diagnostics = read.flat_map(|hooks| hooks.diagnostics.iter().cloned());
        let withheld =
            self.withheld().iter().filter(|provision| provision.kind == ProvisionKind::Hook).count();
        let note = (withheld > 0).then(|| {
            let what = format!("{withheld} hooks of this folder don't run: it is not trusted");
            Diagnostic::problem(what).sentence("`aqueduct trust` shows them and asks")
        });
        diagnostics.chain(note).collect()
    }
}
