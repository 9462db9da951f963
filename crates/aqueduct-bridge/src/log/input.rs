use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row};

use super::{Append, Appended, Log, LogError, Time, append, session};

/// Something that a person or a program said to an agent, to be queued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInput {
    /// The bridge's id, under which it goes to the keeper and the agent.
    pub id: String,
    /// The client's id: the same one is never queued twice.
    pub client_id: Option<String>,
    /// Who sent it.
    pub sender: Option<String>,
    /// What was said, as JSON: a text or content blocks.
    pub content: String,
}

/// Something that a person or a program said to an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The bridge's id, under which it goes to the keeper and the agent.
    pub id: String,
    /// The client's id.
    pub client_id: Option<String>,
    /// Who sent it.
    pub sender: Option<String>,
    /// What was said, as JSON. Empty once the input is done or cancelled: then its events tell it.
    pub content: String,
    /// How far it has come.
    pub state: InputState,
    /// When it was queued.
    pub created: Time,
    /// When its state or its content changed.
    pub changed: Time,
}

/// How far an input has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InputState {
    /// It waits, and may be edited.
    Queued,
    /// It was handed to the keeper.
    Sent,
    /// The agent has begun with it.
    Taken,
    /// Its turn is over.
    Done,
    /// It will never be answered.
    Cancelled,
}

impl InputState {
    const ALL: [Self; 5] = [Self::Queued, Self::Sent, Self::Taken, Self::Done, Self::Cancelled];

    /// The name that the log has for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Sent => "sent",
            Self::Taken => "taken",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether an input may go from this state to `next`. It may stay where it is, so that telling the log
    /// twice does no harm. It goes back from sent to queued where the keeper says that it never got it.
    fn leads_to(self, next: Self) -> bool {
        match self {
            Self::Queued => matches!(next, Self::Queued | Self::Sent | Self::Cancelled),
            Self::Sent => true,
            Self::Taken => matches!(next, Self::Taken | Self::Done | Self::Cancelled),
            Self::Done | Self::Cancelled => next == self,
        }
    }

    fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Cancelled)
    }
}

impl ToSql for InputState {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.name().into())
    }
}

impl FromSql for InputState {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        Self::ALL.into_iter().find(|state| state.name() == name).ok_or(FromSqlError::InvalidType)
    }
}

/// What became of an input that was to be queued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Enqueued {
    /// It is in the queue, and what came with it was appended.
    New(Appended),
    /// It was queued before, and nothing was appended. This is how it stands.
    Known(Input),
}

/// What became of an input that was to be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edited {
    /// It was changed, and what came with it was appended.
    Now(Appended),
    /// It is past changing, and nothing was appended. This is how it stands.
    TooLate(Input),
    /// There is no such input.
    Unknown,
}

impl Log {
    /// Queues an input together with the events that tell of it.
    pub async fn enqueue(
        &self,
        session_id: impl Into<String>,
        input: NewInput,
        append: Append,
    ) -> Result<Enqueued, LogError> {
        let session_id = session_id.into();
        self.write(input.content.len() + append.weight(), move |connection| {
            let session = session::key(connection, &session_id)?;
            if let Some(known) = find_either(connection, session, &input)? {
                return Ok(Enqueued::Known(known));
            }
            insert(connection, session, &input, append.time)?;
            append::apply(connection, session, &append).map(Enqueued::New)
        })
        .await
    }

    /// Changes the content of an input that still waits, together with the events that tell of it.
    pub async fn edit_input(
        &self,
        session_id: impl Into<String>,
        input_id: impl Into<String>,
        content: String,
        append: Append,
    ) -> Result<Edited, LogError> {
        self.change_queued(session_id.into(), input_id.into(), Some(content), append).await
    }

    /// Takes an input that still waits out of the queue, together with the events that tell of it.
    pub async fn cancel_input(
        &self,
        session_id: impl Into<String>,
        input_id: impl Into<String>,
        append: Append,
    ) -> Result<Edited, LogError> {
        self.change_queued(session_id.into(), input_id.into(), None, append).await
    }

