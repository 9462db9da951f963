//! Requests about MCP servers: there are none.

use aqueduct_wire::control::{McpSetServersReply, McpSetServersRequest, McpStatusReply};
use aqueduct_wire::json::{Map, Str};
use aqueduct_wire::machine::ControlError;

use super::{Answer, reply};

/// What is said of servers: this agent connects to none.
const UNSUPPORTED: &str = "this agent does not connect to MCP servers";

pub(super) fn status() -> Answer {
    let mut answer = McpStatusReply::new();
    answer.mcp_servers = Some(Vec::new());
    reply(&answer)
}

pub(super) fn set_servers(request: &McpSetServersRequest<'_>) -> Answer {
    let mut errors: Map<'_, Str<'_>> = Map::default();
    for (name, _) in request.servers.iter() {
        errors.push(name.to_owned(), UNSUPPORTED.into());
    }
    let mut answer = McpSetServersReply::new();
    answer.added = Some(Vec::new());
    answer.removed = Some(Vec::new());
    answer.errors = Some(errors);
    reply(&answer)
}

pub(super) fn unknown(server: &str) -> Answer {
    Err(ControlError { message: format!("Server not found: {server}"), code: None })
}
