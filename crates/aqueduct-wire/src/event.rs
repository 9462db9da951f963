//! The model's stream, event by event, as it is inside `stream_event` frames.

use crate::block::ContentBlock;
use crate::citation::Citation;
use crate::error_name::ErrorDetail;
use crate::json::{Number, Raw, Str};
use crate::message::{AssistantMessage, Container, StopReason};
use crate::table::{record, union};
use crate::usage::Usage;

union! {
    /// An event of the model's stream.
    StreamEvent<'a> by "type" {
        "message_start" => MessageStart(MessageStart<'a>) since "2.1.37",
        "content_block_start" => ContentBlockStart(Box<ContentBlockStart<'a>>) since "2.1.37",
        "content_block_delta" => ContentBlockDelta(ContentBlockDelta<'a>) since "2.1.37",
        "content_block_stop" => ContentBlockStop(ContentBlockStop<'a>) since "2.1.37",
        "message_delta" => MessageDelta(Box<MessageDelta<'a>>) since "2.1.37",
        "message_stop" => MessageStop(MessageStop<'a>) since "2.1.37",
        "ping" => Ping(Ping<'a>) since "2.1.37",
        "error" => Error(ErrorEvent<'a>) since "2.1.37",
    }
}

record! {
    /// A message begins. Its content is empty and its usage is the opening one.
    MessageStart<'a> {
        essential { message: Box<AssistantMessage<'a>> }
    }
}

record! {
    /// A block begins. Its text or input is empty.
    ContentBlockStart<'a> {
        essential {
            index: Number<'a>,
            content_block: ContentBlock<'a>,
        }
    }
}

record! {
    /// A block grows.
    ContentBlockDelta<'a> {
        essential {
            index: Number<'a>,
            delta: Delta<'a>,
        }
    }
}

record! {
    /// A block is complete.
    ContentBlockStop<'a> {
        essential { index: Number<'a> }
    }
}

record! {
    /// What is known of the message at its end.
    MessageDelta<'a> {
        essential { delta: MessageChange<'a> }
        "2.1.37" {
            always usage: Box<Usage<'a>>,
            optional context_management: Raw<'a>,
        }
    }
}

record! {
    /// The members of the message that are known only at its end.
    MessageChange<'a> {
        "2.1.37" {
            nullable stop_reason: StopReason<'a>,
            nullable stop_sequence: Str<'a>,
            optional container: Box<Container<'a>>,
        }
        "2.1.325" {
            optional stop_details: Raw<'a>,
        }
    }
}

record! {
    /// The message is complete.
    MessageStop<'a> {}
}

record! {
    /// Nothing but a sign of life.
    Ping<'a> {}
}

record! {
    /// The stream broke.
    ErrorEvent<'a> {
        "2.1.37" {
            always error: Box<ErrorDetail<'a>>,
            optional request_id: Str<'a>,
        }
    }
}

union! {
    /// What a block grows by.
    Delta<'a> by "type" {
        "text_delta" => Text(TextDelta<'a>) since "2.1.37",
        "thinking_delta" => Thinking(ThinkingDelta<'a>) since "2.1.37",
        "signature_delta" => Signature(SignatureDelta<'a>) since "2.1.37",
        "input_json_delta" => InputJson(InputJsonDelta<'a>) since "2.1.37",
        "citations_delta" => Citations(CitationsDelta<'a>) since "2.1.37",
    }
}

record! {
    /// More text.
    TextDelta<'a> {
        essential { text: Str<'a> }
    }
}

record! {
    /// More thinking.
    ThinkingDelta<'a> {
        essential { thinking: Str<'a> }
        "2.1.325" {
            optional estimated_tokens: Number<'a>,
        }
    }
}

record! {
    /// The signature of a thinking block.
    SignatureDelta<'a> {
        essential { signature: Str<'a> }
    }
}

record! {
    /// More of a tool's input, as a piece of JSON text.
    InputJsonDelta<'a> {
        essential { partial_json: Str<'a> }
    }
}

record! {
    /// One more citation.
    CitationsDelta<'a> {
        essential { citation: Box<Citation<'a>> }
    }
}
