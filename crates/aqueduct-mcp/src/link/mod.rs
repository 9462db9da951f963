//! What carries messages to a server and back.

mod host;
mod http;
mod position;
mod process;
mod sse;
mod web;

pub(crate) use host::HostLink;
pub(crate) use http::HttpLink;
pub(crate) use process::{ProcessLink, ServerProgram};
pub(crate) use sse::SseLink;
pub use web::check_address;
pub(crate) use web::{RemoteServer, is_events};

use aqueduct_wire::mcp::McpMessage;

use crate::error::CallError;

/// A way to a server. Dropping it ends it, and what runs behind it.
#[derive(Debug)]
pub(crate) enum ServerLink {
    /// To a server that lives in the host.
    Host(HostLink),
    /// To a program.
    Process(ProcessLink),
    /// To a server on the network.
    Http(HttpLink),
    /// To one of the older kind.
    Sse(SseLink),
}

impl ServerLink {
    /// Sends a message. Messages arrive in the order in which they were sent.
    pub(crate) async fn send(&self, message: McpMessage<'static>) -> Result<(), CallError> {
        match self {
            ServerLink::Host(link) => link.send(message).await,
            ServerLink::Process(link) => link.send(message).await,
            ServerLink::Http(link) => link.send(message).await,
            ServerLink::Sse(link) => link.send(message).await,
        }
    }

    /// Ends the connection in order: returns when the server is gone.
    pub(crate) async fn end(&self) {
        match self {
            ServerLink::Host(link) => link.end(),
            ServerLink::Process(link) => link.end().await,
            ServerLink::Http(link) => link.end().await,
            ServerLink::Sse(link) => link.end(),
        }
    }

    /// From now on this version of MCP is used.
    pub(crate) fn set_version(&self, version: &str) {
        if let ServerLink::Http(link) = self {
            link.set_version(version);
        }
    }

    /// The answer to this request is not awaited.
    pub(crate) fn forget(&self, id: u64) {
        if let ServerLink::Http(link) = self {
            link.forget(id);
        }
    }
}
