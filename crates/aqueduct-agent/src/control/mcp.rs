//! Requests about MCP servers.

use aqueduct_wire::control::{McpMessageRequest, McpSetServersReply, McpSetServersRequest, McpStatusReply};
use aqueduct_wire::json::{Map, Str};
use aqueduct_wire::machine::{ControlError, INVALID_REQUEST};

use super::{Answer, done, reply};
use crate::session::Session;

/// What is said of servers: this agent connects to none.
const UNSUPPORTED: &str = "this agent does not connect to MCP servers";

pub(super) fn status(session: &Session) -> Answer {
    let mut answer = McpStatusReply::new();
    answer.mcp_servers = Some(session.workshop.mcp.status());
    reply(&answer)
}

/// Takes in what a server in the host says by itself.
pub(super) fn message(session: &Session, request: &McpMessageRequest<'_>) -> Answer {
    let delivered = session.workshop.mcp.deliver(&request.server_name, &request.message);
    delivered.map_err(|error| ControlError::new(INVALID_REQUEST, error))?;
    done()
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
