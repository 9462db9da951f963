use aqueduct_wire::json::Str;
use aqueduct_wire::mcp::McpServerState;
use aqueduct_wire::table::record;

use crate::message::table::reply;

reply! {
    /// The MCP servers of a session's agent.
    McpServers<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            servers: Vec<McpServerInfo<'a>>,
        }
    }
}

record! {
    /// An MCP server.
    McpServerInfo<'a> {
        essential {
            name: Str<'a>,
            status: McpServerState<'a>,
        }
        "1" {
            /// What is wrong with it.
            optional error: Str<'a>,
            /// How the agent reaches it: `stdio`, `http`, `sse` or `sdk`.
            optional transport: Str<'a>,
            /// How many tools it has.
            optional tools: u64,
        }
    }
}

reply! {
    /// Where the user signs in to an MCP server.
    McpSignIn<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            server: Str<'a>,
            /// The page to open.
            url: Str<'a>,
        }
    }
}
