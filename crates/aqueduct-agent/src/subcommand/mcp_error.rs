//! Why a subcommand of `mcp` fails.

use std::io;
use std::path::PathBuf;

use super::similar::similar;
use crate::mcp_config::{McpStoreError, SourceError, StoreScope};

/// Why a subcommand of `mcp` fails. A message that a hint follows is a sentence.
#[derive(Debug, thiserror::Error)]
pub(super) enum McpCommandError {
    /// A file of servers can't be read or changed.
    #[error(transparent)]
    Store(#[from] McpStoreError),
    /// `--mcp-config` can't be used.
    #[error(transparent)]
    Sources(#[from] SourceError),
    /// A scope has a name and can't be written.
    #[error("Cannot change MCP servers of scope: {0}")]
    ReadOnlyScope(String),
    /// A scope is not known.
    #[error("Invalid scope: {0}.")]
    UnknownScope(String),
    /// `mcp add` without a server.
    #[error("Error: a server needs a name and a command or URL.")]
    NoServer,
    /// A transport is not known.
    #[error("Invalid transport type: {0}.")]
    Transport(String),
    /// A name that no server can have.
    #[error("Invalid name {0}.")]
    Name(String),
    /// A name that other programs keep for themselves.
    #[error("Cannot add MCP server \"{0}\": this name is reserved.")]
    Reserved(String),
    /// There is a server of this name already.
    #[error("MCP server {name} already exists in {}", place(*scope))]
    Exists {
        /// The name.
        name: String,
        /// Where it is stored.
        scope: StoreScope,
    },
    /// There is no server of this name.
    #[error("No MCP server named \"{name}\".")]
    Unknown {
        /// The name as it was given.
        name: String,
        /// The names of those that are stored.
        known: Vec<String>,
    },
    /// There is no server of this name in a scope.
    #[error("No MCP server named \"{name}\" in {} scope", scope.name())]
    NotInScope {
        /// The name as it was given.
        name: String,
        /// The scope that was asked for.
        scope: StoreScope,
    },
    /// Several scopes have a server of this name.
    #[error("MCP server \"{name}\" exists in multiple scopes:\n{}", listed(places))]
    Ambiguous {
        /// The name.
        name: String,
        /// The scopes, each with its file.
        places: Vec<(StoreScope, String)>,
    },
    /// `--env` without a name and a value.
    #[error("Invalid environment variable format: {0}, environment variables should be added as:")]
    Variable(String),
    /// `--header` without a name and a value.
    #[error("Invalid header format: \"{0}\".")]
    Header(String),
    /// `--callback-port` is no port.
    #[error("Error: --callback-port must be an integer in [1, 65535]")]
    CallbackPort,
    /// The user can't be prompted for the secret.
    #[error("No TTY available to prompt for client secret.")]
    NoSecret,
    /// A server that is registered while a host runs.
    #[error(
        "Cannot add MCP server \"{name}\": type \"{kind}\" servers are registered by the host at runtime, not \
         stored in configuration"
    )]
    OfHost {
        /// The name.
        name: String,
        /// Its type.
        kind: String,
    },
    /// The JSON of `mcp add-json` is no server.
    #[error("Invalid configuration: {0}")]
    Entry(#[from] EntryError),
    /// The approvals can't be removed.
    #[error("{} can't be removed: {error}", file.display())]
    Approvals {
        /// The file with them.
        file: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A server can't be written as JSON.
    #[error(transparent)]
    Output(serde_json::Error),
}

/// Why a JSON text is no server.
#[derive(Debug, thiserror::Error)]
pub(super) enum EntryError {
    /// It is not valid JSON.
    #[error("is not valid JSON: {0}")]
    Json(serde_json::Error),
    /// It is not an object.
    #[error("must be an object, {{…}}")]
    NoObject,
    /// It has a transport that this agent does not have.
    #[error("type: this agent does not connect to ws servers")]
    WebSocket,
    /// Its transport is not known.
    #[error("type: must be stdio, http or sse")]
    Transport,
    /// A member is missing.
    #[error("{member}: a {transport} server needs this text")]
    Missing {
        /// The member.
        member: &'static str,
        /// The transport that needs it.
        transport: &'static str,
    },
    /// A member has another shape.
    #[error("{member}: must be {must}")]
    Shape {
        /// The path of the member.
        member: &'static str,
        /// What it must be.
        must: &'static str,
    },
    /// A member is empty.
    #[error("{0}: must not be empty")]
    Empty(&'static str),
}

impl McpCommandError {
    /// What to do about it. `program` is how the program is called.
    pub(super) fn hint(&self, program: &str) -> Option<String> {
        Some(match self {
            McpCommandError::UnknownScope(_) => "Must be one of: local, user, project".to_owned(),
            McpCommandError::NoServer => format!("Usage: {program} mcp add <name> <command> [args...]"),
            McpCommandError::Transport(_) => {
                "Must be one of: stdio, sse, http (or streamable-http)".to_owned()
            }
            McpCommandError::Name(_) => {
                "Names can only contain letters, numbers, hyphens, and underscores.".to_owned()
            }
            McpCommandError::Unknown { name, known } => {
                let near = similar(name, known.iter().map(String::as_str));
                let near = near.first().map(|near| format!("Did you mean \"{near}\"? ")).unwrap_or_default();
                format!("{near}Run `{program} mcp list` to see all.")
            }
            McpCommandError::Ambiguous { name, places } => {
                let command = |(scope, _): &(StoreScope, String)| {
                    format!("\n  {program} mcp remove {name} -s {}", scope.name())
                };
                let commands: String = places.iter().map(command).collect();
                format!("To remove from a specific scope, use:{commands}")
            }
            McpCommandError::Variable(_) => "-e KEY1=value1 -e KEY2=value2".to_owned(),
            McpCommandError::Header(_) => "Expected format: \"Header-Name: value\"".to_owned(),
            McpCommandError::NoSecret => "Set MCP_CLIENT_SECRET env var instead.".to_owned(),
            _ => return None,
        })
    }

    /// What is printed between the message and the hint.
    pub(super) fn separator(&self) -> &'static str {
        match self {
            McpCommandError::NoServer | McpCommandError::Ambiguous { .. } => "\n",
            _ => " ",
        }
    }
}

/// Where a server is stored, for people.
fn place(scope: StoreScope) -> String {
    match scope {
        StoreScope::Project => ".mcp.json".to_owned(),
        StoreScope::Local | StoreScope::User => format!("{} config", scope.name()),
    }
}

fn listed(places: &[(StoreScope, String)]) -> String {
    places.iter().map(|(scope, place)| format!("  - {} ({place})\n", scope.described())).collect()
}
