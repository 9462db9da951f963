use rusqlite::Connection;

use super::{
    Log, LogError, LogEvent, SessionRecord, StoredInput, StoredRequest, event, pending, queue, session,
};

/// Where a page of events is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PagePosition {
    /// The events behind this one.
    After(u64),
    /// The events before this one, as many of the newest as there is room for.
    Before(u64),
    /// The newest events.
    Newest,
}

/// How large a page may be. At least one event is on it if there is one, however large that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLimits {
    /// At most this many events.
    pub count: u32,
    /// At most this many bytes of payload.
    pub bytes: u64,
}

/// Some events of a session that follow each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventPage {
    /// The events, the oldest first.
    pub events: Vec<LogEvent>,
    /// Whether there were more in the direction that was read.
    pub more: bool,
    /// The newest event of the session when this was read. If it is older than what a client has,
    /// then the log was set back: after a power cut, or from a backup.
    pub last_seq: u64,
}

/// A session as a client that attaches to it receives it: a consistent snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct AttachedSession {
    /// The session.
    pub session: SessionRecord,
    /// The inputs that are not over, in their order.
    pub inputs: Vec<StoredInput>,
    /// The requests that are not over, in their order.
    pub pending: Vec<StoredRequest>,
    /// Events.
    pub page: EventPage,
}

/// The rest of a session's events, page after page.
#[derive(Debug, Clone)]
pub struct EventStream {
    log: Log,
    session_id: String,
    after: u64,
    limits: PageLimits,
}

impl EventStream {
    /// The next page; `None` if there is nothing new. Then a later call may find more.
    pub async fn next_page(&mut self) -> Result<Option<EventPage>, LogError> {
        let page = self.log.page(&*self.session_id, PagePosition::After(self.after), self.limits).await?;
        let Some(last) = page.events.last() else { return Ok(None) };
        self.after = last.seq;
        Ok(Some(page))
    }
}

impl Log {
    /// Events of a session.
    pub async fn page(
        &self,
        session_id: impl Into<String>,
        place: PagePosition,
        limits: PageLimits,
    ) -> Result<EventPage, LogError> {
        let session_id = session_id.into();
        self.read(move |connection| {
            let session = session::key(connection, &session_id)?;
            let last_seq = session::load(connection, session)?.last_seq;
            read(connection, session, last_seq, place, limits)
        })
        .await
    }

    /// A session with what is in work and a page of its events.
    pub async fn attach(
        &self,
        session_id: impl Into<String>,
        place: PagePosition,
        limits: PageLimits,
    ) -> Result<AttachedSession, LogError> {
        let session_id = session_id.into();
        self.read(move |connection| {
            let key = session::key(connection, &session_id)?;
            let session = session::load(connection, key)?;
            Ok(AttachedSession {
                inputs: queue::in_work(connection, key)?,
                pending: pending::in_work(connection, key)?,
                page: read(connection, key, session.last_seq, place, limits)?,
                session,
            })
        })
        .await
    }

    /// The events of a session behind one of them, in pages: only one is in memory at a time.
    pub fn events_after(&self, session_id: impl Into<String>, seq: u64, limits: PageLimits) -> EventStream {
        EventStream { log: self.clone(), session_id: session_id.into(), after: seq, limits }
    }
}

fn read(
    connection: &Connection,
    session: i64,
    last_seq: u64,
    place: PagePosition,
    limits: PageLimits,
) -> Result<EventPage, LogError> {
    let Some((first, last)) = range(connection, session, place, limits)? else {
        return Ok(EventPage { events: Vec::new(), more: false, last_seq });
    };
    let sql = format!(
        "SELECT {} FROM events WHERE session = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq",
        event::COLUMNS
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let events =
        statement.query_map((session, first, last), LogEvent::from_row)?.collect::<Result<_, _>>()?;
    let more = match place {
        PagePosition::After(_) => last < last_seq,
        PagePosition::Before(_) | PagePosition::Newest => first > 1,
    };
    Ok(EventPage { events, more, last_seq })
}

/// The first and the last event that fit on the page. Sizes are read without what they are the sizes of.
fn range(
    connection: &Connection,
    session: i64,
    place: PagePosition,
    limits: PageLimits,
) -> Result<Option<(u64, u64)>, LogError> {
    let forwards = "SELECT seq, octet_length(payload) FROM events \
                    WHERE session = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";
    let backwards = "SELECT seq, octet_length(payload) FROM events \
                     WHERE session = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3";
    let (sql, bound) = match place {
        PagePosition::After(seq) => (forwards, seq),
        PagePosition::Before(seq) => (backwards, seq),
        PagePosition::Newest => (backwards, MAX_SEQ),
    };
    let mut statement = connection.prepare_cached(sql)?;
    let mut sizes = statement.query((session, bound.min(MAX_SEQ), limits.count.max(1)))?;
    let (mut found, mut bytes) = (None::<(u64, u64)>, 0_u64);
    while let Some(row) = sizes.next()? {
        let (seq, size): (u64, u64) = (row.get(0)?, row.get(1)?);
        bytes = bytes.saturating_add(size);
        found = match found {
            None => Some((seq, seq)),
            Some(_) if bytes > limits.bytes => break,
            Some((first, last)) => Some((first.min(seq), last.max(seq))),
        };
    }
    Ok(found)
}

/// More events than a session can have.
const MAX_SEQ: u64 = i64::MAX as u64;
