//! Frames: one JSON object a line, from the agent or to it.

mod conversation;
mod kept;
mod line;

pub use conversation::{AssistantFrame, StreamEventFrame, UserFrame};
pub use kept::Kept;

use crate::table::union;

union! {
    /// What an agent says on stdout.
    FromAgent<'a> by "type" {
        "assistant" => Assistant(Box<AssistantFrame<'a>>) since "2.1.37",
        "user" => User(Box<UserFrame<'a>>) since "2.1.37",
        "stream_event" => StreamEvent(Box<StreamEventFrame<'a>>) since "2.1.37",
    }
}

union! {
    /// What a host says on the agent's stdin.
    ToAgent<'a> by "type" {
        "user" => User(Box<UserFrame<'a>>) since "2.1.37",
    }
}

line::frame!(FromAgent);
line::frame!(ToAgent);
