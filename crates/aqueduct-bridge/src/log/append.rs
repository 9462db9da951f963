use std::ops::RangeInclusive;

use rusqlite::{Connection, ToSql};

use super::{
    Log, LogError, NewEvent, NewInput, NewPending, NewSession, StoredInputState, Time, TurnUsage, event,
    pending, queue, session, usage,
};

/// Events and everything that changes with them. All of it happens, or nothing does.
#[derive(Debug, Clone, PartialEq)]
pub struct Append {
    /// When it happens.
    pub time: Time,
    /// The newest event before: with another one, nothing is appended. Who writes the place of an event into
    /// its payload can be sure of it then.
    pub after: Option<u64>,
    /// What is appended, in this order.
    pub events: Vec<NewEvent>,
    /// What changes with it, in this order.
    pub changes: Vec<SessionChange>,
}

/// A change of what the log knows about a session.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionChange {
    /// The keeper's output was turned into events from one byte to another. If it was not read up to `from`,
    /// nothing is appended: another append was first, or this one was made before.
    Cursor {
        /// Up to where it was read.
        from: u64,
        /// Up to where it is read now.
        to: u64,
    },
    /// A keeper in this folder holds the agent now and its output is read from the beginning; or no keeper.
    Keeper(Option<String>),
    /// The agent, by its name in the settings.
    Agent(String),
    /// The agent's own id of the conversation.
    AgentId(String),
    /// The model.
    Model(Option<String>),
    /// The permission mode.
    PermissionMode(Option<String>),
    /// A title that was found.
    Title(String),
    /// The title that a person chose, or that it is none any more.
    Rename(Option<String>),
    /// The beginning of the first prompt. The first one stays.
    FirstPrompt(String),
    /// The status of the session.
    Status(String),
    /// What else it is started with.
    Options(Option<String>),
    /// What else lists show of it.
    Details(Option<String>),
    /// How many dollars it may spend.
    Budget(Option<f64>),
    /// Whether it is put aside.
    Archived(bool),
    /// What a turn took.
    Usage(TurnUsage),
    /// The state of a rate limit of the agent's account.
    RateLimit {
        /// Which limit it is: an older note of the same one is replaced.
        kind: String,
        /// What is known of it, as JSON.
        payload: String,
    },
    /// The agent asks.
    Ask(NewPending),
    /// The agent has got the decision about this request.
    Settled(String),
    /// The agent has taken this request back.
    Withdrawn(String),
    /// An input comes to a state.
    Input {
        /// The input.
        id: String,
        /// The state.
        to: StoredInputState,
    },
    /// An input that the bridge itself makes is queued.
    Enqueue(NewInput),
}

/// The places that events got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// The newest event of the session.
    pub last_seq: u64,
    /// How many events were appended.
    pub count: u64,
}

impl Appended {
    /// The place of each event, in their order.
    pub fn seqs(&self) -> RangeInclusive<u64> {
        self.last_seq - self.count + 1..=self.last_seq
    }
}

impl Append {
    /// Nothing yet.
    pub fn new(time: Time) -> Self {
        Append { time, after: None, events: Vec::new(), changes: Vec::new() }
    }

    /// The same, if this is the newest event before.
    #[must_use]
    pub fn after(self, seq: u64) -> Self {
        Append { after: Some(seq), ..self }
    }

    /// The same with one more event.
    #[must_use]
    pub fn event(mut self, event: NewEvent) -> Self {
        self.events.push(event);
        self
    }

    /// The same with one more change.
    #[must_use]
    pub fn change(mut self, change: SessionChange) -> Self {
        self.changes.push(change);
        self
    }

    /// About how much memory it takes.
    pub(super) fn weight(&self) -> usize {
        let events = self.events.iter().map(|event| event.payload.len());
        let asked = self.changes.iter().map(|change| match change {
            SessionChange::Ask(request) => request.input.len(),
            _ => 0,
        });
        events.chain(asked).sum()
    }
}

impl Log {
    /// Makes a session, with the first that is known of it.
    pub async fn create_session(&self, new: NewSession, append: Append) -> Result<Appended, LogError> {
        self.write(append.weight(), move |connection| {
            let session = session::insert(connection, &new, append.time)?;
            apply(connection, session, &append)
        })
        .await
    }

