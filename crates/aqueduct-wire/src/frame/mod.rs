//! Frames: one JSON object a line.

mod conversation;

pub use conversation::{AssistantFrame, StreamEventFrame, UserFrame};

use crate::json::{IntoOwned, Json, ParseError, Reader};
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

impl<'a> FromAgent<'a> {
    /// Reads a frame from its line.
    pub fn parse(line: &'a str) -> Result<Self, ParseError> {
        let mut reader = Reader::new(line);
        match Self::read(&mut reader) {
            Ok(f) => {
                reader.end()?;
                Ok(f)
            }
            Err(crate::json::Fault::Parse(e)) => Err(e),
            Err(_) => Err(ParseError::NotAnObject),
        }
    }
    /// Writes
    pub fn to_line(&self) -> String {
        let mut s = String::new();
        self.write(&mut s);
        s
    }
}
