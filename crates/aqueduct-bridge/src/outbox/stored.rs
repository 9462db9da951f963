use aqueduct_wire::json::{IntoOwned, Json, Raw, Str};

use crate::log::{NewEvent, Time};

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
    pub(crate) fn kind(&self) -> &str {
        &self.event.kind
    }

    pub(crate) fn event(&self) -> NewEvent {
        self.event.clone()
    }
}

/// A stored message with its place: what is kept has neither session nor number in it, because it gets them when
/// it is committed.
pub(crate) fn stamped(payload: &str, session_id: &str, seq: u64, time: Time) -> String {
    let (body, place) = placed(payload, session_id, seq, time);
    [body, &place].concat()
}

/// The text before the position of a stored message, and the position with the closing brace.
pub(super) fn placed<'p>(payload: &'p str, session_id: &str, seq: u64, time: Time) -> (&'p str, String) {
    let body = payload.strip_suffix('}').unwrap_or(payload);
    let mut place = if body.ends_with('{') { String::new() } else { ",".to_owned() };
    place.push_str("\"sessionId\":");
    Str::from(session_id).write(&mut place);
    place.push_str(&format!(",\"seq\":{seq},\"time\":{}}}", time.0));
    (body, place)
}

/// A value as JSON in a message.
pub(crate) fn to_raw<'a>(value: &impl Json<'a>) -> Raw<'static> {
    Raw::written(value)
}

/// JSON that is not inspected. Invalid JSON is `null`.
pub(crate) fn raw_or_null(text: &str) -> Raw<'static> {
    Raw::parse(text).map_or(Raw::NULL, IntoOwned::into_owned)
}
