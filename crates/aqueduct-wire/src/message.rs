//! Messages: the model's, and the user's.

use crate::block::{Content, ContentBlock};
use crate::json::{Raw, Str};
use crate::table::{names, record};
use crate::usage::Usage;

record! {
    /// A message of the model. In the reference's `assistant` frames it holds one block, and several frames
    /// share one `id`.
    AssistantMessage<'a> {
        essential { content: Vec<ContentBlock<'a>> }
        "2.1.37" {
            always id: Str<'a>,
            always kind = "type": Str<'a>,
            always role: Str<'a>,
            /// `<synthetic>` where no model was asked.
            always model: Str<'a>,
            nullable stop_reason: StopReason<'a>,
            nullable stop_sequence: Str<'a>,
            optional usage: Box<Usage<'a>>,
            optional context_management: Raw<'a>,
            optional container: Raw<'a>,
        }
        "2.1.325" {
            optional stop_details: Raw<'a>,
            optional diagnostics: Raw<'a>,
        }
    }
}

names! {
    /// Why the model stopped.
    StopReason<'a> {
        "end_turn" => EndTurn,
        "tool_use" => ToolUse,
        "max_tokens" => MaxTokens,
        "stop_sequence" => StopSequence,
        "pause_turn" => PauseTurn,
        "refusal" => Refusal,
        "model_context_window_exceeded" => ContextWindowExceeded,
    }
}

record! {
    /// A message to the model: what the user says, or what tools gave back.
    UserMessage<'a> {
        essential { content: Content<'a> }
        "2.1.37" {
            always role: Str<'a>,
        }
    }
}
