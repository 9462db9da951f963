//! Messages as text: made once, sent to everybody.

use std::sync::{Arc, OnceLock};

use aqueduct_wire::json::{IntoOwned, Json, Raw, Str};

use crate::log::{NewEvent, Time};
use crate::message::BridgeMessage;
use crate::message::bridge::{TextGrowth, ThinkingGrowth, ToolInputGrowth};

/// A message that will be kept: it has no place in the sequence yet.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    event: NewEvent,
}

impl Stored {
    /// The message of a record. `kind` is its `type`.
    pub(crate) fn new<'a>(kind: &'static str, record: &impl Json<'a>) -> Self {
        Stored::sized(kind, record, 0)
    }

    /// The same where it is known about how long the message gets: a large one does not move while it is written.
    pub(crate) fn sized<'a>(kind: &'static str, record: &impl Json<'a>, size: usize) -> Self {
        let mut text = String::with_capacity(size);
        text.push_str("{\"type\":\"");
        text.push_str(kind);
        text.push('"');
        let members = text.len();
        record.write(&mut text);
        // The record's own brace becomes what separates its members from the type.
        let is_empty = text[members..].starts_with("{}");
        text.replace_range(members..=members, if is_empty { "" } else { "," });
        Stored { event: NewEvent::new(kind, text) }
    }

    pub(crate) fn searchable(self) -> Self {
        Stored { event: self.event.searchable() }
    }

    pub(crate) fn with_uuid(self, uuid: &str) -> Self {
        Stored { event: self.event.with_uuid(uuid) }
    }

    /// The same at another time: for what happened before it came to the bridge.
    pub(crate) fn at(self, time: Time) -> Self {
        Stored { event: self.event.at(time) }
    }

    /// Its `type`.
    pub(super) fn kind(&self) -> &str {
        &self.event.kind
    }

    pub(crate) fn event(&self) -> NewEvent {
        self.event.clone()
    }
}

/// A stored message with its place: what is kept has neither session nor number in it, because it gets them when
/// it is committed.
pub(crate) fn dress(payload: &str, session_id: &str, seq: u64, time: Time) -> String {
    let (body, place) = placed(payload, session_id, seq, time);
    [body, &place].concat()
}

/// What stands before the place of a stored message, and its place with the end.
pub(super) fn placed<'p>(payload: &'p str, session_id: &str, seq: u64, time: Time) -> (&'p str, String) {
    let body = payload.strip_suffix('}').unwrap_or(payload);
    let mut place = if body.ends_with('{') { String::new() } else { ",".to_owned() };
    place.push_str("\"sessionId\":");
    Str::from(session_id).write(&mut place);
    place.push_str(&format!(",\"seq\":{seq},\"time\":{}}}", time.0));
    (body, place)
}

/// A value as it stands in a message.
pub(super) fn to_raw<'a>(value: &impl Json<'a>) -> Raw<'static> {
    Raw::written(value)
}

/// JSON that nobody looks into. What is none is `null`.
pub(super) fn owned(text: &str) -> Raw<'static> {
    Raw::parse(text).map_or(Raw::NULL, IntoOwned::into_owned)
}

/// Which part of an answer grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grown {
    Text,
    Thinking,
    ToolInput,
}

/// A piece of an answer that is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Delta {
    pub(crate) grown: Grown,
    pub(crate) message_id: Option<String>,
    /// Which of the answer's blocks.
    pub(crate) index: u64,
    /// The call of the subagent that speaks.
    pub(crate) parent: Option<String>,
    /// The call's id and tool, where its input grows.
    pub(crate) call: Option<(String, String)>,
    pub(crate) text: String,
}

impl Delta {
    /// Whether the next piece goes on where this one ends: then both can be told as one.
    fn is_followed_by(&self, next: &Delta) -> bool {
        self.grown == next.grown
            && self.index == next.index
            && self.message_id == next.message_id
            && self.parent == next.parent
    }

