//! MCP as it crosses the wire: messages of in-process servers, configurations, and how servers fare.

use crate::json::{Map, Number, Raw, Str};
use crate::table::{either, names, record, union};

record! {
    /// One JSON-RPC message: a request (`method` and `id`), a notification (`method` alone) or an answer
    /// (`result` or `error`).
    McpMessage<'a> {
        "2.1.37" {
            /// Always `2.0`.
            always jsonrpc: Str<'a>,
            optional id: McpId<'a>,
            optional method: Str<'a>,
            optional params: Raw<'a>,
            optional result: Raw<'a>,
            optional error: McpError<'a>,
        }
    }
}

either! {
    /// The id of a JSON-RPC request.
    McpId<'a> {
        /// A number.
        Number(Number<'a>),
        /// A string.
        Text(Str<'a>),
    }
}

record! {
    /// Why a JSON-RPC request failed.
    McpError<'a> {
        essential { code: Number<'a> }
        "2.1.37" {
            always message: Str<'a>,
            optional data: Raw<'a>,
        }
    }
}

either! {
    /// How to reach an MCP server. One with a `command` is a program, with or without a `type`.
    McpServerConfig<'a> {
        /// A program that communicates on stdin and stdout.
        Stdio(StdioServerConfig<'a>),
        /// Any other, distinguished by its `type`.
        Typed(TypedServerConfig<'a>),
    }
}

impl<'a> McpServerConfig<'a> {
    /// A program that the agent starts, with its arguments. One without arguments is a [`StdioServerConfig`].
    ///
    /// ```
    /// use aqueduct_wire::mcp::McpServerConfig;
    ///
    /// let files = McpServerConfig::stdio("npx", ["-y", "files-server"]).with_env("ROOT", "/proj");
    /// assert!(matches!(files, McpServerConfig::Stdio(config) if config.command == "npx"));
    /// ```
    pub fn stdio<T: Into<Str<'a>>>(
        command: impl Into<Str<'a>>,
        arguments: impl IntoIterator<Item = T>,
    ) -> Self {
        let mut config = StdioServerConfig::new(command);
        config.args = Some(arguments.into_iter().map(Into::into).collect());
        McpServerConfig::Stdio(config)
    }

    /// A server on the network with the Streamable HTTP transport.
    ///
    /// ```
    /// use aqueduct_wire::mcp::{McpServerConfig, TypedServerConfig};
    ///
    /// let docs = McpServerConfig::http("https://example.org/mcp").with_header("Authorization", "Bearer token");
    /// assert!(matches!(docs, McpServerConfig::Typed(TypedServerConfig::Http(_))));
    /// ```
    pub fn http(url: impl Into<Str<'a>>) -> Self {
        McpServerConfig::Typed(TypedServerConfig::Http(RemoteServerConfig::new(url)))
    }

    /// A server on the network with the older SSE transport.
    ///
    /// ```
    /// use aqueduct_wire::mcp::{McpServerConfig, TypedServerConfig};
    ///
    /// let docs = McpServerConfig::sse("https://example.org/sse");
    /// assert!(matches!(docs, McpServerConfig::Typed(TypedServerConfig::Sse(_))));
    /// ```
    pub fn sse(url: impl Into<Str<'a>>) -> Self {
        McpServerConfig::Typed(TypedServerConfig::Sse(RemoteServerConfig::new(url)))
    }

    /// Sets a variable of the program's environment. A server that is not a program has none, and stays as it is.
    ///
    /// ```
    /// use aqueduct_wire::mcp::McpServerConfig;
    ///
    /// let McpServerConfig::Stdio(config) = McpServerConfig::stdio("server", ["-v"]).with_env("LEVEL", "info") else {
    ///     panic!("a program");
    /// };
    /// assert!(config.env.is_some_and(|env| env.get("LEVEL").is_some()));
    /// ```
    pub fn with_env(mut self, name: impl Into<Str<'a>>, value: impl Into<Str<'a>>) -> Self {
        if let McpServerConfig::Stdio(config) = &mut self {
            config.env.get_or_insert_default().push(name, value.into());
        }
        self
    }

    /// Sets a header of the requests to a server on the network. Any other server has none, and stays as it is.
    ///
    /// ```
    /// use aqueduct_wire::mcp::{McpServerConfig, TypedServerConfig};
    ///
    /// let McpServerConfig::Typed(TypedServerConfig::Sse(config)) =
    ///     McpServerConfig::sse("https://example.org/sse").with_header("X-Team", "docs")
    /// else {
    ///     panic!("a server on the network");
    /// };
    /// assert!(config.headers.is_some_and(|headers| headers.get("X-Team").is_some()));
    /// ```
    pub fn with_header(mut self, name: impl Into<Str<'a>>, value: impl Into<Str<'a>>) -> Self {
        if let McpServerConfig::Typed(TypedServerConfig::Http(config) | TypedServerConfig::Sse(config)) =
            &mut self
        {
            config.headers.get_or_insert_default().push(name, value.into());
        }
        self
    }
}

record! {
    /// A server that is a program.
    StdioServerConfig<'a> {
        essential { command: Str<'a> }
        "2.1.37" {
            /// `stdio`, if there.
            optional kind = "type": Str<'a>,
            optional args: Vec<Str<'a>>,
            optional env: Map<'a, Str<'a>>,
        }
        "2.1.325" {
            /// For one call, in milliseconds.
            optional timeout: Number<'a>,
            /// Whether its tools are always in the prompt.
            optional always_load = "alwaysLoad": bool,
        }
    }
}

union! {
    /// A server that is not a program of its own.
    TypedServerConfig<'a> by "type" {
        "sse" => Sse(RemoteServerConfig<'a>) since "2.1.37",
        "http" => Http(RemoteServerConfig<'a>) since "2.1.37",
        /// A server that lives in the host; its messages travel as `mcp_message` requests.
        "sdk" => Sdk(SdkServerConfig<'a>) since "2.1.37",
        /// A connector of the account. Only reported, never configured.
        "claudeai-proxy" => AccountProxy(ProxyServerConfig<'a>) since "2.1.50",
    }
}

record! {
    /// A server on the network.
    RemoteServerConfig<'a> {
        essential { url: Str<'a> }
        "2.1.37" {
            optional headers: Map<'a, Str<'a>>,
        }
        "2.1.325" {
            optional timeout: Number<'a>,
            optional always_load = "alwaysLoad": bool,
            optional tools: Vec<McpToolPolicy<'a>>,
        }
    }
}

record! {
    /// A server that lives in the host.
    SdkServerConfig<'a> {
        essential { name: Str<'a> }
        "2.1.325" {
            optional timeout: Number<'a>,
            optional tools: Vec<McpToolPolicy<'a>>,
        }
    }
}

record! {
    /// A connector of the account.
    ProxyServerConfig<'a> {
        essential { url: Str<'a> }
        "2.1.50" {
            always id: Str<'a>,
        }
    }
}

record! {
    /// A setting of a host or an organisation for one tool of a server.
    McpToolPolicy<'a> {
        essential { name: Str<'a> }
        "2.1.325" {
            optional permission_policy: McpPermissionPolicy<'a>,
            optional org_max_permission: McpMaxPermission<'a>,
        }
    }
}

names! {
    /// Whether a tool is allowed, asked for or denied.
    McpPermissionPolicy<'a> {
        "always_allow" => AlwaysAllow,
        "always_ask" => AlwaysAsk,
        "always_deny" => AlwaysDeny,
    }
}

names! {
    /// The most that an organisation lets a tool do.
    McpMaxPermission<'a> {
        "allow" => Allow,
        "ask" => Ask,
        "blocked" => Blocked,
    }
}

record! {
    /// How a server fares.
    McpServerStatus<'a> {
        essential { name: Str<'a> }
        "2.1.37" {
            always status: McpServerState<'a>,
            /// Where its configuration comes from.
            optional scope: Str<'a>,
            /// Its name and version, once connected.
            optional server_info = "serverInfo": McpImplementation<'a>,
            optional tools: Vec<McpTool<'a>>,
        }
        "2.1.50" {
            /// Why it failed.
            optional error: Str<'a>,
            optional config: Box<McpServerConfig<'a>>,
        }
        "2.1.325" {
            optional source: Str<'a>,
            optional transport: Str<'a>,
        }
    }
}

names! {
    /// The state of a connection to a server.
    McpServerState<'a> {
        "connected" => Connected,
        "failed" => Failed,
        "needs-auth" => NeedsAuth,
        "pending" => Pending,
        "disabled" => Disabled,
    }
}

record! {
    /// A program with an MCP implementation.
    McpImplementation<'a> {
        "2.1.37" {
            always name: Str<'a>,
            always version: Str<'a>,
            optional title: Str<'a>,
            optional description: Str<'a>,
            optional website_url = "websiteUrl": Str<'a>,
        }
    }
}

record! {
    /// A tool of a server.
    McpTool<'a> {
        essential { name: Str<'a> }
        "2.1.37" {
            optional description: Str<'a>,
            optional annotations: McpToolAnnotations<'a>,
        }
        "2.1.325" {
            optional meta = "_meta": Raw<'a>,
        }
    }
}

record! {
    /// A tool's description of itself.
    McpToolAnnotations<'a> {
        "2.1.37" {
            optional read_only = "readOnly": bool,
            optional destructive: bool,
            optional open_world = "openWorld": bool,
        }
    }
}
