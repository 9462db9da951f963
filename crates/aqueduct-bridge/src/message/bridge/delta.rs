use aqueduct_wire::json::Str;
use aqueduct_wire::table::{names, record};

use crate::message::table::live;

live! {
    /// The answer's text grew.
    TextGrowth<'a> {
        essential {
            /// What was added.
            text: Str<'a>,
        }
        "1" {
            /// The answer, as in `message.id` of `assistant`.
            optional message_id = "messageId": Str<'a>,
            /// Which of the answer's blocks, from 0.
            always index: u64,
            /// The tool call that started the subagent; absent in the main conversation.
            optional parent_tool_use_id = "parentToolUseId": Str<'a>,
        }
    }
}

live! {
    /// The model's thinking grew.
    ThinkingGrowth<'a> {
        essential {
            /// What was added.
            text: Str<'a>,
        }
        "1" {
            /// The answer, as in `message.id` of `assistant`.
            optional message_id = "messageId": Str<'a>,
            /// Which of the answer's blocks, from 0.
            always index: u64,
            /// The tool call that started the subagent; absent in the main conversation.
            optional parent_tool_use_id = "parentToolUseId": Str<'a>,
        }
    }
}

live! {
    /// The input of a tool call grew. The first one of a call may add nothing.
    ToolInputGrowth<'a> {
        essential {
            /// What was added: a piece of JSON text.
            text: Str<'a>,
        }
        "1" {
            always tool_use_id = "toolUseId": Str<'a>,
            always tool_name = "toolName": Str<'a>,
            /// The answer, as in `message.id` of `assistant`.
            optional message_id = "messageId": Str<'a>,
            /// Which of the answer's blocks, from 0.
            always index: u64,
            /// The tool call that started the subagent; absent in the main conversation.
            optional parent_tool_use_id = "parentToolUseId": Str<'a>,
        }
    }
}

live! {
    /// The answer so far, whole, for a client that missed its beginning. It replaces all deltas of that answer
    /// before it. Blocks that came as `assistant` are not in it.
    PartialAnswer<'a> {
        essential { blocks: Vec<PartialBlock<'a>> }
        "1" {
            /// The answer, as in `message.id` of `assistant`.
            optional message_id = "messageId": Str<'a>,
            optional model: Str<'a>,
            /// The tool call that started the subagent; absent in the main conversation.
            optional parent_tool_use_id = "parentToolUseId": Str<'a>,
        }
    }
}

record! {
    /// A block of an answer so far.
    PartialBlock<'a> {
        essential {
            /// Which of the answer's blocks, from 0.
            index: u64,
            kind: PartialKind<'a>,
            /// All of it so far: text, thinking, or the JSON text of a tool's input.
            text: Str<'a>,
        }
        "1" {
            optional tool_use_id = "toolUseId": Str<'a>,
            optional tool_name = "toolName": Str<'a>,
        }
    }
}

names! {
    /// What grows, and by which delta.
    PartialKind<'a> {
        /// By `stream_delta`.
        "text" => Text,
        /// By `thinking_delta`.
        "thinking" => Thinking,
        /// By `tool_input_delta`.
        "tool_input" => ToolInput,
    }
}
