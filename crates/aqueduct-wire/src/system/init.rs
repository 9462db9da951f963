use super::Capability;
use crate::agent_definition::EffortLevel;
use crate::control::FastModeState;
use crate::json::{Raw, Str};
use crate::mcp::McpServerState;
use crate::permission::PermissionMode;
use crate::table::{names, record};

record! {
    /// The session as it is now: it comes before every turn, and not before the first message.
    SystemInit<'a> {
        essential { session_id: Str<'a> }
        "2.1.37" {
            always uuid: Str<'a>,
            always cwd: Str<'a>,
            /// The tools the model may call. The one that starts subagents is listed under its old name,
            /// `Task`.
            always tools: Vec<Str<'a>>,
            always mcp_servers: Vec<InitMcpServer<'a>>,
            always model: Str<'a>,
            always permission_mode = "permissionMode": PermissionMode<'a>,
            /// Commands a user can type, without the slash.
            always slash_commands: Vec<Str<'a>>,
            always output_style: Str<'a>,
            always skills: Vec<Str<'a>>,
            always plugins: Vec<InitPlugin<'a>>,
            always api_key_source = "apiKeySource": ApiKeySource<'a>,
            /// The agent's version, by which a host knows what to expect.
            always claude_code_version: Str<'a>,
            /// The kinds of subagents that can be started.
            optional agents: Vec<Str<'a>>,
        }
        "2.1.50" {
            optional betas: Vec<Str<'a>>,
        }
        "2.1.74" {
            optional fast_mode_state: FastModeState<'a>,
        }
        "2.1.325" {
            optional fast_mode_disabled_reason: Str<'a>,
            /// Slash commands that only make sense in a terminal.
            optional terminal_slash_commands: Vec<Str<'a>>,
            optional plugin_errors: Vec<PluginError<'a>>,
            optional effort: EffortLevel<'a>,
            optional view_mode: ViewMode<'a>,
            optional capabilities: Vec<Capability<'a>>,
            optional analytics_disabled: bool,
            optional product_feedback_disabled: bool,
            optional memory_paths: Box<MemoryPaths<'a>>,
            /// Where the process was started, whatever `cwd` is now.
            optional original_cwd: Str<'a>,
            optional additional_directories: Vec<Str<'a>>,
            optional messaging_socket_path: Str<'a>,
            optional per_turn_effort_active: bool,
            optional ultrathink_available: bool,
            optional ultrathink_typed_raises: bool,
            /// The messages that the turn serves.
            optional user_message_uuids: Vec<Str<'a>>,
            optional cloud_session: Raw<'a>,
            optional footer_indicator: Raw<'a>,
            optional mcp_server_errors: Raw<'a>,
            optional plugin_warnings: Raw<'a>,
            optional powershell_path: Str<'a>,
            optional scratchpad_path: Str<'a>,
            optional startup_timing: Raw<'a>,
            optional worker_epoch: Raw<'a>,
        }
    }
}

record! {
    /// An MCP server of the session.
    InitMcpServer<'a> {
        essential { name: Str<'a> }
        "2.1.37" {
            always status: McpServerState<'a>,
        }
        "2.1.325" {
            /// Where the server comes from, such as `sdk` for one that lives in the host.
            optional source: Str<'a>,
        }
    }
}

record! {
    /// A plugin of the session.
    InitPlugin<'a> {
        essential { name: Str<'a> }
        "2.1.37" {
            always path: Str<'a>,
        }
        "2.1.325" {
            optional version: Str<'a>,
            /// Name and marketplace, joined with `@`.
            optional source: Str<'a>,
        }
    }
}

record! {
    /// A plugin that could not be loaded.
    PluginError<'a> {
        essential { plugin: Str<'a> }
        "2.1.325" {
            always kind = "type": Str<'a>,
            always message: Str<'a>,
            optional path: Str<'a>,
            optional managed_lock: Box<ManagedLock<'a>>,
        }
    }
}

record! {
    /// An organisation's setting that decides over a plugin.
    ManagedLock<'a> {
        essential { name: Str<'a> }
        "2.1.325" {
            always plugin_enabled: bool,
            optional marketplace: Str<'a>,
        }
    }
}

record! {
    /// Where the agent keeps what it remembers.
    MemoryPaths<'a> {
        "2.1.325" {
            optional auto: Str<'a>,
        }
    }
}

names! {
    /// Where the key for the model comes from.
    ApiKeySource<'a> {
        /// The environment.
        "ANTHROPIC_API_KEY" => Environment,
        /// A program that prints it.
        "apiKeyHelper" => Helper,
        /// One that a login made.
        "/login managed key" => LoginManaged,
        "none" => None,
        "user" => User,
        "project" => Project,
        "org" => Org,
        "temporary" => Temporary,
        "oauth" => Oauth,
    }
}

names! {
    /// How much of the work a terminal shows.
    ViewMode<'a> {
        "focus" => Focus,
        "default" => Default,
    }
}
