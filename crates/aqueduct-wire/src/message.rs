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
            /// `message`.
            always kind = "type": Str<'a>,
            always role: Str<'a>,
            /// `<synthetic>` where no model was asked.
            always model: Str<'a>,
            /// `null` until the message ends: in `assistant` frames of a model's answer it stays `null`.
            nullable stop_reason: StopReason<'a>,
            nullable stop_sequence: Str<'a>,
            /// The opening usage, whose output tokens are not final; the final one is on `result`.
            always usage: Box<Usage<'a>>,
            /// `null` in every complete message seen so far; absent in a stream's opening one.
            optional context_management: Raw<'a>,
            optional container: Box<Container<'a>>,
        }
        "2.1.325" {
            optional stop_details: Raw<'a>,
            optional diagnostics: Raw<'a>,
        }
    }
}

record! {
    /// The sandbox on the model's side in which its code runs.
    Container<'a> {
        essential { id: Str<'a> }
        "2.1.37" {
            always expires_at: Str<'a>,
            optional skills: Vec<Raw<'a>>,
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
        /// No word of a model: a hook has left its call to the host.
        "tool_deferred" => ToolDeferred,
    }
}

record! {
    /// A message to the model: a prompt of the user, or results of tools.
    UserMessage<'a> {
        essential { content: Content<'a> }
        "2.1.37" {
            always role: Str<'a>,
        }
    }
}
