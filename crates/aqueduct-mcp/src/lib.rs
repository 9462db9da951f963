//! A client of MCP servers, wherever they live: in the host, as processes, and on the network.
//!
//! [`Mcp`] is all servers of a session. Each has a supervising task of its own, so that a server that hangs, dies or
//! floods affects its own calls only. Below that a client exchanges JSON-RPC messages over a link. The crate reads no
//! configuration: it receives [`ServerConfig`]s. What it needs of the program around it is the trait [`McpHost`].
//!
//! | module | contents |
//! |---|---|
//! | `servers` | all servers of a session |
//! | `server`, `supervisor`, `state` | one server: start, stop, restart, and the task behind it |
//! | `connection`, `client`, `peer`, `message` | one connection, and JSON-RPC |
//! | `link` | transports: the host, a process, HTTP, SSE |
//! | `auth`, `sign_ins` | sign-ins to servers on the network; those of a session |
//! | `host` | what servers need of the program that uses them |
//! | `config`, `limits`, `shared` | how a server is reached; limits; what all servers share |
//! | `calls`, `answer`, `hook_call` | calls of tools by the model, by the host and by hooks, and their results |
//! | `served_tool`, `deferred_tool`, `lookup`, `search` | tools of servers, and those that the model looks up |
//! | `served_prompt`, `prompts`, `resources`, `question` | prompts, resources and elicitations |
//! | `admission`, `approval` | servers of projects, which the user has to approve |
//! | `changes`, `manifest`, `subagent` | what the host changes; what it reports in advance; servers of one subagent |
//! | `report`, `name`, `object`, `error` | reports for people, names, JSON of servers, errors |

mod admission;
mod answer;
mod approval;
mod auth;
mod calls;
mod changes;
mod client;
mod config;
mod connection;
mod deferred_tool;
mod error;
mod hook_call;
mod host;
mod limits;
mod link;
mod lookup;
mod manifest;
mod message;
mod name;
mod object;
mod peer;
mod prompts;
mod question;
mod report;
mod resources;
mod search;
mod served_prompt;
mod served_tool;
mod server;
mod servers;
mod shared;
mod sign_ins;
mod state;
mod subagent;
mod supervisor;

pub use admission::UnapprovedServer;
pub use answer::{McpToolResult, ends_turn};
pub use approval::entry_id;
pub use auth::{
    CallbackError, CallbackRefusal, SignIn, SignInCallback, SignInChallenge, SignInError, SignInSettings,
    SignInStore, SignInTarget, SignOut,
};
pub use changes::ServerListChange;
pub use config::{ServerConfig, ServerRoute, ServerScope};
pub use deferred_tool::DeferredTool;
pub use error::{
    AddressError, CallError, DeliverError, LookupError, PromptError, ResourceError, ServerError, ToolError,
};
pub use hook_call::{HookCallError, HookToolCall};
pub use host::{Elicited, HostError, HostFuture, McpHost, SendResult, Verdict};
pub use link::check_address;
pub use message::{InvalidMessage, JsonRpcError};
pub use name::{PREFIX, plain as plain_name, shown_of_full as shown};
pub use report::{Health, ServerReport};
pub use search::ToolMatches;
pub use served_prompt::ServedPrompt;
pub use served_tool::ServedTool;
pub use servers::Mcp;
pub use shared::McpFiles;
pub use subagent::OwnServers;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
