//! Subagents, as tools use them: types by name, tasks that are sent, subagents that run or have ended.
//!
//! The Agent tool sends a [`SubagentTask`] on a channel; the agent runs it and puts it into the [`SubagentPool`].
//!
//! | file | contents |
//! |---|---|
//! | `subagent_types.rs` | the types of a session, by name |
//! | `subagent_task.rs` | a task, its sender, and the channel for its result |
//! | `subagent_pool.rs`, `identity.rs` | running and ended subagents, and their ids |
//! | `report.rs` | the result of a subagent |

mod identity;
mod report;
mod subagent_pool;
mod subagent_task;
mod subagent_types;

pub use identity::{MAX_DEPTH, SubagentIdentity, TASK_TYPE};
pub use report::{SubagentEnd, SubagentReport, task_usage};
pub use subagent_pool::{PoolMember, SubagentMail, SubagentPool};
pub use subagent_task::{ParentSubagent, SubagentRequest, SubagentTask};
pub use subagent_types::{SubagentType, SubagentTypes};
