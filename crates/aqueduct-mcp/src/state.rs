use std::sync::Arc;

use aqueduct_wire::mcp::McpServerState;

use crate::connection::ServerConnection;
use crate::error::ConnectError;

/// The message about a server that the user has not approved.
pub(crate) const UNAPPROVED: &str = "the project provides it, and it is not approved: trust the folder \
    with `aqueduct trust`, put its name on `enabledMcpjsonServers` in your settings, or switch it on with mcp_toggle";

/// The state of a server.
#[derive(Debug, Clone)]
pub(crate) enum ServerStatus {
    /// It is being connected.
    Pending,
    /// It is connected.
    Connected(Arc<ServerConnection>),
    /// It was there, for this reason it is not, and it will be tried again when one of its tools is called.
    Lost(Arc<ServerConnection>, String),
    /// It can't be connected, for this reason.
    Failed(String),
    /// It requires authentication.
    NeedsAuth(String),
    /// The user does not want it.
    Disabled,
    /// The project brings it, and the user has not agreed to it.
    Unapproved,
}

impl ServerStatus {
    /// The state, as hosts receive it.
    pub(crate) fn shown(&self) -> McpServerState<'static> {
        match self {
            ServerStatus::Pending => McpServerState::Pending,
            ServerStatus::Connected(_) => McpServerState::Connected,
            ServerStatus::Lost(..) | ServerStatus::Failed(_) => McpServerState::Failed,
            ServerStatus::NeedsAuth(_) => McpServerState::NeedsAuth,
            ServerStatus::Disabled | ServerStatus::Unapproved => McpServerState::Disabled,
        }
    }

    /// What is wrong.
    pub(crate) fn error(&self) -> Option<&str> {
        match self {
            ServerStatus::Lost(_, why) | ServerStatus::Failed(why) | ServerStatus::NeedsAuth(why) => {
                Some(why)
            }
            ServerStatus::Unapproved => Some(UNAPPROVED),
            ServerStatus::Pending | ServerStatus::Connected(_) | ServerStatus::Disabled => None,
        }
    }
}

impl From<ConnectError> for ServerStatus {
    fn from(error: ConnectError) -> Self {
        match error {
            ConnectError::Failed(why) => ServerStatus::Failed(why),
            ConnectError::NeedsAuth(why) => ServerStatus::NeedsAuth(why),
        }
    }
}
