use crate::json::{Raw, Str};
use crate::permission::PermissionUpdate;
use crate::table::{names, record, union};

union! {
    /// Whether a tool may run.
    PermissionReply<'a> by "behavior" {
        "allow" => Allow(PermissionAllow<'a>) since "2.1.37",
        "deny" => Deny(PermissionDeny<'a>) since "2.1.37",
    }
}

record! {
    /// The tool may run.
    PermissionAllow<'a> {
        "2.1.37" {
            /// The input to run with. Send the request's input if nothing changed: older agents insist on it.
            /// For AskUserQuestion it is the input with `answers`.
            optional updated_input = "updatedInput": Raw<'a>,
            /// Updates to apply from now on: this expresses "always allow".
            optional updated_permissions = "updatedPermissions": Vec<PermissionUpdate<'a>>,
            /// Another way to express "always allow", which some hosts use. The reference ignores it.
            optional apply_permission_suggestion = "applyPermissionSuggestion": PermissionUpdate<'a>,
            /// The request's `tool_use_id`.
            optional tool_use_id = "toolUseID": Str<'a>,
        }
        "2.1.325" {
            optional decision_classification = "decisionClassification": DecisionClassification<'a>,
        }
    }
}

record! {
    /// The tool may not run.
    PermissionDeny<'a> {
        "2.1.37" {
            /// What the model gets in place of the tool's result.
            optional message: Str<'a>,
            /// Whether the turn ends as well.
            optional interrupt: bool,
            /// The request's `tool_use_id`.
            optional tool_use_id = "toolUseID": Str<'a>,
        }
        "2.1.325" {
            optional decision_classification = "decisionClassification": DecisionClassification<'a>,
        }
    }
}

names! {
    /// For how long the user decided.
    DecisionClassification<'a> {
        "user_temporary" => UserTemporary,
        "user_permanent" => UserPermanent,
        "user_reject" => UserReject,
    }
}
