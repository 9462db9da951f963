//! Hooks that skills and subagents bring: they hold while these are at work.

use serde_json::Value;

use super::hooks::Hooks;
use super::occasion::HookOccurrence;
use super::run::lock;
use crate::configuration::Configuration;
use crate::hook_config::{ConfiguredHook, HookEventRow};

/// The hooks of a skill or a subagent that is at work.
#[derive(Debug)]
pub(super) struct ScopedHooks {
    /// Whose they are.
    by: String,
    /// The subagent in which they hold; everywhere, where it is nobody's.
    agent: Option<String>,
    hooks: Vec<ConfiguredHook>,
}

impl Hooks {
    /// Lets hooks hold, in a subagent or everywhere. Those that hold already are not taken in twice.
    pub(crate) fn bring(&self, by: &str, agent: Option<&str>, hooks: &[ConfiguredHook]) {
        let mut scoped = lock(&self.scoped);
        let is_known = |known: &ScopedHooks| known.by == by && known.agent.as_deref() == agent;
        if hooks.is_empty() || scoped.iter().any(is_known) {
            return;
        }
        let hooks = hooks.iter().map(|hook| match agent {
            Some(_) => in_subagent(hook),
            None => hook.clone(),
        });
        scoped.push(ScopedHooks {
            by: by.to_owned(),
            agent: agent.map(str::to_owned),
            hooks: hooks.collect(),
        });
    }

    /// A subagent is done: its hooks hold no longer.
    pub(crate) fn take_away(&self, agent: &str) {
        lock(&self.scoped).retain(|known| known.agent.as_deref() != Some(agent));
    }

    /// A conversation begins anew: nothing of the old one holds.
    pub(crate) fn clear_scoped(&self) {
        lock(&self.scoped).retain(|known| known.agent.is_some());
    }

    /// The hooks that hold for an occurrence. One that wants to run once has run then.
    pub(super) fn scoped_for(
        &self,
        occasion: &HookOccurrence,
        configuration: &Configuration,
    ) -> Vec<ConfiguredHook> {
        let agent = occasion.agent.as_ref().map(|agent| agent.id.as_str());
        let mut meant = Vec::new();
        for scoped in lock(&self.scoped).iter_mut() {
            if scoped.agent.is_some() && scoped.agent.as_deref() != agent {
                continue;
            }
            scoped.hooks.retain(|hook| {
                let is_meant = occasion.concerns(hook) && configuration.lets_others_run();
                if is_meant {
                    meant.push(hook.clone());
                }
                !(is_meant && hook.config.get("once") == Some(&Value::Bool(true)))
            });
        }
        meant
    }

    /// Whether there is a hook for an event.
    pub(super) fn brings(&self, event: &str) -> bool {
        lock(&self.scoped).iter().flat_map(|scoped| &scoped.hooks).any(|hook| hook.event.name == event)
    }
}

/// A hook as it holds in a subagent: what ends there is the subagent.
fn in_subagent(hook: &ConfiguredHook) -> ConfiguredHook {
    let event = match hook.event.name {
        "Stop" => HookEventRow::named("SubagentStop").unwrap_or(hook.event),
        _ => hook.event,
    };
    ConfiguredHook { event, ..hook.clone() }
}
