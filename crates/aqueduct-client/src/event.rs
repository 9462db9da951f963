use std::sync::Arc;

use aqueduct_wire::FromAgent;
use aqueduct_wire::block::{ContentBlock, ToolUseBlock};
use aqueduct_wire::codec::LineError;
use aqueduct_wire::event::{Delta, StreamEvent};
use aqueduct_wire::frame::FrameWithLine;
use aqueduct_wire::json::ParseError;
use aqueduct_wire::machine::Ignored;

use crate::{Exit, Outcome};

/// A frame of the agent, typed, with its line.
pub type Frame = FrameWithLine<'static, FromAgent<'static>>;

/// What happens in a session, in the order in which it happens.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Event {
    /// A frame of the agent. All its frames are events, control frames too.
    Frame(Arc<Frame>),
    /// The agent sent what has no meaning in the protocol. The session continues.
    Noise(Noise),
    /// This side has answered a request of the agent, or declined it.
    Answered {
        /// The request's id, chosen by the agent.
        id: String,
    },
    /// A run ended: nothing more comes of the prompts that it served.
    RunEnded(Outcome),
    /// Events were dropped here because they were not read while a [`turn`](crate::Session::turn) was awaited. See
    /// [`Events`](crate::Events).
    Missed {
        /// How many.
        events: u64,
    },
    /// The agent is gone. Nothing comes after this.
    Ended(Exit),
}

/// Something that the agent sent and that means nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Noise {
    /// A line that can't be read: too long, or no text.
    Line(LineError),
    /// A line that is not a frame.
    NotAFrame {
        /// What is wrong with it.
        error: ParseError,
        /// The line, or its beginning.
        line: Box<str>,
    },
    /// The output ended inside a line.
    CutOff {
        /// The line as far as it came, or its beginning.
        line: Box<str>,
    },
    /// A control frame that answers nothing or asks nothing: for example the second answer to a request.
    Stray {
        /// The id that it carries.
        id: String,
        /// Why it has no effect.
        why: Ignored,
    },
    /// The output can't be read any further; with the system's error. The session ends.
    Unreadable(String),
}

/// How much of a line that is not a frame is kept.
pub(crate) const NOISE_BYTES: usize = 1 << 10;

impl Noise {
    /// The beginning of a line.
    pub(crate) fn excerpt(line: &str) -> Box<str> {
        let mut end = line.len().min(NOISE_BYTES);
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        line[..end].into()
    }
}

impl Event {
    /// The frame, if the event is one.
    pub fn frame(&self) -> Option<&FromAgent<'static>> {
        match self {
            Event::Frame(kept) => Some(&kept.frame),
            _ => None,
        }
    }

    /// How the run ended, if the event is that.
    ///
    /// ```
    /// use aqueduct_client::{Event, Outcome};
    ///
    /// let event = Event::RunEnded(Outcome::Interrupted(None));
    /// assert_eq!(event.outcome(), Some(&Outcome::Interrupted(None)));
    /// ```
    pub fn outcome(&self) -> Option<&Outcome> {
        match self {
            Event::RunEnded(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// The tools that the model calls with this event, each with its name and input; without those of subagents.
    ///
    /// ```
    /// use aqueduct_client::Event;
    ///
    /// fn describe(event: &Event) -> Vec<String> {
    ///     event.tool_calls().map(|call| format!("{} {}", call.name, call.input.as_str())).collect()
    /// }
    /// # use aqueduct_client::wire::{FromAgent, json::IntoOwned};
    /// # let line = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]}}"#;
    /// # let frame = FromAgent::parse_kept(line).unwrap().into_owned();
    /// # assert_eq!(describe(&Event::Frame(std::sync::Arc::new(frame))), ["Bash {}"]);
    /// ```
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolUseBlock<'static>> {
        let blocks = match self.frame() {
            Some(FromAgent::Assistant(frame)) if frame.parent_tool_use_id.is_none() => {
                frame.message.content.as_slice()
            }
            _ => &[],
        };
        blocks.iter().filter_map(|block| match block {
            ContentBlock::ToolUse(call) => Some(call),
            _ => None,
        })
    }

    /// The text that the model has just added, if the event is that; without the text of subagents. Only with
    /// [`partial_messages`](crate::Builder::partial_messages), which [`Query::stream`](crate::Query::stream) sets.
    ///
    /// ```
    /// use aqueduct_client::Event;
    ///
    /// fn show(event: &Event) {
    ///     if let Some(text) = event.text() {
    ///         print!("{text}");
    ///     }
    /// }
    /// ```
    pub fn text(&self) -> Option<&str> {
        match self.frame()? {
            FromAgent::StreamEvent(frame) if frame.parent_tool_use_id.is_none() => match &frame.event {
                StreamEvent::ContentBlockDelta(grown) => match &grown.delta {
                    Delta::Text(delta) => Some(&delta.text),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// What the event costs in memory, roughly.
    pub(crate) fn weight(&self) -> usize {
        const EMPTY: usize = 256;
        match self {
            // The line, and its parts again as values.
            Event::Frame(kept) => EMPTY + 2 * kept.line.len(),
            Event::Noise(Noise::Stray { id, .. }) => EMPTY + id.len(),
            Event::Noise(_) => EMPTY + NOISE_BYTES,
            Event::RunEnded(outcome) => EMPTY + outcome.report().map_or(0, |report| 2 * report.text().len()),
            Event::Answered { .. } | Event::Missed { .. } | Event::Ended(_) => EMPTY,
        }
    }
}
