use crate::elicitation::ElicitationAction;
use crate::json::{Raw, Str};
use crate::mcp::McpMessage;
use crate::table::{record, union};

record! {
    /// What an MCP server in the host answered. A notification is answered with an empty result.
    McpReply<'a> {
        "2.1.37" {
            always mcp_response: McpMessage<'a>,
        }
    }
}

record! {
    /// The user's answer to an MCP server.
    ElicitationReply<'a> {
        essential { action: ElicitationAction<'a> }
        "2.1.325" {
            /// The form's fields.
            optional content: Raw<'a>,
        }
    }
}

union! {
    /// How a dialog ended.
    DialogReply<'a> by "behavior" {
        "completed" => Completed(DialogCompleted<'a>) since "2.1.325",
        "cancelled" => Cancelled(DialogCancelled<'a>) since "2.1.325",
    }
}

record! {
    /// The user finished the dialog.
    DialogCompleted<'a> {
        "2.1.325" {
            always result: Raw<'a>,
        }
    }
}

record! {
    /// The user left the dialog.
    DialogCancelled<'a> {}
}

record! {
    /// A new access token, or why there is none.
    OauthTokenReply<'a> {
        "2.1.325" {
            nullable access_token = "accessToken": Str<'a>,
            optional reason: Str<'a>,
        }
    }
}

record! {
    /// A new credential of the host.
    HostAuthTokenReply<'a> {
        "2.1.325" {
            always auth_token = "authToken": Str<'a>,
        }
    }
}

record! {
    /// The secret of a session that is driven from elsewhere.
    WorkSecretReply<'a> {
        "2.1.325" {
            always work_secret: Str<'a>,
        }
    }
}

record! {
    /// Nothing but that it is done.
    Acknowledgement<'a> {}
}

record! {
    /// An answer whose members are undocumented. They are all in `extra`.
    OpenReply<'a> {}
}
