use std::sync::Arc;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row};

use super::{Append, Appended, Log, LogError, Time, append, session};

/// A SHA-256 hash. The caller reckons it.
pub type Hash = [u8; 32];

/// A request of an agent that a user has to decide: a permission, a question, a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPending {
    /// The id that clients decide by. The bridge makes it; no other question of any session has it.
    pub request_id: String,
    /// The agent's id of the request, which its answer names; none where the bridge itself asks. Agents choose it
    /// as they like.
    pub agent_request_id: Option<String>,
    /// What kind of request it is. The log only keeps it.
    pub kind: String,
    /// The tool call that it is about.
    pub tool_use_id: Option<String>,
    /// The tool.
    pub tool_name: Option<String>,
    /// What is to be decided, exactly as it came: JSON.
    pub input: Arc<str>,
    /// The hash of `input`. A decision can name it, so that it applies to no other input.
    pub input_hash: Hash,
    /// What the agent suggests to allow for good: JSON.
    pub suggestions: Option<String>,
    /// What else is needed to show it again: JSON.
    pub details: Option<Arc<str>>,
}

/// A request of an agent and its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRequest {
    /// The request. Once it is over, its JSON is gone and only its ids are left.
    pub request: NewPending,
    /// When it came.
    pub created: Time,
    /// The current value.
    pub state: PendingState,
    /// What was decided.
    pub decision: Option<RecordedDecision>,
}

/// How far a request has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PendingState {
    /// Not decided.
    Open,
    /// It is decided, but it is not known that the agent has the answer. The answer must be sent again.
    Decided,
    /// The agent has the answer.
    Settled,
    /// The agent wants no answer any more.
    Withdrawn,
}

impl FromSql for PendingState {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value.as_str()? {
            "open" => Ok(Self::Open),
            "decided" => Ok(Self::Decided),
            "settled" => Ok(Self::Settled),
            "withdrawn" => Ok(Self::Withdrawn),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}

/// The user's decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedDecision {
    /// Who it was.
    pub by: String,
    /// What it was: JSON.
    pub decision: String,
    /// When it was.
    pub time: Time,
}

/// What became of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionOutcome {
    /// It was the first and counts, and what came with it was appended.
    First(Appended),
    /// This one was there before and counts. Nothing was appended.
    Late(RecordedDecision),
    /// The agent had taken its request back. Nothing was appended.
    Withdrawn,
    /// It was about another input than the request has. Nothing was appended.
    OtherInput,
    /// The request does not exist. Nothing was appended.
    Unknown,
}

impl Log {
    /// Decides about a request together with the events that record it. The first decision wins. With a hash, it
    /// is only about that input.
    pub async fn decide(
        &self,
        session_id: impl Into<String>,
        request_id: impl Into<String>,
        input_hash: Option<Hash>,
        decision: RecordedDecision,
        append: Append,
    ) -> Result<DecisionOutcome, LogError> {
        let (session_id, request_id) = (session_id.into(), request_id.into());
        self.write(append.weight(), move |connection| {
            let session = session::key(connection, &session_id)?;
            let sql = "UPDATE pending SET state = 'decided', decided = ?4, decided_by = ?5, decision = ?6 \
                       WHERE session = ?1 AND request_id = ?2 AND input_hash = coalesce(?3, input_hash) AND state = 'open'";
            let values = (session, &request_id, input_hash, decision.time, &decision.by, &decision.decision);
            if connection.prepare_cached(sql)?.execute(values)? == 1 {
                return append::apply(connection, session, &append).map(DecisionOutcome::First);
            }
            let Some(pending) = newest(connection, session, &request_id)? else {
                return Ok(DecisionOutcome::Unknown);
            };
            Ok(match (pending.state, pending.decision) {
                (PendingState::Open, _) => DecisionOutcome::OtherInput,
                (_, Some(decision)) => DecisionOutcome::Late(decision),
                (_, None) => DecisionOutcome::Withdrawn,
            })
        })
        .await
    }
}

