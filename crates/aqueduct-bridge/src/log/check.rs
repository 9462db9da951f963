use super::{Log, LogError};

/// Makes a connection see what others changed in the index: its own check does not look for that.
const REFRESH: &str = "SELECT 'ok' FROM search WHERE rowid = 0";

/// Each asks for what must not be, as sentences.
const RULES: &[&str] = &[
    "SELECT 'session ' || id || ' has events up to ' || found || ', and not up to ' || last_seq || ' without gaps' \
     FROM (SELECT sessions.id, last_seq, coalesce(max(seq), 0) AS found, count(seq) AS events \
           FROM sessions LEFT JOIN events ON events.session = sessions.key \
           WHERE deleted = 0 GROUP BY sessions.key) \
     WHERE found <> last_seq OR events <> last_seq",
    "SELECT 'input ' || id || ' is ' || state FROM inputs \
     WHERE state NOT IN ('queued', 'sent', 'taken', 'returned', 'unconfirmed', 'done', 'cancelled')",
    "SELECT 'request ' || request_id || ' is ' || state FROM pending \
     WHERE state NOT IN ('open', 'decided', 'settled', 'withdrawn')",
];

impl Log {
    /// Reads all of the log and returns what is wrong with it, usually nothing. Takes seconds for gigabytes.
    pub async fn check(&self) -> Result<Vec<String>, LogError> {
        self.read(|connection| {
            let mut faults = Vec::new();
            for sql in [REFRESH, "PRAGMA integrity_check"].iter().chain(RULES) {
                let mut statement = connection.prepare(sql)?;
                let found = statement.query_map((), |row| row.get::<_, String>(0))?;
                faults.extend(found.collect::<Result<Vec<_>, _>>()?);
            }
            faults.retain(|fault| fault != "ok");
            Ok(faults)
        })
        .await
    }
}
