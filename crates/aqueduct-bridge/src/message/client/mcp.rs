use aqueduct_wire::json::Str;

use crate::message::table::request;

request! {
    /// List the MCP servers of a session's agent.
    ListMcpServers<'a> {
        essential { session_id = "sessionId": Str<'a> }
    }
}

request! {
    /// Begin to sign in to an MCP server: the reply has the page that the user opens. If the browser runs on the agent's
    /// machine, it ends the sign-in by itself.
    SignInMcpServer<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            server: Str<'a>,
        }
    }
}

request! {
    /// End a sign-in from another machine: the last page does not load there, and its address is what the agent needs.
    FinishMcpSignIn<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            server: Str<'a>,
            /// The address of the page that the browser ended on.
            callback_url = "callbackUrl": Str<'a>,
        }
    }
}

request! {
    /// Sign out of an MCP server: its tokens are revoked and deleted.
    SignOutMcpServer<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            server: Str<'a>,
        }
    }
}
