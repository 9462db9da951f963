use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::{RecordedFrame, RecordingContent};
use crate::frame::line;
use crate::json::{Number, ParseError, Raw, Str};
use crate::table::{names, record};
use crate::{FromAgent, ToAgent};

record! {
    /// A line of a recording. It has one of `msg`, `text`, `bytes` and `note`.
    RecordingLine<'a> {
        essential {
            /// Seconds since the start.
            t: Number<'a>,
            /// Where the line went.
            dir: RecordingDirection<'a>,
        }
        "0.1.0" {
            /// The line, where it is a JSON object.
            optional msg: Raw<'a>,
            /// The line, where it is another text.
            optional text: Str<'a>,
            /// The line in base64, where it is not UTF-8.
            optional bytes: Str<'a>,
            /// Why the line was left out.
            optional note: Str<'a>,
            /// Whether the stream ended inside the line.
            optional cut: bool,
        }
    }
}

line::frame!(RecordingLine);

names! {
    /// Where a line of a recording went.
    RecordingDirection<'a> {
        /// From the host to the agent.
        "in" => In,
        /// From the agent to the host.
        "out" => Out,
        /// To the agent's stderr.
        "err" => Err,
        /// Nowhere: a note of the recorder, such as `exit 0`.
        "note" => Note,
    }
}

impl<'a> RecordingLine<'a> {
    /// Reads a line of a recording; `None` where it is none, such as a frame. A line of a recording has `t`, `dir` and a
    /// content, and no `type`.
    pub fn recognize(line: &'a str) -> Option<Self> {
        let line = RecordingLine::parse(line).ok()?;
        (line.extra.get("type").is_none() && line.content().is_some()).then_some(line)
    }

    /// A line at a time since the start.
    pub fn at(t: Duration, dir: RecordingDirection<'a>, content: RecordingContent<'a>) -> Self {
        let t = Number::from_digits(format!("{}.{:06}", t.as_secs(), t.subsec_micros()));
        let mut line = RecordingLine::new(t, dir);
        match content {
            RecordingContent::Frame(frame) => line.msg = Some(frame),
            RecordingContent::Text(text) => line.text = Some(text),
            RecordingContent::Bytes(bytes) => line.bytes = Some(STANDARD.encode(bytes).into()),
            RecordingContent::LeftOut(why) => line.note = Some(why),
        }
        line
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.t.as_f64()
    }

    /// Whether the stream ended inside the line.
    pub fn is_cut(&self) -> bool {
        self.cut == Some(true)
    }

    /// What the line holds. `None` for an object without a content.
    pub fn content(&self) -> Option<RecordingContent<'_>> {
        if let Some(message) = &self.msg {
            return Some(RecordingContent::of_message(message));
        }
        if let Some(text) = &self.text {
            return Some(RecordingContent::Text(text.as_str().into()));
        }
        if let Some(bytes) = &self.bytes {
            return STANDARD.decode(bytes.as_str()).ok().map(RecordingContent::Bytes);
        }
        self.note.as_ref().map(|why| RecordingContent::LeftOut(why.as_str().into()))
    }

    /// The frame of the line. `None` where the line holds none: output that is not JSON, stderr, notes.
    pub fn frame(&self) -> Result<Option<RecordedFrame<'_>>, ParseError> {
        let Some(message) = self.msg.as_ref().filter(|message| message.as_str().starts_with('{')) else {
            return Ok(None);
        };
        Ok(match self.dir {
            RecordingDirection::In => {
                Some(RecordedFrame::ToAgent(Box::new(ToAgent::parse(message.as_str())?)))
            }
            RecordingDirection::Out => {
                Some(RecordedFrame::FromAgent(Box::new(FromAgent::parse(message.as_str())?)))
            }
            _ => None,
        })
    }

    /// The exit code of the program, where the line is the note of its end: `exit 0`. A program that was killed has none
    /// of its own; as in a shell it is 128 and the signal's number.
    pub fn exit_code(&self) -> Option<u8> {
        if self.dir != RecordingDirection::Note {
            return None;
        }
        let code = self.text.as_ref()?.strip_prefix("exit ")?.split_whitespace().next()?;
        if code == "killed" {
            return Some(137);
        }
        let code: i32 = code.parse().ok()?;
        u8::try_from(if code < 0 { 128_i32.checked_sub(code)? } else { code & 0xff }).ok()
    }
}
