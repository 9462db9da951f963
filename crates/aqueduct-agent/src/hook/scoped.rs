//! Hooks of skills and subagents, which are active while the skill or subagent is.

use aqueduct_os::mutex::lock;
use serde_json::Value;

use super::hooks::Hooks;
use super::occasion::HookOccurrence;
use crate::configuration::Configuration;
use crate::hook_config::{ConfiguredHook, HookEventRow};

/// The hooks of an active skill or a running subagent.
#[derive(Debug)]
pub(super) struct ScopedHooks {
    /// The skill or subagent that defines them.
    by: String,
    /// The subagent in which they are active; `None` if they are active everywhere.
    agent: Option<String>,
    hooks: Vec<ConfiguredHook>,
}

impl Hooks {
    /// Activates hooks, in a subagent or everywhere. Hooks that are already active are not added again.
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

    /// Deactivates the hooks of a subagent that is done.
    pub(crate) fn take_away(&self, agent: &str) {
        lock(&self.scoped).retain(|known| known.agent.as_deref() != Some(agent));
    }

    /// Deactivates the hooks of the main conversation when a new one begins. The hooks of subagents stay active.
    pub(crate) fn clear_scoped(&self) {
        lock(&self.scoped).retain(|known| known.agent.is_some());
    }

    /// The active hooks for an occurrence. A hook that runs only once is removed.
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
