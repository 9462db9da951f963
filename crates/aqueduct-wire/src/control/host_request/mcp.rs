use crate::json::{Map, Number, Raw, Str};
use crate::mcp::McpServerConfig;
use crate::permission::PermissionMode;
use crate::table::record;

record! {
    /// How do the MCP servers fare?
    McpStatusRequest<'a> {
        "2.1.325" {
            optional live_reply = "liveReply": bool,
        }
    }
}

record! {
    /// Connect again.
    McpReconnectRequest<'a> {
        essential { server_name = "serverName": Str<'a> }
    }
}

record! {
    /// Switch a server on or off.
    McpToggleRequest<'a> {
        essential {
            server_name = "serverName": Str<'a>,
            enabled: bool,
        }
    }
}

record! {
    /// Put these servers in place of the ones that were set this way before.
    McpSetServersRequest<'a> {
        essential { servers: Map<'a, McpServerConfig<'a>> }
    }
}

record! {
    /// Call a tool of a server, without the model.
    McpCallRequest<'a> {
        essential { tool: Str<'a> }
        "2.1.325" {
            optional arguments: Raw<'a>,
            optional expires_at: Number<'a>,
            optional timeout_ms: Number<'a>,
            optional result_not_for_model: bool,
            optional check_permissions: bool,
            optional input_files: Vec<Raw<'a>>,
            optional output_files: Vec<Raw<'a>>,
        }
    }
}

record! {
    /// Read a resource of a server.
    McpReadResourceRequest<'a> {
        essential {
            server_name = "serverName": Str<'a>,
            uri: Str<'a>,
        }
    }
}

record! {
    /// Use another permission mode for one server.
    SetMcpPermissionModeOverrideRequest<'a> {
        essential { server_name = "serverName": Str<'a> }
        "2.1.325" {
            nullable mode: PermissionMode<'a>,
        }
    }
}

record! {
    /// Begin to sign in to a server.
    McpAuthenticateRequest<'a> {
        essential { server_name = "serverName": Str<'a> }
        "2.1.325" {
            /// Where the browser is sent back to, if the host takes it from there.
            optional redirect_uri = "redirectUri": Str<'a>,
        }
    }
}

record! {
    /// Sign out of a server.
    McpClearAuthRequest<'a> {
        essential { server_name = "serverName": Str<'a> }
    }
}

record! {
    /// The address that the browser ended on when the user signed in to a server.
    McpOauthCallbackUrlRequest<'a> {
        essential {
            server_name = "serverName": Str<'a>,
            callback_url = "callbackUrl": Str<'a>,
        }
    }
}

record! {
    /// Let a server push messages into the conversation.
    ChannelEnableRequest<'a> {}
}
