//! MCP servers that live in this process: a name, and tools that are async functions.
//!
//! ```
//! use aqueduct_client::Session;
//! use aqueduct_client::mcp::{McpServer, Tool, ToolResult};
//! use serde::Deserialize;
//! use serde_json::json;
#![doc = include_str!("../../doc/agent.txt")]
//! # const ASKS: &str = r#"{"subtype":"mcp_message","server_name":"sums","message":{"jsonrpc":"2.0","id":1,
//! #   "method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}}"#;
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), aqueduct_client::Error> {
//! # let (ours, theirs) = tokio::io::duplex(4096);
//! # tokio::spawn(agent(theirs, ASKS));
//! # let builder = Session::builder().transport(aqueduct_client::Transport::pipe(ours));
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
//! let outcome = builder.mcp(server).query("What is one and two?").await?;
//! # assert!(outcome.report().is_some_and(|report| report.text().contains(r#""text":"3""#)), "{outcome:?}");
//! # Ok(())
//! # }
//! ```
//!
//! With the feature `schema`, `Tool::new` takes the schema from the input's type.

mod connected;
mod rpc;
mod server;
mod tool;

pub(crate) use connected::ConnectedServer;
pub use server::McpServer;
pub use tool::{Tool, ToolResult};
