//! The lines that are messages.

use super::chained::chained;
use crate::block::ContentBlock;
use crate::json::{Lazy, Number, Raw, Str};
use crate::message::{AssistantMessage, UserMessage};
use crate::origin::Origin;
use crate::permission::PermissionMode;
use crate::table::record;

chained! {
    /// A message of the user, a tool's result, or what the program sends to the model in the user's name.
    UserLine<'a> {
        essential { message: Lazy<'a, UserMessage<'a>> }
        "2.1.37" {
            /// The summary that represents what was compacted.
            optional is_compact_summary = "isCompactSummary": bool,
            optional is_visible_in_transcript_only = "isVisibleInTranscriptOnly": bool,
            /// The tool's output with its structure.
            optional tool_use_result = "toolUseResult": Raw<'a>,
            /// The assistant line whose call this answers.
            optional source_tool_assistant_uuid = "sourceToolAssistantUUID": Str<'a>,
            optional source_tool_use_id = "sourceToolUseID": Str<'a>,
            optional permission_mode = "permissionMode": PermissionMode<'a>,
        }
        "2.1.74" {
            /// What the lines of one prompt share.
            optional prompt_id = "promptId": Str<'a>,
        }
        "2.1.325" {
            /// Such as `sdk`.
            optional prompt_source = "promptSource": Str<'a>,
            optional turn_origin = "turnOrigin": Str<'a>,
            optional turn_position = "turnPosition": Box<TurnPosition<'a>>,
            optional origin: Box<Origin<'a>>,
            optional permission_decision = "permissionDecision": Raw<'a>,
            /// Why the call has no result of its own, such as `interrupted`.
            optional tool_denial_kind = "toolDenialKind": Str<'a>,
            optional sandboxed: bool,
            optional turn_companion = "turnCompanion": bool,
            optional queue_skip_attachments = "queueSkipAttachments": bool,
        }
    }
}

chained! {
    /// A block of the model's answer, or an error in its place.
    AssistantLine<'a> {
        essential {
            /// Lines of one answer share its id.
            message: Lazy<'a, AssistantMessage<'a>>,
        }
        "2.1.37" {
            /// The API's id of the call that gave this answer.
            optional request_id = "requestId": Str<'a>,
            /// The message is not the model's: it states why there is none.
            optional is_api_error_message = "isApiErrorMessage": bool,
            /// The name of that error.
            optional error: Str<'a>,
        }
        "2.1.325" {
            /// The user interrupted the answer.
            optional is_aborted_mid_stream = "isAbortedMidStream": bool,
            optional api_block_index = "apiBlockIndex": Number<'a>,
            optional request_ref = "requestRef": Str<'a>,
            optional requested_model = "requestedModel": Str<'a>,
            optional prompt_cache_requested = "promptCacheRequested": Str<'a>,
            optional effort: Str<'a>,
            optional per_turn_effort = "perTurnEffort": Str<'a>,
            /// `model`.
            optional made_by = "madeBy": Str<'a>,
            optional tool_input_stream_ms = "toolInputStreamMs": Number<'a>,
            optional thinking_duration_ms = "thinkingDurationMs": Number<'a>,
            optional thinking_display = "thinkingDisplay": Str<'a>,
            /// The kind of the subagent.
            optional attribution_agent = "attributionAgent": Str<'a>,
        }
    }
}

record! {
    /// The position of a prompt in the conversation.
    TurnPosition<'a> {
        "2.1.325" {
            always prompt_index = "promptIndex": Number<'a>,
            always turn_index = "turnIndex": Number<'a>,
        }
    }
}

impl UserLine<'_> {
    /// Whether there is a message, and not something else in its place.
    pub fn has_message(&self) -> bool {
        is_object(self.message.raw())
    }

    /// Whether the line has the result of a tool.
    pub fn is_tool_result(&self) -> bool {
        if self.tool_use_result.is_some() || self.source_tool_assistant_uuid.is_some() {
            return true;
        }
        // Typed reading is for the few lines that may hold one.
        memchr::memmem::find(self.message.raw().as_str().as_bytes(), b"\"tool_result\"").is_some()
            && self.message.view().is_some_and(|message| {
                message.content.blocks().iter().any(|block| matches!(block, ContentBlock::ToolResult(_)))
            })
    }
}

impl AssistantLine<'_> {
    /// Whether there is a message, and not something else in its place.
    pub fn has_message(&self) -> bool {
        is_object(self.message.raw())
    }

    /// The model's id of the message, without reading the rest of it.
    pub fn message_id(&self) -> Option<Str<'_>> {
        crate::json::Reader::new(self.message.raw().as_str()).find_tag("id", true).ok()?
    }
}

fn is_object(value: &Raw<'_>) -> bool {
    value.as_str().starts_with('{')
}