    /// Without content it is cancelled.
    async fn change_queued(
        &self,
        session_id: String,
        input_id: String,
        content: Option<String>,
        append: Append,
    ) -> Result<Edited, LogError> {
        let weight = content.as_ref().map_or(0, String::len) + append.weight();
        self.write(weight, move |connection| {
            let session = session::key(connection, &session_id)?;
            let state = if content.is_some() { InputState::Queued } else { InputState::Cancelled };
            let sql = "UPDATE inputs SET state = ?3, changed = ?4, content = coalesce(?5, '') \
                       WHERE session = ?1 AND id = ?2 AND state = 'queued'";
            let values = (session, &input_id, state, append.time, content);
            if connection.prepare_cached(sql)?.execute(values)? == 1 {
                return append::apply(connection, session, &append).map(Edited::Now);
            }
            let known = find(connection, session, &input_id)?;
            Ok(known.map_or(Edited::Unknown, Edited::TooLate))
        })
        .await
    }

    /// One input, however far it has come.
    pub async fn input(
        &self,
        session_id: impl Into<String>,
        input_id: impl Into<String>,
    ) -> Result<Option<Input>, LogError> {
        let (session_id, input_id) = (session_id.into(), input_id.into());
        self.read(move |connection| {
            let session = session::key(connection, &session_id)?;
            find(connection, session, &input_id)
        })
        .await
    }
}

const COLUMNS: &str = "id, client_id, sender, content, state, created, changed";

fn from_row(row: &Row<'_>) -> rusqlite::Result<Input> {
    Ok(Input {
        id: row.get(0)?,
        client_id: row.get(1)?,
        sender: row.get(2)?,
        content: row.get(3)?,
        state: row.get(4)?,
        created: row.get(5)?,
        changed: row.get(6)?,
    })
}

fn insert(connection: &Connection, session: i64, input: &NewInput, time: Time) -> Result<(), LogError> {
    let sql = "INSERT INTO inputs (session, id, client_id, sender, state, created, changed, content) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)";
    let NewInput { id, client_id, sender, content } = input;
    connection.prepare_cached(sql)?.execute((
        session,
        id,
        client_id,
        sender,
        InputState::Queued,
        time,
        content,
    ))?;
    Ok(())
}

fn find(connection: &Connection, session: i64, id: &str) -> Result<Option<Input>, LogError> {
    let sql = format!("SELECT {COLUMNS} FROM inputs WHERE session = ?1 AND id = ?2");
    Ok(connection.prepare_cached(&sql)?.query_row((session, id), from_row).optional()?)
}

/// The input that has one of these ids already.
fn find_either(connection: &Connection, session: i64, input: &NewInput) -> Result<Option<Input>, LogError> {
    let known = find(connection, session, &input.id)?;
    let (None, Some(client_id)) = (&known, &input.client_id) else { return Ok(known) };
    let sql = format!("SELECT {COLUMNS} FROM inputs WHERE session = ?1 AND client_id = ?2");
    Ok(connection.prepare_cached(&sql)?.query_row((session, client_id), from_row).optional()?)
}

/// The inputs that are not over, in their order.
pub(super) fn in_work(connection: &Connection, session: i64) -> Result<Vec<Input>, LogError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM inputs WHERE session = ?1 AND state IN ('queued', 'sent', 'taken') ORDER BY key"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map([session], from_row)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// Brings an input to another state.
pub(super) fn advance(
    connection: &Connection,
    session: i64,
    id: &str,
    to: InputState,
    time: Time,
) -> Result<(), LogError> {
    let sql = "SELECT state FROM inputs WHERE session = ?1 AND id = ?2";
    let from: Option<InputState> =
        connection.prepare_cached(sql)?.query_row((session, id), |row| row.get(0)).optional()?;
    let Some(state) = from.filter(|state| state.leads_to(to)) else {
        return Err(LogError::InputState {
            id: id.to_owned(),
            from: from.map(InputState::name),
            to: to.name(),
        });
    };
    if state == to {
        return Ok(());
    }
    let sql = "UPDATE inputs SET state = ?3, changed = ?4, content = iif(?5, '', content) \
               WHERE session = ?1 AND id = ?2";
    connection.prepare_cached(sql)?.execute((session, id, to, time, to.is_over()))?;
    Ok(())
}
