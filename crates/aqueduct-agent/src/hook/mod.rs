//! Hooks: what users and hosts want to happen at points of a conversation.
//!
//! A hook is an entry of a settings file (a command, an HTTP request, a question to a model, a verifying agent or a
//! call of an MCP tool) or a callback of the host. `Session::fire` runs all hooks of an event
//! side by side, waits for them, and combines what they said; `Session::observe` does not wait. Each event has a
//! function of its own on [`crate::session::Session`], in one of the `*_events` files. A hook that fails, hangs or
//! answers with rubbish costs a note, and no more than its event can be refused.

mod action;
mod brought;
mod callback;
mod command_run;
mod configured;
mod conversation;
mod elicitation_events;
mod event;
mod file_watch;
mod fire;
mod frames;
mod hooks;
mod http;
mod input;
mod judge;
mod listing;
mod matcher;
mod mcp_tool;
mod occasion;
mod outcome;
mod plugin_hooks;
mod process;
mod read;
mod read_action;
mod reply;
mod run;
mod session_events;
mod substitute;
mod task_events;
mod tool_events;
mod turn_events;
mod verifier;
mod worktree_events;

pub(crate) use brought::of_front_matter;
pub(crate) use configured::ConfiguredHook;
pub(crate) use elicitation_events::{Consultation, Word};
pub(crate) use hooks::Hooks;
pub(crate) use outcome::{Outcome, Verdict};
pub(crate) use plugin_hooks::of_plugins;
pub(crate) use read::{HooksRead, read as read_settings};
pub(crate) use session_events::ModelSwitch;
pub(crate) use tool_events::CallTold;
pub(crate) use turn_events::LastWords;
pub(crate) use worktree_events::{HookPlace, WorktreeHooks};
