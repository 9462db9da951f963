use std::borrow::Cow;
use std::sync::Arc;

use rusqlite::{Connection, Row};

use super::{LogError, Time};

/// Something that happened in a session, to be appended.
///
/// The text is shared, so that what was appended can be sent to clients without a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// What kind of message it is. The log only keeps it.
    pub kind: Cow<'static, str>,
    /// When it happened; `None` for the time of its [`Append`](super::Append).
    pub time: Option<Time>,
    /// The agent's own id of the message.
    pub uuid: Option<String>,
    /// Whether searches find it.
    pub searchable: bool,
    /// The message as JSON, as it came or as the bridge made it.
    pub payload: Arc<str>,
}

impl NewEvent {
    /// An event that happens now and that searches pass over.
    pub fn new(kind: impl Into<Cow<'static, str>>, payload: impl Into<Arc<str>>) -> Self {
        NewEvent { kind: kind.into(), time: None, uuid: None, searchable: false, payload: payload.into() }
    }

    /// The same, with the agent's id of the message.
    #[must_use]
    pub fn with_uuid(self, uuid: impl Into<String>) -> Self {
        NewEvent { uuid: Some(uuid.into()), ..self }
    }

    /// The same, and searches find it.
    #[must_use]
    pub fn searchable(self) -> Self {
        NewEvent { searchable: true, ..self }
    }

    /// The same at another time: for what an agent did before it came to the bridge.
    #[must_use]
    pub fn at(self, time: Time) -> Self {
        NewEvent { time: Some(time), ..self }
    }
}

/// Something that happened in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEvent {
    /// Its place in the session: 1, 2, 3 and so on, without gaps.
    pub seq: u64,
    /// What kind of message it is.
    pub kind: String,
    /// When it happened.
    pub time: Time,
    /// The agent's own id of the message.
    pub uuid: Option<String>,
    /// The message as JSON.
    pub payload: Arc<str>,
}

/// The columns that [`LogEvent::from_row`] takes.
pub(super) const COLUMNS: &str = "seq, kind, time, uuid, payload";

impl LogEvent {
    pub(super) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(LogEvent {
            seq: row.get(0)?,
            kind: row.get(1)?,
            time: row.get(2)?,
            uuid: row.get(3)?,
            payload: row.get(4)?,
        })
    }
}

/// Stores events behind `last_seq`, the last one that the session has.
pub(super) fn insert(
    connection: &Connection,
    session: i64,
    last_seq: u64,
    time: Time,
    events: &[NewEvent],
) -> Result<(), LogError> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO events (session, seq, time, kind, uuid, searchable, payload) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (seq, event) in (last_seq + 1..).zip(events) {
        let at = event.time.unwrap_or(time);
        statement.execute((session, seq, at, &event.kind, &event.uuid, event.searchable, &event.payload))?;
    }
    Ok(())
}