const COLUMNS: &str = "request_id, kind, tool_use_id, tool_name, input, input_hash, suggestions, details, created, \
     state, decided_by, decision, decided, agent_request_id";

fn from_row(row: &Row<'_>) -> rusqlite::Result<StoredRequest> {
    let decided: Option<Time> = row.get(12)?;
    Ok(StoredRequest {
        request: NewPending {
            request_id: row.get(0)?,
            agent_request_id: row.get(13)?,
            kind: row.get(1)?,
            tool_use_id: row.get(2)?,
            tool_name: row.get(3)?,
            input: row.get(4)?,
            input_hash: row.get(5)?,
            suggestions: row.get(6)?,
            details: row.get(7)?,
        },
        created: row.get(8)?,
        state: row.get(9)?,
        decision: match decided {
            Some(time) => Some(RecordedDecision { by: row.get(10)?, decision: row.get(11)?, time }),
            None => None,
        },
    })
}

/// The newest request of an id. Rows of older bridges have the agent's id, which agents may use again.
fn newest(
    connection: &Connection,
    session: i64,
    request_id: &str,
) -> Result<Option<StoredRequest>, LogError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM pending WHERE session = ?1 AND request_id = ?2 ORDER BY key DESC LIMIT 1"
    );
    Ok(connection.prepare_cached(&sql)?.query_row((session, request_id), from_row).optional()?)
}

/// The requests that are not over, in their order.
pub(super) fn in_work(connection: &Connection, session: i64) -> Result<Vec<StoredRequest>, LogError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM pending WHERE session = ?1 AND state IN ('open', 'decided') ORDER BY key"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map([session], from_row)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// Adds a request. One that has the same id of the agent and was not over is: its agent has started again.
pub(super) fn insert(
    connection: &Connection,
    session: i64,
    request: &NewPending,
    time: Time,
) -> Result<(), LogError> {
    if let Some(agent_request_id) = &request.agent_request_id {
        for id in in_work_of_agent(connection, session, agent_request_id)? {
            withdraw(connection, session, &id)?;
            settle(connection, session, &id)?;
        }
    }
    let sql = "INSERT INTO pending (session, request_id, kind, tool_use_id, tool_name, input, input_hash, \
               suggestions, details, created, agent_request_id, state) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'open')";
    connection.prepare_cached(sql)?.execute((
        session,
        &request.request_id,
        &request.kind,
        &request.tool_use_id,
        &request.tool_name,
        &request.input,
        request.input_hash,
        &request.suggestions,
        &request.details,
        time,
        &request.agent_request_id,
    ))?;
    Ok(())
}

/// The requests that are not over and that the agent calls by this id.
fn in_work_of_agent(
    connection: &Connection,
    session: i64,
    agent_request_id: &str,
) -> Result<Vec<String>, LogError> {
    let sql = "SELECT request_id FROM pending \
               WHERE session = ?1 AND agent_request_id = ?2 AND state IN ('open', 'decided')";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_map((session, agent_request_id), |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The agent has the answer. Reporting this twice has no effect.
pub(super) fn settle(connection: &Connection, session: i64, request_id: &str) -> Result<(), LogError> {
    finish(connection, session, request_id, "decided", "settled")
}

/// The agent wants no answer any more. A decision that was made stays.
pub(super) fn withdraw(connection: &Connection, session: i64, request_id: &str) -> Result<(), LogError> {
    finish(connection, session, request_id, "open", "withdrawn")
}

/// What was asked stays in the events; here only who decided has to be known.
fn finish(
    connection: &Connection,
    session: i64,
    request_id: &str,
    from: &str,
    to: &str,
) -> Result<(), LogError> {
    let sql = "UPDATE pending SET state = ?4, input = '', suggestions = NULL, details = NULL \
               WHERE session = ?1 AND request_id = ?2 AND state = ?3";
    connection.prepare_cached(sql)?.execute((session, request_id, from, to))?;
    Ok(())
}
