//! Hooks as they are configured: the table of events, and hooks of settings files, plugins and front matter.

mod action;
mod configured;
mod event;
mod front_matter_hooks;
mod matcher;
mod plugin_hooks;
mod read;
mod read_action;

pub(crate) use action::{AgentAction, CommandAction, HookAction, HttpAction, McpToolAction, PromptAction};
pub(crate) use configured::ConfiguredHook;
pub(crate) use event::{EVENTS, HookEventRow};
pub(crate) use front_matter_hooks::of_front_matter;
pub(crate) use matcher::EventMatcher;
pub(crate) use plugin_hooks::of_plugins;
pub(crate) use read::{HooksRead, read as read_settings};

/// Whether hooks can be configured under a name.
pub(crate) fn is_event(name: &str) -> bool {
    HookEventRow::named(name).is_some()
}
