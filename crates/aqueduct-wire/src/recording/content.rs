use crate::json::{Raw, Reader, Str};
use crate::{FromAgent, ToAgent};

/// What a line of a recording holds.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum RecordingContent<'a> {
    /// A JSON object.
    Frame(Raw<'a>),
    /// Any other text.
    Text(Str<'a>),
    /// A line that is not text.
    Bytes(Vec<u8>),
    /// Nothing, and why: the line was too long.
    LeftOut(Str<'a>),
}

/// A frame of a recording.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum RecordedFrame<'a> {
    /// One that the agent sent.
    FromAgent(Box<FromAgent<'a>>),
    /// One that the host sent.
    ToAgent(Box<ToAgent<'a>>),
}

impl<'a> RecordingContent<'a> {
    /// A line of text: a frame if it is a JSON object that is not too deep inside the object of a recording.
    pub fn of(line: &'a str) -> Self {
        match Raw::parse_inside(line) {
            Ok(frame) if frame.as_str().starts_with('{') => RecordingContent::Frame(frame),
            _ => RecordingContent::Text(line.into()),
        }
    }

    /// The value of `msg`. Other recorders have text there as well.
    pub(super) fn of_message(message: &'a Raw<'_>) -> Self {
        match message.as_str().as_bytes().first() {
            Some(b'{') => RecordingContent::Frame(message.borrowed()),
            Some(b'"') => RecordingContent::Text(
                Reader::new(message.as_str()).string().unwrap_or_else(|_| message.as_str().into()),
            ),
            _ => RecordingContent::Text(message.as_str().into()),
        }
    }
}
