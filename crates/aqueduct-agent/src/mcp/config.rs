use std::time::Duration;

use aqueduct_wire::mcp::{McpServerConfig, RemoteServerConfig, StdioServerConfig, TypedServerConfig};

use crate::provision::Digest;

/// A server that somebody configured.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Config {
    /// What it is called.
    pub(super) name: String,
    /// Who configured it.
    pub(super) scope: Scope,
    /// How it is reached.
    pub(super) route: Route,
    /// How long a call of it may take, where it says so itself.
    pub(super) timeout: Option<Duration>,
    /// Whether the model always sees all of its tools.
    pub(super) always_load: bool,
    /// What the user has to agree to before it is started: a name for the whole entry.
    pub(super) asks: Option<String>,
    /// The digest of it as a provision of the project folder, if that one provides it.
    pub(super) provided: Option<Digest>,
}

/// Who configured a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
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

impl Scope {
    /// Where the configuration lies, as hosts are told.
    pub(super) fn name(self) -> &'static str {
        match self {
            Scope::Sdk | Scope::Dynamic | Scope::Plugin => "dynamic",
            Scope::User => "user",
            Scope::Project => "project",
            Scope::Local => "local",
            Scope::Enterprise => "enterprise",
        }
    }

    /// Who brought the server, as hosts are told.
    pub(super) fn source(self) -> &'static str {
        match self {
            Scope::Sdk => "sdk",
            Scope::Plugin => "plugin",
            other => other.name(),
        }
    }
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Route {
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
    /// It is on the network, and speaks as servers did before 2025.
    Sse {
        /// Where.
        url: String,
        /// What is sent with every request.
        headers: Vec<(String, String)>,
    },
    /// It can't be: this is wrong with its configuration.
    Wrong(String),
}

impl Route {
    /// Its name, as hosts are told.
    pub(super) fn transport(&self) -> &'static str {
        match self {
            Route::Host => "sdk",
            Route::Program { .. } | Route::Wrong(_) => "stdio",
            Route::Http { .. } => "http",
            Route::Sse { .. } => "sse",
        }
    }

    /// The configuration for people, without what may be secret.
    pub(super) fn shown(&self) -> Option<McpServerConfig<'static>> {
        match self {
            Route::Host | Route::Wrong(_) => None,
            Route::Program { command, arguments, .. } => {
                let mut config = StdioServerConfig::new(command.clone());
                config.kind = Some("stdio".into());
                config.args = Some(arguments.iter().map(|argument| argument.clone().into()).collect());
                Some(McpServerConfig::Stdio(config))
            }
            Route::Http { url, .. } => {
                Some(McpServerConfig::Typed(TypedServerConfig::Http(RemoteServerConfig::new(url.clone()))))
            }
            Route::Sse { url, .. } => {
                Some(McpServerConfig::Typed(TypedServerConfig::Sse(RemoteServerConfig::new(url.clone()))))
            }
        }
    }
}
