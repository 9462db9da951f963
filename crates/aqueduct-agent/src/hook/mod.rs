//! Hooks: actions that users and hosts run at defined points of a conversation.
//!
//! A hook is an entry of a settings file (a command, an HTTP request, a question to a model, a verifying agent or a
//! call of an MCP tool) or a callback of the host. `Session::fire` runs all hooks of an event concurrently, waits for
//! them, and combines their replies; `Session::observe` does not wait. Each event has a function of its own on
//! [`crate::session::AgentSession`], in one of the `*_events` files. A hook that fails, hangs or returns invalid
//! output causes a notice, and at most the refusal of its event.
//!
//! | file | contents |
//! |---|---|
//! | `event.rs` | the table of events |
//! | `*_events.rs` | a function for each event |
//! | `hooks.rs`, `configured.rs`, `action.rs`, `matcher.rs` | all hooks of a session; those of settings files, what each does, and what it matches |
//! | `read.rs`, `read_action.rs`, `callback.rs`, `plugin_hooks.rs`, `scoped.rs` | hooks from settings, from the host, from plugins, from skills and subagents |
//! | `fire.rs`, `run.rs` | the hooks of an event; one hook |
//! | `command_run.rs`, `process.rs`, `http.rs`, `mcp_tool.rs`, `judge.rs`, `verifier.rs` | its kinds: command, HTTP request, MCP tool, question to a model, verifying agent |
//! | `input.rs`, `occasion.rs`, `substitute.rs`, `conversation.rs` | what a hook receives; one occurrence of an event; references in hooks; the conversation as text, for judges |
//! | `reply.rs`, `outcome.rs`, `frames.rs`, `listing.rs` | the reply of one hook, the outcome of all, frames about hooks, the list of hooks |
//! | `file_watch.rs` | files that hooks watch |

mod callback;
mod command_run;
mod conversation;
mod elicitation_events;
mod file_watch;
mod fire;
mod frames;
mod hooks;
mod http;
mod input;
mod judge;
mod listing;
mod mcp_tool;
mod occasion;
mod outcome;
mod process;
mod reply;
mod run;
mod scoped;
mod session_events;
mod substitute;
mod task_events;
mod tool_events;
mod turn_events;
mod verifier;
mod worktree_events;

pub(crate) use hooks::Hooks;
pub(crate) use outcome::HooksOutcome;
pub(crate) use session_events::ModelSwitch;
pub(crate) use tool_events::HookedCall;
pub(crate) use turn_events::FinalAnswer;
pub(crate) use verifier::VerifierError;
pub(crate) use worktree_events::{HookPlace, WorktreeHookSet};
