//! Hooks: what users and hosts want to happen at points of a conversation.
//!
//! A hook is a command of a settings file or a callback of the host. `Session::fire` runs all hooks of an event
//! side by side, waits for them, and combines what they said; `Session::observe` does not wait. Each event has a
//! function of its own on [`crate::session::Session`], in one of the `*_events` files. A hook that fails, hangs or
//! answers with rubbish costs a note, and no more than its event can be refused.

mod brought;
mod callback;
mod command_hook;
mod elicitation_events;
mod event;
mod file_watch;
mod fire;
mod frames;
mod hooks;
mod input;
mod listing;
mod matcher;
mod occasion;
mod outcome;
mod plugin_hooks;
mod process;
mod reply;
mod run;
mod session_events;
mod task_events;
mod tool_events;
mod turn_events;

pub(crate) use brought::of_front_matter;
pub(crate) use command_hook::{CommandHook, HooksRead, read as read_settings};
pub(crate) use elicitation_events::{Consultation, Word};
pub(crate) use hooks::Hooks;
pub(crate) use outcome::{Outcome, Verdict};
pub(crate) use plugin_hooks::of_plugins;
pub(crate) use session_events::ModelSwitch;
pub(crate) use tool_events::CallTold;
