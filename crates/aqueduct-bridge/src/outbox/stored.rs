use aqueduct_wire::json::{IntoOwned, Json, Raw, Str};

use crate::log::{NewEvent, Time};
use crate::message::{StoredKind, StoredRecord};

/// A message for the log: it has no place in the sequence yet.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    kind: StoredKind,
    event: NewEvent,
}

impl Stored {
    /// The message of a record.
    pub(crate) fn new<'a>(record: &impl StoredRecord<'a>) -> Self {
        Stored::sized(record, 0)
    }

    /// The same where it is known about how long the message gets: a large one does not move while it is written.
    pub(crate) fn sized<'a, R: StoredRecord<'a>>(record: &R, size: usize) -> Self {
        let mut text = String::with_capacity(size);
        text.push_str("{\"type\":\"");
        text.push_str(R::KIND.as_str());
        text.push('"');
        let members = text.len();
        record.write(&mut text);
        // The record's own brace becomes what separates its members from the type.
        let is_empty = text[members..].starts_with("{}");
        text.replace_range(members..=members, if is_empty { "" } else { "," });
        let event = NewEvent::new(R::KIND.as_str(), text);
        let event = if R::KIND.is_searchable() { event.searchable() } else { event };
        Stored { kind: R::KIND, event }
    }

    pub(crate) fn with_uuid(self, uuid: &str) -> Self {
        Stored { event: self.event.with_uuid(uuid), ..self }
    }

    /// The same at another time: for what happened before it came to the bridge.
    pub(crate) fn at(self, time: Time) -> Self {
        Stored { event: self.event.at(time), ..self }
    }

    /// The kind of the message.
    pub(crate) fn kind(&self) -> StoredKind {
        self.kind
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

#[cfg(test)]
mod tests {
    use super::{Stored, stamped};
    use crate::log::{Append, Log, NewSession, PageLimits, PagePosition, Time};
    use crate::message::{BridgeMessage, StoredKind};

    /// One message a line, each with its place.
    const FIXTURES: &str = include_str!("../../tests/fixtures/bridge.jsonl");

    /// The message before it has a place; `None` where it is not stored.
    fn stored(message: BridgeMessage<'_>) -> Option<Stored> {
        macro_rules! without_place {
            ($record:ident) => {{
                let mut record = $record;
                (record.session_id, record.seq, record.time) = (None, None, None);
                Some(Stored::new(&*record))
            }};
        }
        match message {
            BridgeMessage::System(record) => without_place!(record),
            BridgeMessage::UserInput(record) => without_place!(record),
            BridgeMessage::Assistant(record) => without_place!(record),
            BridgeMessage::ToolResult(record) => without_place!(record),
            BridgeMessage::Result(record) => without_place!(record),
            BridgeMessage::PermissionRequest(record) => without_place!(record),
            BridgeMessage::PermissionResolved(record) => without_place!(record),
            BridgeMessage::AgentEvent(record) => without_place!(record),
            _ => None,
        }
    }

    #[tokio::test]
    async fn every_stored_kind_is_read_from_the_log_as_it_was_sent() {
        let folder = tempfile::tempdir().unwrap();
        let log = Log::open(&folder.path().join("data")).unwrap();
        let time = Time(1_750_000_000_000);
        let mut append = Append::new(time);
        let mut sent = Vec::new();
        for line in FIXTURES.lines() {
            let mut message = BridgeMessage::parse(line).unwrap();
            let Some(stored) = stored(message.clone()) else { continue };
            append.events.push(stored.event());
            let seq = append.events.len() as u64;
            message.stamp("a", || (seq, time.0.unsigned_abs()));
            sent.push((stored.kind(), message.to_json()));
        }
        for kind in StoredKind::ALL {
            assert!(sent.iter().any(|(sent, _)| sent == kind), "no fixture of {}", kind.as_str());
        }
        let count = u32::try_from(sent.len()).unwrap();
        log.create_session(NewSession::new("a", "/proj", "builtin", "idle"), append).await.unwrap();
        let page = log.page("a", PagePosition::Newest, PageLimits { count, bytes: 1 << 30 }).await.unwrap();
        assert_eq!(page.events.len(), sent.len());
        for (event, (kind, text)) in page.events.iter().zip(&sent) {
            assert_eq!(event.kind, kind.as_str());
            let read = stamped(&event.payload, "a", event.seq, event.time);
            let (read, text) = (BridgeMessage::parse(&read).unwrap(), BridgeMessage::parse(text).unwrap());
            assert_eq!(read.to_json(), text.to_json());
        }
    }
}
