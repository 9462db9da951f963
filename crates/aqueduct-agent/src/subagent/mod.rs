//! Subagents: agents that the model starts for a task, each with a conversation of its own.
//!
//! The [`SubagentRegistry`] has the subagent types. The Agent tool passes a [`SubagentTask`] to the session's loop,
//! which runs it concurrently; the [`SubagentPool`] has the subagents that run, and those that have ended.
//!
//! | file | contents |
//! |---|---|
//! | `subagent_registry.rs`, `definition.rs`, `built_in.rs`, `read.rs`, `from_host.rs` | which kinds exist: built in, in files, defined by the host |
//! | `subagent_task.rs`, `run.rs`, `report.rs`, `wait.rs` | a task, its execution, its result, how long the process waits for it |
//! | `subagent_pool.rs`, `identity.rs`, `frames.rs` | running and ended subagents, their ids, frames about them |
//! | `servers.rs`, `verifier.rs` | MCP servers of a kind; the agent behind an agent hook |

mod built_in;
mod definition;
mod from_host;
mod identity;
mod progress;
mod read;
mod registry_types;
mod report;
mod running;
mod servers;
mod subagent_pool;
mod subagent_registry;
mod subagent_task;
mod subagent_types;

pub(crate) use definition::{Definition, Whose, is_narrow};
pub(crate) use from_host::Place;
pub(crate) use identity::{Identity, MAX_DEPTH, TASK_TYPE};
pub(crate) use progress::Progress;
pub(crate) use report::{Ended, Report, task_usage};
pub(crate) use running::Subagent;
pub(crate) use subagent_pool::{Mail, Member, SubagentPool};
pub(crate) use subagent_registry::{SubagentRegistry, SubagentSources, provided};
pub(crate) use subagent_task::{Order, Sender, SubagentTask};
#[cfg(test)]
pub(crate) use subagent_types::SubagentType;
pub(crate) use subagent_types::SubagentTypes;
