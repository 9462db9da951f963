//! What carries messages to a server and back.

mod host;
mod http;
mod process;
mod sse;
mod web;

pub(super) use host::HostLink;
pub(super) use http::HttpLink;
pub(super) use process::{ProcessLink, Program};
pub(super) use sse::SseLink;
pub(super) use web::{Web, understand};

use aqueduct_wire::mcp::McpMessage;

use super::error::CallError;

/// A way to a server. Dropping it ends it, and what runs behind it.
#[derive(Debug)]
pub(super) enum Link {
    /// To a server that lives in the host.
    Host(HostLink),
    /// To a program.
    Process(ProcessLink),
    /// To a server on the network.
    Http(HttpLink),
    /// To one of the older kind.
    Sse(SseLink),
}

impl Link {
    /// Sends a message. Messages arrive in the order in which they were sent.
    pub(super) async fn send(&self, message: McpMessage<'static>) -> Result<(), CallError> {
        match self {
            Link::Host(link) => link.send(message).await,
            Link::Process(link) => link.send(message).await,
            Link::Http(link) => link.send(message).await,
            Link::Sse(link) => link.send(message).await,
        }
    }

    /// Ends the connection in order: returns when the server is gone.
    pub(super) async fn end(&self) {
        match self {
            Link::Host(link) => link.end(),
            Link::Process(link) => link.end().await,
            Link::Http(link) => link.end().await,
            Link::Sse(link) => link.end(),
        }
    }

    /// From now on this version of MCP is spoken.
    pub(super) fn speak(&self, version: &str) {
        if let Link::Http(link) = self {
            link.speak(version);
        }
    }

    /// Nobody waits for the answer to this request.
    pub(super) fn forget(&self, id: u64) {
        if let Link::Http(link) = self {
            link.forget(id);
        }
    }
}
