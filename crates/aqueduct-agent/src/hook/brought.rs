//! Hooks that skills and subagents bring: they hold while these are at work.

use std::path::Path;

use aqueduct_rules::Source;
use serde_json::Value;

use super::configured::ConfiguredHook;
use super::event::Event;
use super::hooks::Hooks;
use super::occasion::Occasion;
use super::read;
use super::run::lock;
use crate::configuration::Configuration;
use crate::front_matter::FrontMatter;

/// Where they stand in front matter.
const KEY: &str = "hooks";

/// The hooks of a skill or a subagent that is at work.
#[derive(Debug)]
pub(super) struct Brought {
    /// Whose they are.
    by: String,
    /// The subagent in which they hold; everywhere, where it is nobody's.
    agent: Option<String>,
    hooks: Vec<ConfiguredHook>,
}

/// The hooks of front matter.
#[derive(Debug, Default)]
pub(crate) struct MatterHooks {
    /// Those that can be read. They run.
    pub(crate) hooks: Vec<ConfiguredHook>,
    /// A hook can't be read. It may have guarded what the file grants, so that the file must grant nothing.
    pub(crate) is_incomplete: bool,
}

/// Reads the hooks of front matter. What is wrong with them is a mistake of the file.
pub(crate) fn of_front_matter(
    matter: &mut FrontMatter<'_>,
    source: Source,
    plugin: Option<&Path>,
) -> MatterHooks {
    let is_misspelt = matter.is_misspelt(KEY);
    let Some(text) = matter.nested(KEY) else {
        let is_incomplete = is_misspelt || !matter.is_empty(KEY);
        return MatterHooks { hooks: Vec::new(), is_incomplete };
    };
    // It was written as JSON.
    let value = serde_json::from_str(&text).unwrap_or(Value::Null);
    let read = read::read_lines(source, &text, &value);
    for (line, what) in read.wrong {
        matter.wrong(line, &what);
    }
    let root = plugin.map(Path::to_owned);
    let hooks = read.hooks.into_iter().map(|hook| ConfiguredHook { root: root.clone(), ..hook }).collect();
    MatterHooks { hooks, is_incomplete: is_misspelt || read.is_incomplete }
}

impl Hooks {
    /// Lets hooks hold, in a subagent or everywhere. Those that hold already are not taken in twice.
    pub(crate) fn bring(&self, by: &str, agent: Option<&str>, hooks: &[ConfiguredHook]) {
        let mut brought = lock(&self.brought);
        let is_known = |known: &Brought| known.by == by && known.agent.as_deref() == agent;
        if hooks.is_empty() || brought.iter().any(is_known) {
            return;
        }
        let hooks = hooks.iter().map(|hook| match agent {
            Some(_) => in_subagent(hook),
            None => hook.clone(),
        });
        brought.push(Brought { by: by.to_owned(), agent: agent.map(str::to_owned), hooks: hooks.collect() });
    }

    /// A subagent is done: its hooks hold no longer.
    pub(crate) fn take_away(&self, agent: &str) {
        lock(&self.brought).retain(|known| known.agent.as_deref() != Some(agent));
    }

    /// A conversation begins anew: nothing of the old one holds.
    pub(crate) fn forget_brought(&self) {
        lock(&self.brought).retain(|known| known.agent.is_some());
    }

    /// The hooks that hold for an occurrence. One that wants to run once has run then.
    pub(super) fn brought_for(
        &self,
        occasion: &Occasion,
        configuration: &Configuration,
    ) -> Vec<ConfiguredHook> {
        let agent = occasion.agent.as_ref().map(|agent| agent.id.as_str());
        let mut meant = Vec::new();
        for brought in lock(&self.brought).iter_mut() {
            if brought.agent.is_some() && brought.agent.as_deref() != agent {
                continue;
            }
            brought.hooks.retain(|hook| {
                let is_meant = hook.is_meant(occasion) && configuration.lets_others_run();
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
        lock(&self.brought).iter().flat_map(|brought| &brought.hooks).any(|hook| hook.event.name == event)
    }
}

/// A hook as it holds in a subagent: what ends there is the subagent.
fn in_subagent(hook: &ConfiguredHook) -> ConfiguredHook {
    let event = match hook.event.name {
        "Stop" => Event::named("SubagentStop").unwrap_or(hook.event),
        _ => hook.event,
    };
    ConfiguredHook { event, ..hook.clone() }
}