    /// Appends to a session. When this returns, it is committed: it outlives this process, and clients may be
    /// notified. If the future is dropped before, it may or may not be committed.
    pub async fn append(&self, session_id: impl Into<String>, append: Append) -> Result<Appended, LogError> {
        let session_id = session_id.into();
        self.write(append.weight(), move |connection| {
            let session = session::key(connection, &session_id)?;
            apply(connection, session, &append)
        })
        .await
    }
}

/// Executes `append` inside a transaction of the writer.
pub(super) fn apply(connection: &Connection, session: i64, append: &Append) -> Result<Appended, LogError> {
    for change in &append.changes {
        self::change(connection, session, append.time, change)?;
    }
    let count = append.events.len();
    // A session without news keeps its place among the recent ones.
    let sql = "UPDATE sessions SET last_seq = last_seq + ?2, updated = iif(?2 > 0, max(updated, ?3), updated) \
               WHERE key = ?1 RETURNING last_seq";
    let last_seq: u64 = if count > 0 {
        connection.prepare_cached(sql)?.query_row((session, count, append.time), |row| row.get(0))?
    } else {
        let sql = "SELECT last_seq FROM sessions WHERE key = ?1";
        connection.prepare_cached(sql)?.query_row([session], |row| row.get(0))?
    };
    let count = count as u64;
    if let Some(expected) = append.after.filter(|&after| after != last_seq - count) {
        return Err(LogError::SeqMoved { expected, actual: last_seq - count });
    }
    event::insert(connection, session, last_seq - count, append.time, &append.events)?;
    Ok(Appended { last_seq, count })
}

fn change(connection: &Connection, session: i64, time: Time, change: &SessionChange) -> Result<(), LogError> {
    match change {
        SessionChange::Cursor { from, to } => move_cursor(connection, session, *from, *to),
        SessionChange::Keeper(folder) => set(connection, session, "keeper = ?2, cursor = 0", folder),
        SessionChange::Agent(name) => set(connection, session, "agent = ?2", name),
        SessionChange::AgentId(id) => session::set_agent_id(connection, session, id, time),
        SessionChange::Model(model) => set(connection, session, "model = ?2", model),
        SessionChange::PermissionMode(mode) => set(connection, session, "permission_mode = ?2", mode),
        SessionChange::Title(title) => set(connection, session, "title = ?2", title),
        SessionChange::Rename(name) => set(connection, session, "name = ?2", name),
        SessionChange::FirstPrompt(text) => {
            set(connection, session, "first_prompt = coalesce(first_prompt, ?2)", text)
        }
        SessionChange::Status(status) => set(connection, session, "status = ?2", status),
        SessionChange::Options(options) => set(connection, session, "options = ?2", options),
        SessionChange::Details(details) => set(connection, session, "details = ?2", details),
        SessionChange::Budget(budget) => set(connection, session, "budget = ?2", budget),
        SessionChange::Archived(archived) => set(connection, session, "archived = ?2", archived),
        SessionChange::Usage(turn) => usage::insert(connection, session, turn, time),
        SessionChange::RateLimit { kind, payload } => {
            usage::note_limit(connection, session, kind, payload, time)
        }
        SessionChange::Ask(request) => pending::insert(connection, session, request, time),
        SessionChange::Settled(request_id) => pending::settle(connection, session, request_id),
        SessionChange::Withdrawn(request_id) => pending::withdraw(connection, session, request_id),
        SessionChange::Input { id, to } => queue::advance(connection, session, id, *to, time),
        SessionChange::Enqueue(input) => queue::insert(connection, session, input, time),
    }
}

/// Sets columns of a session; `columns` is a piece of our own SQL.
fn set(connection: &Connection, session: i64, columns: &str, value: &dyn ToSql) -> Result<(), LogError> {
    let sql = format!("UPDATE sessions SET {columns} WHERE key = ?1");
    connection.prepare_cached(&sql)?.execute((session, value))?;
    Ok(())
}

fn move_cursor(connection: &Connection, session: i64, from: u64, to: u64) -> Result<(), LogError> {
    let sql = "UPDATE sessions SET cursor = ?3 WHERE key = ?1 AND cursor = ?2";
    if connection.prepare_cached(sql)?.execute((session, from, to))? == 1 {
        return Ok(());
    }
    let sql = "SELECT cursor FROM sessions WHERE key = ?1";
    let actual = connection.prepare_cached(sql)?.query_row([session], |row| row.get(0))?;
    Err(LogError::CursorMoved { expected: from, actual })
}
