//! The names that most programs use.
//!
//! ```
//! use aqueduct_client::prelude::*;
//!
//! let reviewer = AgentDefinition::new("Reviews changes", "You review changes.");
//! let builder = Session::builder()
//!     .define_agent("reviewer", reviewer)
//!     .mcp_server("files", McpServerConfig::stdio("npx", ["-y", "files-server"]))
//!     .hook(Hook::stop(|call| async move { call.proceed() }))
//!     .on_permission(|request| async move {
//!         match request.tool() {
//!             "Bash" => Permission::allow_with(json!({"command": "true"})),
//!             _ => Permission::deny("Not now."),
//!         }
//!     });
//! ```

pub use aqueduct_wire::agent_definition::AgentDefinition;
pub use aqueduct_wire::mcp::McpServerConfig;
pub use serde_json::json;

pub use crate::mcp::{McpServer, Tool, ToolResult};
#[cfg(feature = "rules")]
pub use crate::rules::PermissionRules;
pub use crate::{
    Answers, Builder, Dialog, Effort, Elicitation, Error, Event, Events, HintedError, Hook, Outcome,
    Permission, PermissionRequest, Prompt, Questions, Report, Session, Thinking,
};
