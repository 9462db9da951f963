use crate::json::Str;
use crate::permission::PermissionMode;
use crate::table::{names, record};

record! {
    /// What the agent does between the frames, or that the permission mode changed: then `status` is `null`
    /// and the new mode is there.
    SystemStatus<'a> {
        "2.1.37" {
            nullable status: Status<'a>,
            optional permission_mode = "permissionMode": PermissionMode<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
        "2.1.325" {
            /// How the compaction ended that a `status` before this one began.
            optional compact_result: CompactResult<'a>,
            optional compact_error: Str<'a>,
            optional user_message_uuids: Vec<Str<'a>>,
        }
    }
}

names! {
    /// What the agent does.
    Status<'a> {
        /// It writes the summary that replaces the conversation.
        "compacting" => Compacting,
        /// It has asked the model and waits for the first token. Only reported with partial messages.
        "requesting" => Requesting,
    }
}

names! {
    /// How a compaction ended.
    CompactResult<'a> {
        "success" => Success,
        "failed" => Failed,
    }
}
