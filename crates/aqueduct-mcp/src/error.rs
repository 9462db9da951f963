use std::io;
use std::time::Duration;

use aqueduct_wire::hint::{Hint, HintedError};

use crate::message::{InvalidMessage, JsonRpcError};

/// Why a request to a server has no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CallError {
    /// The server refused it.
    #[error("{0}")]
    Refused(JsonRpcError),
    /// The server is not connected.
    #[error("{0}")]
    Lost(String),
    /// The server does not know us any more, and has done nothing.
    #[error("the server has ended the session")]
    Forgotten,
    /// The server requires credentials.
    #[error("{0}")]
    Unauthorized(String),
    /// The server took too long.
    #[error("no answer in {} s", .0.as_secs_f64())]
    TimedOut(Duration),
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
}

/// Why a server is not connected.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum ConnectError {
    /// It can't be reached, or does not behave as a server should.
    #[error("{0}")]
    Failed(String),
    /// It requires credentials.
    #[error("{0}")]
    NeedsAuth(String),
}

impl From<CallError> for ConnectError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Unauthorized(why) => ConnectError::NeedsAuth(why),
            error => ConnectError::Failed(error.to_string()),
        }
    }
}

/// Why a name leads to no tool.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// It is not the name of a tool of a server.
    #[error("Not a fully-qualified MCP tool name: {0}")]
    NotQualified(String),
    /// No server that is connected has it.
    #[error("no MCP server that is connected has a tool {0}")]
    Unknown(String),
}

/// Why a call of a tool has no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ToolError {
    /// The tool ran and reported an error.
    #[error("{0}")]
    Reported(String),
    /// The server took too long.
    #[error("{tool} of the MCP server {server} did not answer in {} s", limit.as_secs_f64())]
    TimedOut {
        /// The tool, as the server names it.
        tool: String,
        /// The server.
        server: String,
        /// How long it had.
        limit: Duration,
    },
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
    /// The server did not answer with a result.
    #[error("{0}")]
    Call(CallError),
    /// The result could not be read.
    #[error("{0}")]
    Unread(String),
}

/// Why a server is not in the state that was asked for.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// There is none of this name.
    #[error("Server not found: {0}")]
    NotFound(String),
    /// The user switched it off.
    #[error("the MCP server {0} is switched off")]
    SwitchedOff(String),
    /// It could not be connected.
    #[error("{0}")]
    NotConnected(String),
    /// The user's answer could not be stored.
    #[error(transparent)]
    NotStored(#[from] io::Error),
}

impl HintedError for ServerError {
    fn hint(&self) -> Option<Hint> {
        match self {
            ServerError::SwitchedOff(_) => Some(Hint::clause("switch it on with mcp_toggle")),
            ServerError::NotFound(_) | ServerError::NotConnected(_) | ServerError::NotStored(_) => None,
        }
    }
}

/// Why a prompt of a server can't be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PromptError {
    /// Arguments are missing.
    #[error("/{prompt} needs {arguments}")]
    MissingArguments {
        /// The command.
        prompt: String,
        /// All of its arguments.
        arguments: String,
    },
    /// Its server is gone.
    #[error("MCP server {0} is not connected any more")]
    NoServer(String),
    /// The server did not answer with a result.
    #[error("/{prompt}: {error}")]
    Call {
        /// The command.
        prompt: String,
        /// Why.
        error: CallError,
    },
    /// The result could not be read.
    #[error("{0}")]
    Unread(String),
    /// The server answered with nothing.
    #[error("/{0}: the server returned nothing")]
    Empty(String),
}

/// Why resources can't be listed or read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ResourceError {
    /// No server has this name.
    #[error("Server not found: {0}")]
    NotFound(String),
    /// The server has no resources.
    #[error("there is no MCP server {wanted:?} with resources")]
    NoResources {
        /// The server that was asked for.
        wanted: String,
        /// The servers that have resources.
        available: String,
    },
    /// A server did not answer with a list.
    #[error("{server}: {error}")]
    List {
        /// The server.
        server: String,
        /// Why.
        error: CallError,
    },
    /// The server did not answer with the resource.
    #[error("{0}")]
    Read(CallError),
    /// The result could not be read.
    #[error("{0}")]
    Unread(String),
}

impl HintedError for ResourceError {
    fn hint(&self) -> Option<Hint> {
        match self {
            ResourceError::NoResources { available, .. } => {
                Some(Hint::sentence(format!("Those that have some: {available}")))
            }
            ResourceError::NotFound(_)
            | ResourceError::List { .. }
            | ResourceError::Read(_)
            | ResourceError::Unread(_) => None,
        }
    }
}

/// Why a message of a server in the host can't be taken in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeliverError {
    /// The server does not live in the host.
    #[error("{0} does not live in the host")]
    NotInHost(String),
    /// It is not a message.
    #[error("{0}")]
    Unreadable(InvalidMessage),
    /// The messages before it have not been read.
    #[error("too many messages at once")]
    TooMany,
}

impl HintedError for DeliverError {
    fn hint(&self) -> Option<Hint> {
        matches!(self, DeliverError::TooMany).then(|| Hint::clause("wait for the answers"))
    }
}

/// What is wrong with the address of a server, or with what is sent there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct AddressError {
    /// The member of the configuration: `url` or `headers`.
    pub member: &'static str,
    /// What is wrong with it.
    pub why: String,
}
