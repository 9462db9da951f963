//! The inputs of a session: those that wait, and those that are on their way.

use rusqlite::{Connection, OptionalExtension};

use super::input::COLUMNS;
use super::{
    Append, EditOutcome, EnqueueOutcome, Log, LogError, NewInput, StoredInput, StoredInputState, Time,
    append, session,
};

impl Log {
    /// Queues an input together with the events that record it.
    pub async fn enqueue(
        &self,
        session_id: impl Into<String>,
        input: NewInput,
        append: Append,
    ) -> Result<EnqueueOutcome, LogError> {
        let session_id = session_id.into();
        self.write(input.content.len() + append.weight(), move |connection| {
            let session = session::key(connection, &session_id)?;
            if let Some(known) = find_either(connection, session, &input)? {
                return Ok(EnqueueOutcome::Known(known));
            }
            insert(connection, session, &input, append.time)?;
            append::apply(connection, session, &append).map(EnqueueOutcome::New)
        })
        .await
    }

    /// Changes the content of an input that still waits, together with the events that record it.
    pub async fn edit_input(
        &self,
        session_id: impl Into<String>,
        input_id: impl Into<String>,
        content: String,
        append: Append,
    ) -> Result<EditOutcome, LogError> {
        self.change_queued(session_id.into(), input_id.into(), Some(content), append).await
    }

    /// Takes an input that still waits out of the queue, together with the events that record it.
    pub async fn cancel_input(
        &self,
        session_id: impl Into<String>,
        input_id: impl Into<String>,
        append: Append,
    ) -> Result<EditOutcome, LogError> {
        self.change_queued(session_id.into(), input_id.into(), None, append).await
    }

    /// Moves an input that still waits to another place among those, from 0, together with the events that record
    /// of it.
    pub async fn move_input(
        &self,
        session_id: impl Into<String>,
        input_id: impl Into<String>,
        position: usize,
        append: Append,
    ) -> Result<EditOutcome, LogError> {
        let (session_id, input_id) = (session_id.into(), input_id.into());
        self.write(append.weight(), move |connection| {
            let session = session::key(connection, &session_id)?;
            match find(connection, session, &input_id)? {
                Some(input) if input.state == StoredInputState::Queued => {
                    place(connection, session, &input_id, position)?;
                    append::apply(connection, session, &append).map(EditOutcome::Now)
                }
                known => Ok(known.map_or(EditOutcome::Unknown, EditOutcome::TooLate)),
            }
        })
        .await
    }

    /// Without content it is cancelled.
    async fn change_queued(
        &self,
        session_id: String,
        input_id: String,
        content: Option<String>,
        append: Append,
    ) -> Result<EditOutcome, LogError> {
        let weight = content.as_ref().map_or(0, String::len) + append.weight();
        self.write(weight, move |connection| {
            let session = session::key(connection, &session_id)?;
            let state =
                if content.is_some() { StoredInputState::Queued } else { StoredInputState::Cancelled };
            let sql = "UPDATE inputs SET state = ?3, changed = ?4, content = coalesce(?5, '') \
                       WHERE session = ?1 AND id = ?2 AND state = 'queued'";
            let values = (session, &input_id, state, append.time, content);
            if connection.prepare_cached(sql)?.execute(values)? == 1 {
                return append::apply(connection, session, &append).map(EditOutcome::Now);
            }
            let known = find(connection, session, &input_id)?;
            Ok(known.map_or(EditOutcome::Unknown, EditOutcome::TooLate))
        })
        .await
    }

    /// One input, however far it has come.
    pub async fn input(
        &self,
        session_id: impl Into<String>,
        input_id: impl Into<String>,
    ) -> Result<Option<StoredInput>, LogError> {
        let (session_id, input_id) = (session_id.into(), input_id.into());
        self.read(move |connection| {
            let session = session::key(connection, &session_id)?;
            find(connection, session, &input_id)
        })
        .await
    }
}

/// Queues an input, at its place.
pub(super) fn insert(
    connection: &Connection,
    session: i64,
    input: &NewInput,
    time: Time,
) -> Result<(), LogError> {
    let sql = "INSERT INTO inputs (session, id, client_id, sender, state, created, changed, content, place) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, \
               (SELECT coalesce(max(place), 0) + 1 FROM inputs \
                WHERE session = ?1 AND state IN ('queued', 'sent', 'taken', 'returned')))";
    let NewInput { id, client_id, sender, content, position } = input;
    connection.prepare_cached(sql)?.execute((
        session,
        id,
        client_id,
        sender,
        StoredInputState::Queued,
        time,
        content,
    ))?;
    match position {
        Some(position) => place(connection, session, id, *position),
        None => Ok(()),
    }
}

/// Puts an input that waits at a place among those: their places go round.
fn place(connection: &Connection, session: i64, id: &str, position: usize) -> Result<(), LogError> {
    let sql = "SELECT id, place FROM inputs \
               WHERE session = ?1 AND state IN ('queued', 'sent', 'taken', 'returned') AND state = 'queued' ORDER BY place";
    let waiting = connection
        .prepare_cached(sql)?
        .query_map([session], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<Vec<(String, i64)>, _>>()?;
    let (mut ids, places): (Vec<String>, Vec<i64>) = waiting.into_iter().unzip();
    if let Some(from) = ids.iter().position(|waiting| waiting == id) {
        let moved = ids.remove(from);
        ids.insert(position.min(ids.len()), moved);
    }
    let sql = "UPDATE inputs SET place = ?3 WHERE session = ?1 AND id = ?2 AND place <> ?3";
    for (id, place) in ids.iter().zip(places) {
        connection.prepare_cached(sql)?.execute((session, id, place))?;
    }
    Ok(())
}

fn find(connection: &Connection, session: i64, id: &str) -> Result<Option<StoredInput>, LogError> {
    let sql = format!("SELECT {COLUMNS} FROM inputs WHERE session = ?1 AND id = ?2");
    Ok(connection.prepare_cached(&sql)?.query_row((session, id), StoredInput::from_row).optional()?)
}

/// The input that has one of these ids already.
fn find_either(
    connection: &Connection,
    session: i64,
    input: &NewInput,
) -> Result<Option<StoredInput>, LogError> {
    let known = find(connection, session, &input.id)?;
    let (None, Some(client_id)) = (&known, &input.client_id) else { return Ok(known) };
    let sql = format!("SELECT {COLUMNS} FROM inputs WHERE session = ?1 AND client_id = ?2");
    Ok(connection.prepare_cached(&sql)?.query_row((session, client_id), StoredInput::from_row).optional()?)
}

/// The inputs that are not over, in their order.
pub(super) fn in_work(connection: &Connection, session: i64) -> Result<Vec<StoredInput>, LogError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM inputs WHERE session = ?1 AND state IN ('queued', 'sent', 'taken', 'returned') ORDER BY place"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map([session], StoredInput::from_row)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// Brings an input to another state.
pub(super) fn advance(
    connection: &Connection,
    session: i64,
    id: &str,
    to: StoredInputState,
    time: Time,
) -> Result<(), LogError> {
    let sql = "SELECT state FROM inputs WHERE session = ?1 AND id = ?2";
    let from: Option<StoredInputState> =
        connection.prepare_cached(sql)?.query_row((session, id), |row| row.get(0)).optional()?;
    let Some(state) = from.filter(|state| state.leads_to(to)) else {
        return Err(LogError::InputState {
            id: id.to_owned(),
            from: from.map(StoredInputState::name),
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
