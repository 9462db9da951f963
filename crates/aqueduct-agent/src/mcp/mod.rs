//! MCP: servers that bring tools, wherever they live.
//!
//! A [`Mcp`] is all servers of a session. Each is minded by a task of its own, so that one that hangs, dies or
//! floods costs its own calls only. Below that a [`client::Client`] speaks JSON-RPC over a [`link::Link`], which
//! carries messages to the host, or to a process under guard.

mod admission;
mod answer;
mod approval;
mod calls;
mod changes;
mod client;
mod config;
mod connection;
mod error;
mod hook_call;
mod limits;
mod link;
mod manifest;
mod message;
mod minder;
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
mod source;
mod state;
mod subagent;

pub(crate) use admission::Applicant;
pub(crate) use answer::ends_turn;
pub(crate) use hook_call::{HookCall, HookCallError};
pub(crate) use name::{PREFIX, shown_of_full as shown};
pub(crate) use report::{Health, ServerReport};
pub(crate) use search::DeferredTool;
pub(crate) use served_tool::ServedTool;
pub(crate) use servers::Mcp;
pub(crate) use source::{
    MANAGED_SERVERS, Places, SourceError, Sources, Store, StoreScope, provided_server, provided_servers,
};
pub(crate) use subagent::OwnServers;
