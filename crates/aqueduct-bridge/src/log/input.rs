use rusqlite::Row;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use super::{Appended, Time};

/// An input of a user or a program to an agent, to be queued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInput {
    /// The bridge's id, under which it goes to the keeper and the agent.
    pub id: String,
    /// The client's id: the same one is never queued twice.
    pub client_id: Option<String>,
    /// Who sent it.
    pub sender: Option<String>,
    /// The content, as JSON: a text or content blocks.
    pub content: String,
    /// Its place among those that wait, from 0; behind all of them if absent.
    pub position: Option<usize>,
}

/// An input of a user or a program to an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredInput {
    /// The bridge's id, under which it goes to the keeper and the agent.
    pub id: String,
    /// The client's id.
    pub client_id: Option<String>,
    /// Who sent it.
    pub sender: Option<String>,
    /// The content, as JSON. Empty once the input is done or cancelled: then its events have it.
    pub content: String,
    /// The current value.
    pub state: StoredInputState,
    /// When it was queued.
    pub created: Time,
    /// When its state or its content changed.
    pub changed: Time,
}

/// The columns that [`StoredInput::from_row`] takes.
pub(super) const COLUMNS: &str = "id, client_id, sender, content, state, created, changed";

impl StoredInput {
    pub(super) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(StoredInput {
            id: row.get(0)?,
            client_id: row.get(1)?,
            sender: row.get(2)?,
            content: row.get(3)?,
            state: row.get(4)?,
            created: row.get(5)?,
            changed: row.get(6)?,
        })
    }
}

/// How far an input has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StoredInputState {
    /// It waits, and may be edited.
    Queued,
    /// It was handed to the keeper.
    Sent,
    /// The agent has begun with it.
    Taken,
    /// It was to be sent, and by the keeper's journal its agent never got it: the next agent gets it first.
    Returned,
    /// Its agent ended, and whether that had read it can't be known: a person is asked whether to send it again.
    Unconfirmed,
    /// Its turn is over.
    Done,
    /// It will never be answered.
    Cancelled,
}

impl StoredInputState {
    const ALL: [Self; 7] = [
        Self::Queued,
        Self::Sent,
        Self::Taken,
        Self::Returned,
        Self::Unconfirmed,
        Self::Done,
        Self::Cancelled,
    ];

    /// The name that the log has for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Sent => "sent",
            Self::Taken => "taken",
            Self::Returned => "returned",
            Self::Unconfirmed => "unconfirmed",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether an input may go from this state to `next`. It may stay where it is, so that reporting it
    /// twice does no harm.
    pub(super) fn leads_to(self, next: Self) -> bool {
        match self {
            Self::Queued => matches!(next, Self::Queued | Self::Sent | Self::Cancelled),
            Self::Sent => next != Self::Queued,
            Self::Taken => matches!(next, Self::Taken | Self::Done | Self::Cancelled),
            Self::Returned => matches!(next, Self::Returned | Self::Sent | Self::Done | Self::Cancelled),
            Self::Unconfirmed => matches!(next, Self::Unconfirmed | Self::Done | Self::Cancelled),
            Self::Done | Self::Cancelled => next == self,
        }
    }

    /// Whether nothing more becomes of it.
    pub(super) fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Cancelled)
    }
}

impl ToSql for StoredInputState {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.name().into())
    }
}

impl FromSql for StoredInputState {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        Self::ALL.into_iter().find(|state| state.name() == name).ok_or(FromSqlError::InvalidType)
    }
}

/// What became of an input that was to be queued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnqueueOutcome {
    /// It is in the queue, and what came with it was appended.
    New(Appended),
    /// It was queued before, and nothing was appended. The value is its current state.
    Known(StoredInput),
}

/// What became of an input that was to be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditOutcome {
    /// It was changed, and what came with it was appended.
    Now(Appended),
    /// It is past changing, and nothing was appended. The value is its current state.
    TooLate(StoredInput),
    /// The input does not exist.
    Unknown,
}
