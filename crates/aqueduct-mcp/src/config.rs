use std::time::Duration;

use aqueduct_wire::mcp::{McpServerConfig, RemoteServerConfig, StdioServerConfig, TypedServerConfig};

use crate::auth::SignInSettings;

/// A configured server.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerConfig {
    /// What it is called.
    pub name: String,
    /// Who configured it.
    pub scope: ServerScope,
    /// How it is reached.
    pub route: ServerRoute,
    /// How long a call of it may take, if it sets that itself.
    pub timeout: Option<Duration>,
    /// Whether the model always sees all of its tools.
    pub always_load: bool,
    /// What the user has to agree to before it is started: a name for the whole entry.
    pub asks: Option<String>,
    /// How the user signs in, if the server is on the network.
    pub sign_in: SignInSettings,
}

/// Who configured a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerScope {
    /// The host, with `initialize`.
    Sdk,
    /// The command line, or the host with `mcp_set_servers`.
    Dynamic,
    /// The user, for all projects.
    User,
    /// The project.
    Project,
    /// The user, for this project.
    Local,
    /// A plugin.
    Plugin,
    /// The organisation.
    Enterprise,
}

impl ServerScope {
    /// Where the configuration is located, as hosts receive it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ServerScope::Sdk | ServerScope::Dynamic | ServerScope::Plugin => "dynamic",
            ServerScope::User => "user",
            ServerScope::Project => "project",
            ServerScope::Local => "local",
            ServerScope::Enterprise => "enterprise",
        }
    }

    /// Where the server comes from, as hosts receive it.
    pub(crate) fn source(self) -> &'static str {
        match self {
            ServerScope::Sdk => "sdk",
            ServerScope::Plugin => "plugin",
            other => other.name(),
        }
    }
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq)]
pub enum ServerRoute {
    /// It lives in the host.
    Host,
    /// It is a program.
    Program {
        /// The program.
        command: String,
        /// Its arguments.
        arguments: Vec<String>,
        /// What it gets beside the agent's own environment.
        variables: Vec<(String, String)>,
    },
    /// It is on the network.
    Http {
        /// Where.
        url: String,
        /// What is sent with every request.
        headers: Vec<(String, String)>,
    },
    /// It is on the network, and uses the transport from before 2025.
    Sse {
        /// Where.
        url: String,
        /// What is sent with every request.
        headers: Vec<(String, String)>,
    },
    /// It can't be: this is wrong with its configuration.
    Wrong(String),
}

impl ServerRoute {
    /// Its name, as hosts receive it.
    pub(crate) fn transport(&self) -> &'static str {
        match self {
            ServerRoute::Host => "sdk",
            ServerRoute::Program { .. } | ServerRoute::Wrong(_) => "stdio",
            ServerRoute::Http { .. } => "http",
            ServerRoute::Sse { .. } => "sse",
        }
    }

    /// The configuration for people, without what may be secret.
    pub(crate) fn shown(&self) -> Option<McpServerConfig<'static>> {
        match self {
            ServerRoute::Host | ServerRoute::Wrong(_) => None,
            ServerRoute::Program { command, arguments, .. } => {
                let mut config = StdioServerConfig::new(command.clone());
                config.kind = Some("stdio".into());
                config.args = Some(arguments.iter().map(|argument| argument.clone().into()).collect());
                Some(McpServerConfig::Stdio(config))
            }
            ServerRoute::Http { url, .. } => {
                Some(McpServerConfig::Typed(TypedServerConfig::Http(RemoteServerConfig::new(url.clone()))))
            }
            ServerRoute::Sse { url, .. } => {
                Some(McpServerConfig::Typed(TypedServerConfig::Sse(RemoteServerConfig::new(url.clone()))))
            }
        }
    }
}
