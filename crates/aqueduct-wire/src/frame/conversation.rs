//! The frames a conversation is made of.

use crate::event::StreamEvent;
use crate::json::{Number, Raw, Str};
use crate::message::{AssistantMessage, UserMessage};
use crate::table::record;

record! {
    /// A finished block of the model's answer.
    AssistantFrame<'a> {
        essential { message: Box<AssistantMessage<'a>> }
        "2.1.37" {
            nullable parent_tool_use_id: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
            optional error: Str<'a>,
        }
        "2.1.325" {
            optional request_id: Str<'a>,
            optional user_message_uuid: Str<'a>,
        }
    }
}

record! {
    /// A message of the user, or what tools gave back.
    UserFrame<'a> {
        essential { message: UserMessage<'a> }
        "2.1.37" {
            nullable parent_tool_use_id: Str<'a>,
            optional uuid: Str<'a>,
            optional session_id: Str<'a>,
            optional tool_use_result: Raw<'a>,
        }
    }
}

record! {
    /// An event of the model's stream.
    StreamEventFrame<'a> {
        essential { event: StreamEvent<'a> }
        "2.1.37" {
            nullable parent_tool_use_id: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
        "2.1.325" {
            optional ttft_ms: Number<'a>,
            optional user_message_uuid: Str<'a>,
            optional user_message_uuids: Vec<Str<'a>>,
            optional resume_reason: Str<'a>,
            optional api_message_id: Str<'a>,
            optional thinking_display: Str<'a>,
            optional owed_rows: Number<'a>,
        }
    }
}
