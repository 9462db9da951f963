//! MCP servers that live in this process: a name, and tools that are async functions.
//!
//! ```
//! use aqueduct_client::mcp::{McpServer, Tool, ToolResult};
//! use serde::Deserialize;
//! use serde_json::json;
//!
//! #[derive(Deserialize)]
//! struct Sum {
//!     a: f64,
//!     b: f64,
//! }
//!
//! let schema = json!({
//!     "type": "object",
//!     "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
//!     "required": ["a", "b"],
//! });
//! let server = McpServer::new("sums").tool(Tool::with_schema("add", "Adds two numbers", schema, |sum: Sum| async move {
//!     ToolResult::text((sum.a + sum.b).to_string())
//! }));
//! assert_eq!(server.name(), "sums");
//! ```
//!
//! With the feature `schema`, [`Tool::new`] takes the schema from the input's type.

mod connected;
mod rpc;
mod server;
mod tool;

pub(crate) use connected::Connected;
pub use server::McpServer;
pub use tool::{Tool, ToolResult};
