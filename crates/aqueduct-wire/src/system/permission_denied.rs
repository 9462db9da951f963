use crate::json::Str;
use crate::table::record;

record! {
    /// A tool call was denied without asking the user. The record of it is `permission_denials` on `result`.
    PermissionDenied<'a> {
        essential {
            tool_name: Str<'a>,
            tool_use_id: Str<'a>,
        }
        "2.1.325" {
            optional agent_id: Str<'a>,
            /// Such as `mode`, `rule` or `classifier`.
            optional decision_reason_type: Str<'a>,
            optional decision_reason: Str<'a>,
            optional decision_reason_code: Str<'a>,
            /// The message for the model.
            always message: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}
