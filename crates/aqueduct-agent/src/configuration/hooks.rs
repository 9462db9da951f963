use aqueduct_rules::Source;
use serde_json::Value;

use super::Configuration;
use super::scope::Scope;
use crate::hook::{CommandHook, HooksRead};

/// What settings say about hooks as a whole.
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
    /// The hooks that may run. Those of a folder that is not trusted may not: they are commands that came with
    /// the folder.
    pub(crate) fn hooks(&self) -> impl Iterator<Item = &CommandHook> {
        let policy = self.hooks_policy();
        let only_managed = policy.managed_only || policy.all_disabled;
        let counts = move |scope: &&Scope| match scope.source {
            Source::PolicySettings => true,
            _ if only_managed => false,
            source => self.is_trusted || !is_in_the_folder(source),
        };
        let scopes = self.scopes.iter().filter(move |_| !policy.disabled_by_policy).filter(counts);
        let plugins = self.plugins.hooks.iter().filter(move |_| !policy.disabled_by_policy && !only_managed);
        scopes.flat_map(|scope| &scope.hooks.hooks).chain(plugins)
    }

    /// Whether a hook that stands in no settings file may run.
    pub(crate) fn lets_run(&self, hook: &CommandHook) -> bool {
        let policy = self.hooks_policy();
        let is_off = policy.disabled_by_policy || policy.managed_only || policy.all_disabled;
        !is_off && (self.is_trusted || !is_in_the_folder(hook.source))
    }

    /// Takes in the hooks of plugins.
    pub(crate) fn add_plugins(&mut self, hooks: HooksRead) {
        self.plugins = hooks;
    }

    /// What settings say about hooks as a whole.
    pub(crate) fn hooks_policy(&self) -> HooksPolicy {
        let policy = |scope: &&Scope| scope.source == Source::PolicySettings;
        let says = |scope: &Scope, name: &str| scope.value.get(name) == Some(&Value::Bool(true));
        // A folder that is not trusted must not silence the user's own guards.
        let trusted = |scope: &&Scope| self.is_trusted || !is_in_the_folder(scope.source);
        let last_word = self
            .scopes
            .iter()
            .rev()
            .filter(trusted)
            .find_map(|scope| scope.value.get("disableAllHooks").and_then(Value::as_bool));
        let managed = || self.scopes.iter().filter(policy);
        HooksPolicy {
            disabled_by_policy: managed().any(|scope| says(scope, "disableAllHooks")),
            managed_only: managed().any(|scope| says(scope, "allowManagedHooksOnly")),
            all_disabled: last_word == Some(true),
            policy_hooks: managed().map(|scope| scope.hooks.hooks.len()).sum(),
        }
    }

    /// What is wrong with the hooks of settings files, and which of them don't run for want of trust.
    pub(crate) fn hook_mistakes(&self) -> Vec<String> {
        self.scopes
            .iter()
            .map(|scope| &scope.hooks)
            .chain([&self.plugins])
            .flat_map(|hooks| hooks.mistakes.iter().cloned())
            .chain(self.untrusted())
            .collect()
    }

    /// A word about hooks that don't run because the folder is not trusted.
    pub(super) fn untrusted(&self) -> Option<String> {
        let of_folder = self.scopes.iter().filter(|scope| is_in_the_folder(scope.source));
        let count = of_folder.map(|scope| scope.hooks.hooks.len()).sum::<usize>();
        (count > 0 && !self.is_trusted).then(|| {
            format!(
                "{count} hooks in .claude/settings*.json don't run: this folder is not trusted. To trust it, accept \
                 it in the reference CLI's dialog, or let the host say so with workspaceTrust"
            )
        })
    }

    /// Whether the user trusts the folder.
    pub(crate) fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    /// The host says that the user trusts the folder.
    pub(crate) fn trust(&mut self) {
        self.is_trusted = true;
    }
}

/// Whether the settings of a source lie in the project's folder.
fn is_in_the_folder(source: Source) -> bool {
    matches!(source, Source::ProjectSettings | Source::LocalSettings)
}
