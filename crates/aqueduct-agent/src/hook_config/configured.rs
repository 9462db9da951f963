//! Hooks of settings files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use aqueduct_rules::Source;
use serde_json::{Value, json};

use super::action::HookAction;
use super::event::HookEventRow;
use super::matcher::EventMatcher;
use crate::provision::{Provision, ProvisionKind};

/// A hook of a settings file, of front matter or of a plugin.
#[derive(Debug, Clone)]
pub(crate) struct ConfiguredHook {
    /// When it runs.
    pub(crate) event: &'static HookEventRow,
    /// For which occurrences.
    pub(crate) matcher: EventMatcher,
    /// The matcher as it was written.
    pub(crate) matcher_text: String,
    /// What it does.
    pub(crate) action: HookAction,
    /// How long it may take.
    pub(crate) timeout: Option<Duration>,
    /// A permission rule that the call must match.
    pub(crate) condition: Option<String>,
    /// Which settings it comes from.
    pub(crate) source: Source,
    /// The folder of the plugin that brings it.
    pub(crate) root: Option<PathBuf>,
    /// The hook as it was written.
    pub(crate) config: Value,
    /// Its line in the file, from 1.
    pub(crate) line: usize,
}

impl ConfiguredHook {
    /// What a file provides with it. `position` is its place among the hooks of that file, `owner` the skill, command
    /// or subagent that it belongs to.
    pub(crate) fn provision(&self, file: &Path, position: usize, owner: Option<&str>) -> Provision {
        let mut name = self.event.name.to_owned();
        if !self.matcher_text.is_empty() {
            name = format!("{name} {}", self.matcher_text);
        }
        let content = json!({
            "event": self.event.name,
            "matcher": self.matcher_text,
            "hook": self.config,
            "position": position,
            "owner": owner,
        });
        let mut detail = self.action.described();
        if let Some(condition) = &self.condition {
            detail = format!("{detail} (for {condition})");
        }
        if let Some(owner) = owner {
            detail = format!("{detail} (while {owner} is in use)");
        }
        Provision::new(ProvisionKind::Hook, file, &name, &content, detail).at(self.line)
    }

    /// Whether an event that is about `subject` concerns it.
    pub(crate) fn is_meant(&self, event: &HookEventRow, subject: Option<&str>) -> bool {
        self.event.name == event.name && self.matcher.fits(subject)
    }

    /// Whether another hook would do the same for the same calls.
    pub(crate) fn is_same(&self, other: &ConfiguredHook) -> bool {
        self.condition == other.condition && self.action.is_same(&other.action)
    }
}
