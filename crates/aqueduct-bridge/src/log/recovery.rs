//! What is put right when a log is opened.
//!
//! A log can be older than what happened: its write-ahead log was cut, or it is a copy that was made while a bridge was
//! running. In any case, no input may be left in a state that nothing resolves.

use rusqlite::Connection;

use super::LogError;

/// Each only looks at sessions in work, which are few.
const STEPS: &[&str] = &[
    // An input that was answered, without an agent that could end its turn: it would hold up those behind it.
    "UPDATE inputs SET state = 'done', content = '' \
     WHERE state IN ('queued', 'sent', 'taken', 'returned') AND state = 'taken' \
     AND session IN (SELECT key FROM sessions WHERE keeper IS NULL)",
    // The next event would have the number of one that is there, or leave a gap.
    "UPDATE sessions SET last_seq = (SELECT coalesce(max(seq), 0) FROM events WHERE session = sessions.key) \
     WHERE deleted = 0 AND (keeper IS NOT NULL \
         OR key IN (SELECT session FROM inputs WHERE state IN ('queued', 'sent', 'taken', 'returned')) \
         OR key IN (SELECT session FROM pending WHERE state IN ('open', 'decided'))) \
     AND last_seq <> (SELECT coalesce(max(seq), 0) FROM events WHERE session = sessions.key)",
];

/// Repairs what can't continue as it is. A disk that can't be written does not prevent reading the log: then
/// it is tried again with the next start.
pub(super) fn recover(connection: &Connection) -> Result<(), LogError> {
    match run(connection) {
        Err(LogError::Full | LogError::ReadOnly | LogError::Io { .. }) => Ok(()),
        done => done,
    }
}

fn run(connection: &Connection) -> Result<(), LogError> {
    let transaction = connection.unchecked_transaction()?;
    for sql in STEPS {
        transaction.execute(sql, ())?;
    }
    transaction.commit()?;
    Ok(())
}
