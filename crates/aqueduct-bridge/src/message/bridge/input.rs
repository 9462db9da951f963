use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::json::Str;
use aqueduct_wire::table::{names, record};

use super::{Actor, ImageContent};
use crate::message::ErrorCode;
use crate::message::client::InputPriority;
use crate::message::table::{live, reply, stored};

stored! {
    /// An input to the agent. It is sent when the agent gets it: until then it is in `queue`.
    UserInput<'a> {
        essential {
            text: Str<'a>,
        }
        "1" {
            /// The input's id.
            always id: Str<'a>,
            optional client_message_id = "clientMessageId": Str<'a>,
            optional images: Vec<ImageContent<'a>>,
            /// Other blocks that came with it.
            optional blocks: Vec<ContentBlock<'a>>,
            /// The sender.
            optional by: Actor<'a>,
            always source: UserInputSource<'a>,
            optional priority: InputPriority<'a>,
            /// The call of the subagent that received it; absent in the main conversation.
            optional parent_tool_use_id = "parentToolUseId": Str<'a>,
        }
    }
}

names! {
    /// Where an input came from.
    UserInputSource<'a> {
        /// A client of this bridge.
        "client" => Client,
        /// A terminal, before the session was resumed here.
        "terminal" => Terminal,
        /// The agent's program: a summary after compaction, a notice, a command's output.
        "agent" => Agent,
    }
}

reply! {
    /// The input is safe: it is stored, and runs once whatever happens.
    InputAck<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            /// The input's id.
            input_id = "inputId": Str<'a>,
            state: InputState<'a>,
        }
        "1" {
            optional client_message_id = "clientMessageId": Str<'a>,
            /// The place in the queue, from 0.
            optional position: u64,
        }
    }
}

names! {
    /// Where an input is on its way.
    InputState<'a> {
        /// It waits for the turn's end, or for the agent's start.
        "queued" => Queued,
        /// The agent has it.
        "sent" => Sent,
        /// It had been acknowledged before, and its turn is over.
        "done" => Done,
        /// It was taken out of the queue.
        "cancelled" => Cancelled,
        /// The agent ended, and whether it had read the input can't be known. A `permission_request` of the kind
        /// `resend` asks whether to send it again.
        "unconfirmed" => Unconfirmed,
    }
}

reply! {
    /// The input was not taken: nothing of it was stored, and it won't run. `input` gets this instead of `error`.
    InputRejected<'a> {
        essential {
            code: ErrorCode<'a>,
            /// What is wrong and what to do, for people.
            message: Str<'a>,
        }
        "1" {
            optional session_id = "sessionId": Str<'a>,
            optional client_message_id = "clientMessageId": Str<'a>,
            /// After how many milliseconds it is worth another try.
            optional retry_after_ms = "retryAfterMs": u64,
        }
    }
}

live! {
    /// The inputs that wait, all of them, in order. It comes whenever one is added, changed, moved, sent or taken out.
    Queue<'a> {
        essential { inputs: Vec<QueuedInput<'a>> }
    }
}

record! {
    /// An input that waits.
    QueuedInput<'a> {
        essential {
            id: Str<'a>,
            text: Str<'a>,
            /// When it came, in milliseconds since 1970.
            time: u64,
        }
        "1" {
            optional client_message_id = "clientMessageId": Str<'a>,
            optional images: Vec<ImageContent<'a>>,
            optional by: Actor<'a>,
            optional priority: InputPriority<'a>,
        }
    }
}
