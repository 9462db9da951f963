use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::json::Str;
use aqueduct_wire::table::{names, record};

use crate::message::table::request;

request! {
    /// Send an input to the agent. While a turn runs the input is queued.
    SendInput<'a> {
        essential {
            /// May be empty if there are images or blocks.
            text: Str<'a>,
        }
        "1" {
            /// The session that this client used last if absent.
            optional session_id = "sessionId": Str<'a>,
            /// Names the input. An input that is sent again under the same name is acknowledged again and runs once.
            optional client_message_id = "clientMessageId": Str<'a>,
            /// Images that go before the text.
            optional images: Vec<InputImage<'a>>,
            /// Documents and other blocks that go before the images.
            optional blocks: Vec<ContentBlock<'a>>,
            optional priority: InputPriority<'a>,
        }
    }
}

record! {
    /// An image that goes with an input.
    InputImage<'a> {
        essential {
            /// Such as `image/png`.
            media_type = "mediaType": Str<'a>,
            /// The bytes, in base64.
            data: Str<'a>,
        }
        "1" {
            optional name: Str<'a>,
        }
    }
}

names! {
    /// What becomes of an input that comes while a turn runs.
    InputPriority<'a> {
        /// It waits for the turn's end, and can be changed until then.
        "queue" => Queue,
        /// The agent gets it at once, and takes it up in the running turn when it can.
        "steer" => Steer,
        /// The turn is stopped, and this is next.
        "interrupt" => Interrupt,
    }
}

request! {
    /// Change an input that waits in the queue.
    UpdateQueuedInput<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            /// The `id` in `queue`, or the input's `clientMessageId`.
            input_id = "inputId": Str<'a>,
            text: Str<'a>,
        }
        "1" {
            /// The images that it has from now on; those it had if absent.
            optional images: Vec<InputImage<'a>>,
        }
    }
}

request! {
    /// Take an input out of the queue.
    CancelQueuedInput<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            /// The `id` in `queue`, or the input's `clientMessageId`.
            input_id = "inputId": Str<'a>,
        }
    }
}

request! {
    /// Move an input to another place in the queue.
    MoveQueuedInput<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            /// The `id` in `queue`, or the input's `clientMessageId`.
            input_id = "inputId": Str<'a>,
            /// The place, from 0; beyond the end means last.
            position: u64,
        }
    }
}

request! {
    /// Give the agent a queued input now.
    SendQueuedInput<'a> {
        essential {
            session_id = "sessionId": Str<'a>,
            /// The `id` in `queue`, or the input's `clientMessageId`.
            input_id = "inputId": Str<'a>,
        }
        "1" {
            /// How: `interrupt` if absent, or `steer`.
            optional priority: InputPriority<'a>,
        }
    }
}
