use aqueduct_wire::json::{Map, Number, Raw, Str};
use aqueduct_wire::permission::{Destination, PermissionMode, PermissionUpdate};
use aqueduct_wire::question::{Answer, AnswerAnnotation};

use crate::message::table::request;

request! {
    /// Allow what a `permission_request` asks for, this once.
    Approve<'a> {
        essential {
            /// The request's `id`, or its `toolUseId` where no other request has the same.
            id: Str<'a>,
        }
        "1" {
            /// The request's. A request of another session is not decided.
            optional session_id = "sessionId": Str<'a>,
            /// The request's `inputHash`. If it is given and is not that of the pending input, nothing is decided.
            optional input_hash = "inputHash": Str<'a>,
            /// The input to run with instead.
            optional updated_input = "updatedInput": Raw<'a>,
            /// The mode to enter, where a plan is approved.
            optional mode: PermissionMode<'a>,
            /// The session's new budget, where the request is about that; as much again as before if absent.
            optional budget_usd = "budgetUsd": Number<'a>,
            /// The value of `confirmation_required`, in the repeated request.
            optional confirm: Str<'a>,
        }
    }
}

request! {
    /// Allow what a `permission_request` asks for, and the like of it from now on. Without `rules` and
    /// `updates` the narrowest suggestion is used.
    ApproveAlways<'a> {
        essential {
            /// The request's `id`, or its `toolUseId` where no other request has the same.
            id: Str<'a>,
        }
        "1" {
            /// The request's. A request of another session is not decided.
            optional session_id = "sessionId": Str<'a>,
            /// The request's `inputHash`. If it is given and is not that of the pending input, nothing is decided.
            optional input_hash = "inputHash": Str<'a>,
            /// The input to run with instead.
            optional updated_input = "updatedInput": Raw<'a>,
            /// The rules to add, as people write them: `Bash(npm test)`.
            optional rules: Vec<Str<'a>>,
            /// Where the rules live: `session`, `localSettings`, `projectSettings` or `userSettings`; for the session if absent.
            optional destination: Destination<'a>,
            /// The exact updates to make, such as some of the request's `suggestions`; `rules` and `destination` count no more then.
            optional updates: Vec<PermissionUpdate<'a>>,
            /// The value of `confirmation_required`, in the repeated request.
            optional confirm: Str<'a>,
        }
    }
}

request! {
    /// Don't allow what a `permission_request` asks for.
    Reject<'a> {
        essential {
            /// The request's `id`, or its `toolUseId` where no other request has the same.
            id: Str<'a>,
        }
        "1" {
            /// What the model receives.
            optional message: Str<'a>,
            /// The request's. A request of another session is not decided.
            optional session_id = "sessionId": Str<'a>,
            /// The request's `inputHash`. If it is given and is not that of the pending input, nothing is decided.
            optional input_hash = "inputHash": Str<'a>,
            /// Whether the turn ends as well.
            optional interrupt: bool,
        }
    }
}

request! {
    /// Answer a `permission_request` that is a question or an elicitation. One of `result`, `answers` and
    /// `content` is needed.
    AnswerQuestion<'a> {
        essential {
            /// The request's `id`, or its `toolUseId` where no other request has the same.
            tool_use_id = "toolUseId": Str<'a>,
        }
        "1" {
            /// The answer to the only question, or an object with `answers` as JSON text.
            optional result: Str<'a>,
            /// The request's. A request of another session is not decided.
            optional session_id = "sessionId": Str<'a>,
            /// The request's `inputHash`. If it is given and is not that of the pending input, nothing is decided.
            optional input_hash = "inputHash": Str<'a>,
            /// By the question's text: the chosen label, several joined with `, `, or the user's own words.
            optional answers: Map<'a, Answer<'a>>,
            /// By the question's text.
            optional annotations: Map<'a, AnswerAnnotation<'a>>,
            /// What was filled into an elicitation's form. `reject` declines it.
            optional content: Raw<'a>,
        }
    }
}