    fn message(&self, session_id: &str) -> BridgeMessage<'_> {
        let message_id = self.message_id.as_deref().map(Into::into);
        let parent = self.parent.as_deref().map(Into::into);
        let session_id = Some(session_id.to_owned().into());
        match self.grown {
            Grown::Text => {
                let mut growth = TextGrowth::new(self.text.as_str());
                growth.message_id = message_id;
                growth.index = Some(self.index);
                growth.parent_tool_use_id = parent;
                growth.session_id = session_id;
                growth.into()
            }
            Grown::Thinking => {
                let mut growth = ThinkingGrowth::new(self.text.as_str());
                growth.message_id = message_id;
                growth.index = Some(self.index);
                growth.parent_tool_use_id = parent;
                growth.session_id = session_id;
                growth.into()
            }
            Grown::ToolInput => {
                let mut growth = ToolInputGrowth::new(self.text.as_str());
                growth.message_id = message_id;
                growth.index = Some(self.index);
                growth.parent_tool_use_id = parent;
                growth.tool_use_id = self.call.as_ref().map(|(id, _)| id.as_str().into());
                growth.tool_name = self.call.as_ref().map(|(_, name)| name.as_str().into());
                growth.session_id = session_id;
                growth.into()
            }
        }
    }
}

/// A piece on its way to clients. They share it, and its message is made once for all.
#[derive(Debug, Clone)]
pub(crate) struct Piece(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    delta: Delta,
    text: OnceLock<Arc<str>>,
}

impl Piece {
    pub(super) fn new(delta: Delta) -> Self {
        Piece(Arc::new(Shared { delta, text: OnceLock::new() }))
    }

    /// A piece of this text.
    #[cfg(test)]
    pub(crate) fn of(text: &str) -> Self {
        Piece::new(Delta {
            grown: Grown::Text,
            message_id: Some("msg_1".to_owned()),
            index: 0,
            parent: None,
            call: None,
            text: text.to_owned(),
        })
    }

    /// How many bytes it adds to the answer.
    pub(crate) fn bytes(&self) -> usize {
        self.0.delta.text.len()
    }

    /// The message.
    pub(crate) fn text(&self, session_id: &str) -> Arc<str> {
        self.0.text.get_or_init(|| self.0.delta.message(session_id).to_json().into()).clone()
    }

    /// Becomes one with the next piece, where that goes on where this one ends.
    pub(crate) fn join(&mut self, next: &Piece) -> bool {
        if !self.0.delta.is_followed_by(&next.0.delta) {
            return false;
        }
        match Arc::get_mut(&mut self.0) {
            Some(own) => {
                own.delta.text.push_str(&next.0.delta.text);
                own.text.take();
            }
            None => {
                let mut delta = self.0.delta.clone();
                delta.text.push_str(&next.0.delta.text);
                *self = Piece::new(delta);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Delta, Grown, Piece};

    fn piece(index: u64, text: &str) -> Piece {
        let delta = Delta {
            grown: Grown::Text,
            message_id: Some("msg_1".to_owned()),
            index,
            parent: None,
            call: None,
            text: text.to_owned(),
        };
        Piece::new(delta)
    }

    #[test]
    fn pieces_become_one_without_touching_those_of_others() {
        let mut waiting = piece(0, "One");
        let elsewhere = waiting.clone();
        assert!(waiting.join(&piece(0, ", two")));
        let told = waiting.text("s").to_string();
        assert!(told.contains(r#""text":"One, two""#), "{told}");
        // Once more, now that it is its own, and was told.
        assert!(waiting.join(&piece(0, ", three")));
        assert!(waiting.text("s").contains(r#""text":"One, two, three""#));
        assert!(elsewhere.text("s").contains(r#""text":"One""#));
        assert!(!waiting.join(&piece(1, "Another block")));
        assert_eq!(waiting.bytes(), "One, two, three".len());
    }
}
