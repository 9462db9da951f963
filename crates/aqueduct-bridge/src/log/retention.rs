//! Which sessions are removed because they are old, or because the log is too large.

use std::collections::HashMap;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension};

use super::{Log, LogError, Time};

/// What of a session's events takes space besides their text, about.
const EVENT_OVERHEAD: u64 = 64;

/// Nothing runs, waits or is asked in a session that has ended.
const HAS_ENDED: &str = "sessions.deleted = 0 AND sessions.keeper IS NULL \
     AND NOT EXISTS (SELECT 1 FROM inputs WHERE inputs.session = sessions.key AND state NOT IN ('done', 'cancelled')) \
     AND NOT EXISTS (SELECT 1 FROM pending WHERE pending.session = sessions.key AND state IN ('open', 'decided'))";

/// How long sessions that have ended are kept. Without limits, for ever.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RetentionPolicy {
    /// A session goes when its newest message is older.
    pub age: Option<Duration>,
    /// The oldest sessions go while the log has more bytes.
    pub bytes: Option<u64>,
}

impl RetentionPolicy {
    /// Whether it ever removes something.
    pub fn is_limited(&self) -> bool {
        self.age.is_some() || self.bytes.is_some()
    }
}

/// Why a session goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetentionReason {
    /// It is older than the policy keeps sessions.
    Age,
    /// The log is larger than the policy allows, and it is among the oldest.
    Size,
}

impl RetentionReason {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            RetentionReason::Age => "age",
            RetentionReason::Size => "size",
        }
    }
}

/// A session that a policy removes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpiredSession {
    /// The session.
    pub id: String,
    /// The folder that it works in.
    pub project: String,
    /// What people call it.
    pub title: Option<String>,
    /// When its newest message was stored.
    pub updated: Time,
    /// How many messages it has.
    pub messages: u64,
    /// How many bytes it takes in the log, about.
    pub bytes: u64,
    /// Why it goes.
    pub reason: RetentionReason,
}

/// What a policy removes from a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RetentionPlan {
    /// The sessions that go, the oldest first.
    pub expired: Vec<ExpiredSession>,
    /// How many bytes the log has, without those that are free for new messages or about to be.
    pub log_bytes: u64,
    /// How many sessions have ended and stay.
    pub kept: u64,
    /// How many sessions have not ended, and so stay.
    pub in_use: u64,
}

impl RetentionPlan {
    /// How many bytes its sessions take together, about.
    pub fn bytes(&self) -> u64 {
        self.expired.iter().map(|session| session.bytes).sum()
    }
}

/// A session that has ended.
struct EndedSession {
    key: i64,
    id: String,
    project: String,
    title: Option<String>,
    updated: Time,
    messages: u64,
}

/// What a policy removes.
pub(super) fn plan(
    connection: &Connection,
    policy: &RetentionPolicy,
    now: Time,
) -> Result<RetentionPlan, LogError> {
    let sizes = LogSizes::measure(connection)?;
    let all: u64 =
        connection.query_row("SELECT count(*) FROM sessions WHERE deleted = 0", (), |row| row.get(0))?;
    let ended = ended(connection)?;
    let oldest =
        policy.age.map(|age| now.0.saturating_sub(i64::try_from(age.as_millis()).unwrap_or(i64::MAX)));
    let mut plan = RetentionPlan {
        log_bytes: sizes.log,
        in_use: all.saturating_sub(ended.len() as u64),
        ..RetentionPlan::default()
    };
    let mut left = sizes.log;
    for session in ended {
        let reason = match () {
            () if oldest.is_some_and(|oldest| session.updated.0 < oldest) => RetentionReason::Age,
            () if policy.bytes.is_some_and(|most| left > most) => RetentionReason::Size,
            () => {
                plan.kept += 1;
                continue;
            }
        };
        let bytes = sizes.of(session.key);
        left = left.saturating_sub(bytes);
        let EndedSession { id, project, title, updated, messages, .. } = session;
        plan.expired.push(ExpiredSession { id, project, title, updated, messages, bytes, reason });
    }
    Ok(plan)
}

/// Sessions that have ended, the oldest first.
fn ended(connection: &Connection) -> Result<Vec<EndedSession>, LogError> {
    let sql = format!(
        "SELECT sessions.key, id, projects.path, coalesce(name, title, first_prompt), updated, last_seq \
         FROM sessions JOIN projects ON projects.key = sessions.project \
         WHERE {HAS_ENDED} ORDER BY updated, sessions.key"
    );
    let mut statement = connection.prepare(&sql)?;
    let found = statement.query_map((), |row| {
        Ok(EndedSession {
            key: row.get(0)?,
            id: row.get(1)?,
            project: row.get(2)?,
            title: row.get(3)?,
            updated: row.get(4)?,
            messages: row.get(5)?,
        })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// How many bytes the log has, and which share of them each session.
struct LogSizes {
    /// Without what deleted sessions still take.
    log: u64,
    /// What the events of each session have.
    events: HashMap<i64, u64>,
    /// Bytes of the log for each byte of an event: it is in the index of searches too.
    factor: f64,
}

impl LogSizes {
    fn measure(connection: &Connection) -> Result<Self, LogError> {
        let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
        let used = pragma("page_count")?.saturating_sub(pragma("freelist_count")?) * pragma("page_size")?;
        // The length of a text in bytes is known without reading it.
        let sql = "SELECT session, sum(octet_length(payload) + ?1) FROM events GROUP BY session";
        let mut statement = connection.prepare(sql)?;
        let found = statement.query_map([EVENT_OVERHEAD], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let events: HashMap<i64, u64> = found.collect::<Result<_, _>>()?;
        let all: u64 = events.values().sum();
        let factor = if all == 0 { 0.0 } else { used as f64 / all as f64 };
        let sizes = LogSizes { log: used, events, factor };
        let mut statement = connection.prepare("SELECT key FROM sessions WHERE deleted = 1")?;
        let deleted = statement.query_map((), |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
        let deleted: u64 = deleted.into_iter().map(|key| sizes.of(key)).sum();
        Ok(LogSizes { log: used.saturating_sub(deleted), ..sizes })
    }

    fn of(&self, session: i64) -> u64 {
        let events = self.events.get(&session).copied().unwrap_or_default();
        (events as f64 * self.factor) as u64
    }
}

impl Log {
    /// What a policy removes. It reads the sizes of all events: a second for some gigabytes.
    pub async fn retention(&self, policy: RetentionPolicy, now: Time) -> Result<RetentionPlan, LogError> {
        self.read(move |connection| plan(connection, &policy, now)).await
    }

    /// Deletes a session that has ended and has no message that is newer than `before`; returns whether it was deleted.
    /// Whether it has ended is decided with all commits before and none after.
    pub async fn delete_ended_session(&self, id: impl Into<String>, before: Time) -> Result<bool, LogError> {
        let id = id.into();
        self.write(0, move |connection| {
            let sql = format!(
                "UPDATE sessions SET deleted = 1 WHERE id = ?1 AND updated <= ?2 AND {HAS_ENDED} RETURNING key"
            );
            let deleted: Option<i64> =
                connection.prepare_cached(&sql)?.query_row((id, before), |row| row.get(0)).optional()?;
            Ok(deleted.is_some())
        })
        .await
    }
}
