//! The index, made from what was appended.

use rusqlite::Connection;

use super::super::LogError;
use super::super::chores::ChoreStep;
use super::text;

/// At most this many events are indexed in a step.
const STEP_EVENTS: u32 = 2048;

/// Begins the index again if its text is made in another way now.
pub(in super::super) fn reset_if_outdated(connection: &Connection) -> Result<(), LogError> {
    let sql = "SELECT text_version FROM indexing";
    let version: i64 = connection.query_row(sql, (), |row| row.get(0))?;
    if version == text::VERSION {
        return Ok(());
    }
    let transaction = connection.unchecked_transaction()?;
    transaction.execute("INSERT INTO search (search) VALUES ('delete-all')", ())?;
    transaction.execute("UPDATE indexing SET through = 0, text_version = ?1", [text::VERSION])?;
    transaction.commit()?;
    Ok(())
}

/// About how many events are not indexed yet.
pub(in super::super) fn unindexed(connection: &Connection) -> Result<u64, LogError> {
    let sql = "SELECT max(0, (SELECT coalesce(max(key), 0) FROM events) - through) FROM indexing";
    Ok(connection.prepare_cached(sql)?.query_row((), |row| row.get(0))?)
}

/// Indexes the next events.
pub(in super::super) fn index(connection: &Connection, step: &ChoreStep<'_>) -> Result<(), LogError> {
    let sql =
        "SELECT key, searchable FROM events WHERE key > (SELECT through FROM indexing) ORDER BY key LIMIT ?1";
    let events = connection
        .prepare_cached(sql)?
        .query_map([STEP_EVENTS], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<Vec<(i64, bool)>, _>>()?;
    let mut through = None;
    for (done, &(key, searchable)) in events.iter().enumerate() {
        if step.is_over(done) {
            break;
        }
        if searchable {
            let sql = "INSERT INTO search (rowid, place, body) SELECT key, place, body FROM event_texts WHERE key = ?1";
            connection.prepare_cached(sql)?.execute([key])?;
        }
        through = Some(key);
    }
    if let Some(key) = through {
        connection.prepare_cached("UPDATE indexing SET through = ?1")?.execute([key])?;
    }
    Ok(())
}
