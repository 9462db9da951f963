//! Hooks that skills and subagents bring in their front matter.

use std::path::Path;

use aqueduct_rules::Source;

use super::command_hook::{self, CommandHook, HooksRead};
use super::event::Event;
use super::occasion::Occasion;
use super::run::lock;
use crate::session::Session;

/// A hook that came with a skill or a subagent.
#[derive(Debug, Clone)]
pub(super) struct Brought {
    pub(super) hook: CommandHook,
    /// The subagent in which alone it runs; everywhere, where there is none.
    agent: Option<String>,
}

impl Brought {
    /// Whether it may run now.
    pub(super) fn counts(&self, occasion: &Occasion) -> bool {
        let now = occasion.agent.as_ref().map(|agent| agent.id.as_str());
        self.agent.is_none() || self.agent.as_deref() == now
    }
}

/// Reads hooks as front matter has them. `text` has the lines of the file.
pub(crate) fn brought(path: &Path, text: Option<&str>) -> HooksRead {
    let Some(text) = text else { return HooksRead::default() };
    let value = serde_json::from_str(text).unwrap_or_default();
    command_hook::read(Source::Session, &path.display().to_string(), text, &value)
}

impl Session {
    /// From now on the hooks of a skill run, until the session ends, or in `agent` only.
    pub(crate) fn bring_hooks(&self, path: &Path, text: &str, agent: Option<&str>) {
        let mut known = lock(&self.hooks.brought);
        for mut hook in brought(path, Some(text)).hooks {
            if agent.is_some() && hook.event.name == "Stop" {
                // That is how a subagent stops.
                hook.event = Event::named("SubagentStop").unwrap_or(hook.event);
            }
            let is_same = |known: &Brought| known.agent.as_deref() == agent && known.hook.is(&hook);
            if !known.iter().any(is_same) {
                known.push(Brought { hook, agent: agent.map(str::to_owned) });
            }
        }
    }

    /// A subagent is done: its hooks are gone.
    pub(crate) fn take_hooks_back(&self, agent: &str) {
        lock(&self.hooks.brought).retain(|brought| brought.agent.as_deref() != Some(agent));
    }
}
