//! Deleted sessions leave the file, a few events at a time.

use rusqlite::{Connection, OptionalExtension};

use super::LogError;
use super::chores::ChoreStep;

/// At most this many events are removed in a step.
const STEP_EVENTS: u32 = 256;

/// Whether there is a session to remove.
pub(super) fn is_needed(connection: &Connection) -> Result<bool, LogError> {
    Ok(first(connection)?.is_some())
}

fn first(connection: &Connection) -> Result<Option<i64>, LogError> {
    let sql = "SELECT key FROM sessions WHERE deleted = 1 ORDER BY key LIMIT 1";
    Ok(connection.prepare_cached(sql)?.query_row((), |row| row.get(0)).optional()?)
}

/// Removes some of what is left of the first deleted session, and the session itself with the last of it.
pub(super) fn purge(connection: &Connection, step: &ChoreStep<'_>) -> Result<(), LogError> {
    let Some(session) = first(connection)? else { return Ok(()) };
    let sql = "SELECT key FROM events WHERE session = ?1 ORDER BY seq LIMIT ?2";
    let keys = connection
        .prepare_cached(sql)?
        .query_map((session, STEP_EVENTS), |row| row.get(0))?
        .collect::<Result<Vec<i64>, _>>()?;
    for (done, key) in keys.iter().enumerate() {
        if step.is_over(done) {
            break;
        }
        let sql = "INSERT INTO search (search, rowid, place, body) \
                   SELECT 'delete', key, place, body FROM event_texts \
                   WHERE key = ?1 AND key <= (SELECT through FROM indexing)";
        connection.prepare_cached(sql)?.execute([key])?;
        connection.prepare_cached("DELETE FROM events WHERE key = ?1")?.execute([key])?;
    }
    if !keys.is_empty() {
        // Keys of events that were the newest are used again, and those events must be indexed then.
        let sql = "UPDATE indexing SET through = min(through, (SELECT coalesce(max(key), 0) FROM events))";
        connection.prepare_cached(sql)?.execute(())?;
        return Ok(());
    }
    for sql in [
        "INSERT OR IGNORE INTO forgotten SELECT id FROM sessions WHERE key = ?1",
        "INSERT OR IGNORE INTO forgotten SELECT agent_id FROM agent_ids WHERE session = ?1",
        "DELETE FROM inputs WHERE session = ?1",
        "DELETE FROM pending WHERE session = ?1",
        "DELETE FROM agent_ids WHERE session = ?1",
        "DELETE FROM sessions WHERE key = ?1",
    ] {
        connection.prepare_cached(sql)?.execute([session])?;
    }
    Ok(())
}
