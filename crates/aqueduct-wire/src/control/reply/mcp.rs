use crate::json::{Map, Raw, Str};
use crate::mcp::McpServerStatus;
use crate::table::record;

record! {
    /// How the MCP servers fare.
    McpStatusReply<'a> {
        "2.1.37" {
            always mcp_servers = "mcpServers": Vec<McpServerStatus<'a>>,
        }
    }
}

record! {
    /// What changed among the servers.
    McpSetServersReply<'a> {
        "2.1.37" {
            always added: Vec<Str<'a>>,
            always removed: Vec<Str<'a>>,
            /// Why servers could not be used, by name.
            always errors: Map<'a, Str<'a>>,
        }
    }
}

record! {
    /// How the user signs in to a server.
    McpAuthenticateReply<'a> {
        "2.1.325" {
            /// The page to open.
            optional auth_url = "authUrl": Str<'a>,
            /// False, where the server can be used without the user.
            always requires_user_action = "requiresUserAction": bool,
        }
    }
}

record! {
    /// What a tool of a server gave back.
    McpCallReply<'a> {
        "2.1.325" {
            always content: Vec<Raw<'a>>,
            optional structured_content = "structuredContent": Raw<'a>,
            optional is_error = "isError": bool,
            optional meta = "_meta": Raw<'a>,
            optional staging: Raw<'a>,
        }
    }
}

record! {
    /// A resource of a server.
    McpReadResourceReply<'a> {
        "2.1.325" {
            always contents: Vec<McpResource<'a>>,
        }
    }
}

record! {
    /// A part of a resource: text, or bytes in base64.
    McpResource<'a> {
        "2.1.325" {
            always uri: Str<'a>,
            optional mime_type = "mimeType": Str<'a>,
            optional text: Str<'a>,
            optional blob: Str<'a>,
            optional meta = "_meta": Raw<'a>,
        }
    }
}

record! {
    /// The override is in place.
    SetMcpPermissionModeOverrideReply<'a> {
        "2.1.325" {
            optional warning: Str<'a>,
        }
    }
}
