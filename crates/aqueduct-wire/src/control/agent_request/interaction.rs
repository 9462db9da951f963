use crate::elicitation::ElicitationMode;
use crate::hook::HookInput;
use crate::json::{Raw, Str};
use crate::mcp::McpMessage;
use crate::table::record;

record! {
    /// Run the hook that was registered under this id.
    HookCallbackRequest<'a> {
        essential {
            callback_id: Str<'a>,
            input: HookInput<'a>,
        }
        "2.1.37" {
            /// The tool call; for events without one the reference sends a random UUID.
            optional tool_use_id: Str<'a>,
        }
    }
}

record! {
    /// A message between the agent and an MCP server that lives in the host. The agent sends requests and
    /// notifications to the server; the host sends the server's own messages.
    McpMessageRequest<'a> {
        essential {
            server_name: Str<'a>,
            message: McpMessage<'a>,
        }
    }
}

record! {
    /// An MCP server asks the user to fill a form or to visit a page.
    ElicitationRequest<'a> {
        essential {
            mcp_server_name: Str<'a>,
            message: Str<'a>,
        }
        "2.1.325" {
            optional mode: ElicitationMode<'a>,
            /// The page to visit.
            optional url: Str<'a>,
            optional elicitation_id: Str<'a>,
            /// The form, as a JSON Schema.
            optional requested_schema: Raw<'a>,
            /// The order of the form's fields.
            optional property_order: Vec<Str<'a>>,
            optional title: Str<'a>,
            optional display_name: Str<'a>,
            optional description: Str<'a>,
        }
    }
}

record! {
    /// Show a dialog. Comes only for kinds that `supportedDialogKinds` named.
    UserDialogRequest<'a> {
        essential { dialog_kind: Str<'a> }
        "2.1.325" {
            always payload: Raw<'a>,
            optional tool_use_id: Str<'a>,
        }
    }
}
