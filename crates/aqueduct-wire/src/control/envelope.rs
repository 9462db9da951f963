use super::{AgentRequest, HostRequest};
use crate::error_name::ErrorDetail;
use crate::json::{Raw, Str};
use crate::table::{record, union};

record! {
    /// A request to the agent.
    HostRequestFrame<'a> {
        essential {
            /// Chosen by the host; the answer repeats it.
            request_id: Str<'a>,
            request: HostRequest<'a>,
        }
    }
}

record! {
    /// A request to the host.
    AgentRequestFrame<'a> {
        essential {
            /// Chosen by the agent; the answer repeats it.
            request_id: Str<'a>,
            request: AgentRequest<'a>,
        }
    }
}

record! {
    /// The answer to a request of the other side.
    ControlResponseFrame<'a> {
        essential { response: ControlResponse<'a> }
    }
}

record! {
    /// The sender of a request no longer wants the answer. Nothing answers this.
    ControlCancelFrame<'a> {
        essential { request_id: Str<'a> }
    }
}

union! {
    /// How a request was answered.
    ControlResponse<'a> by "subtype" {
        "success" => Success(SuccessResponse<'a>) since "2.1.37",
        "error" => Error(ErrorResponse<'a>) since "2.1.37",
    }
}

record! {
    /// The request was served.
    SuccessResponse<'a> {
        essential { request_id: Str<'a> }
        "2.1.37" {
            /// The payload, whose type follows from the request. A bare acknowledgement may have none.
            optional response: Raw<'a>,
        }
        "2.1.268" {
            /// On the answer to `initialize`: permission requests that are still open.
            optional pending_permission_requests: Vec<PendingRequest<'a>>,
            /// On the answer to `initialize`: dialogs that are still open.
            optional pending_user_dialog_requests: Vec<PendingRequest<'a>>,
        }
        "2.1.325" {
            /// On the answer to `initialize`: questions of MCP servers that are still open.
            optional pending_elicitation_requests: Vec<PendingRequest<'a>>,
        }
    }
}

record! {
    /// The request was not served.
    ErrorResponse<'a> {
        essential { request_id: Str<'a> }
        "2.1.37" {
            always error: ErrorDetail<'a>,
            /// On the answer to `initialize`: permission requests that are still open.
            optional pending_permission_requests: Vec<PendingRequest<'a>>,
        }
        "2.1.268" {
            /// On the answer to `initialize`: dialogs that are still open.
            optional pending_user_dialog_requests: Vec<PendingRequest<'a>>,
        }
        "2.1.325" {
            /// A name for programs, such as `unsupported_request`.
            optional error_code: Str<'a>,
            /// On the answer to `initialize`: questions of MCP servers that are still open.
            optional pending_elicitation_requests: Vec<PendingRequest<'a>>,
        }
    }
}

record! {
    /// A request that was made before and is still open: the whole frame, to be served like a new one.
    PendingRequest<'a> {
        essential {
            request_id: Str<'a>,
            request: AgentRequest<'a>,
        }
        "2.1.37" {
            /// `control_request`.
            always kind = "type": Str<'a>,
        }
    }
}
