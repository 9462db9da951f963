use std::sync::Arc;

use aqueduct_wire::mcp::McpServerState;

use crate::connection::Connection;
use crate::error::ConnectError;

/// The message about a server that the user has not approved.
pub(crate) const UNAPPROVED: &str = "the project provides it, and it is not approved: trust the folder \
    with `aqueduct trust`, put its name on `enabledMcpjsonServers` in your settings, or switch it on with mcp_toggle";

/// How a server fares.
#[derive(Debug, Clone)]
pub(crate) enum State {
    /// It is on its way.
    Pending,
    /// It is there.
    Connected(Arc<Connection>),
    /// It was there, for this reason it is not, and it will be tried again when one of its tools is called.
    Lost(Arc<Connection>, String),
    /// It can't be had.
    Failed(String),
    /// It wants to know who is there.
    NeedsAuth(String),
    /// The user does not want it.
    Disabled,
    /// The project brings it, and the user has not agreed to it.
    Unapproved,
}

impl State {
    /// The state, as hosts receive it.
    pub(crate) fn shown(&self) -> McpServerState<'static> {
        match self {
            State::Pending => McpServerState::Pending,
            State::Connected(_) => McpServerState::Connected,
            State::Lost(..) | State::Failed(_) => McpServerState::Failed,
            State::NeedsAuth(_) => McpServerState::NeedsAuth,
            State::Disabled | State::Unapproved => McpServerState::Disabled,
        }
    }

    /// What is wrong.
    pub(crate) fn error(&self) -> Option<&str> {
        match self {
            State::Lost(_, why) | State::Failed(why) | State::NeedsAuth(why) => Some(why),
            State::Unapproved => Some(UNAPPROVED),
            State::Pending | State::Connected(_) | State::Disabled => None,
        }
    }
}

impl From<ConnectError> for State {
    fn from(error: ConnectError) -> Self {
        match error {
            ConnectError::Failed(why) => State::Failed(why),
            ConnectError::NeedsAuth(why) => State::NeedsAuth(why),
        }
    }
}
