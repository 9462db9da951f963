//! Subagents: agents that the model starts for a task, each with a conversation of its own.
//!
//! The [`SubagentRegistry`] has the subagent types. The Agent tool sends an `aqueduct_tools::subagent::SubagentTask` to the
//! session's loop, and `subagent_run` runs it.
//!
//! | file | contents |
//! |---|---|
//! | `subagent_registry.rs`, `definition.rs`, `built_in.rs`, `read.rs`, `from_host.rs` | which types exist: built in, in files, defined by the host |
//! | `registry_types.rs` | the registry, as the Agent tool uses it |
//! | `running.rs`, `progress.rs` | a subagent that runs, and what it does now |
//! | `servers.rs` | MCP servers of a type |

mod built_in;
mod definition;
mod from_host;
mod progress;
mod read;
mod registry_types;
mod running;
mod servers;
mod subagent_registry;

pub(crate) use definition::{DefinitionOwner, SubagentDefinition, is_narrow};
pub(crate) use from_host::DefinitionSource;
pub(crate) use progress::SubagentProgress;
pub(crate) use running::RunningSubagent;
pub(crate) use subagent_registry::{SubagentRegistry, SubagentSources, provided};
