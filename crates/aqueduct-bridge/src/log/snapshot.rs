//! A state of the log, for those who only look: a backup, and commands beside a bridge that runs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use super::database::{FILE, searchable};
use super::retention::{self, RetentionPlan, RetentionPolicy};
use super::{LogError, Time, schema};

/// How many pages are copied at a time: 4 MiB.
const STEP: i32 = 1024;

/// A state of a log that stays as it is while a bridge continues to write. Everything that was acknowledged before it was
/// opened is in it.
///
/// It holds a read transaction: meanwhile the write-ahead log only grows.
#[derive(Debug)]
pub struct LogSnapshot {
    connection: Connection,
    path: PathBuf,
    id: String,
    form: i64,
}

/// How much a log has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogCounts {
    /// Sessions.
    pub sessions: u64,
    /// Their messages.
    pub messages: u64,
    /// Devices and tokens that have access.
    pub devices: u64,
}

/// A session with a keeper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptSession {
    /// The session.
    pub id: String,
    /// The keeper, as the log names it.
    pub keeper: String,
    /// Up to which byte the keeper's output is in the log.
    pub cursor: u64,
}

impl LogSnapshot {
    /// The state of the log in a data folder. `None` if there is no log.
    pub fn open(folder: &Path) -> Result<Option<Self>, LogError> {
        let open_error = |path: &Path, error: &io::Error| LogError::Open {
            path: path.to_owned(),
            detail: error.to_string(),
        };
        // Absolute, because SQLite reads more into names that begin with `file:`.
        let path = match fs::canonicalize(folder) {
            Ok(folder) => folder.join(FILE),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(open_error(folder, &error)),
        };
        match fs::metadata(&path) {
            // One that was never written to is none.
            Ok(data) if data.len() == 0 => return Ok(None),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(open_error(&path, &error)),
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&path, flags)?;
        connection.pragma_update(None, "trusted_schema", false)?;
        searchable(&connection)?;
        connection.execute_batch("BEGIN")?;
        let form = schema::check(&connection, &path)?;
        if form == 0 {
            return Ok(None);
        }
        let id = connection.query_row("SELECT id FROM identity", (), |row| row.get(0))?;
        Ok(Some(LogSnapshot { connection, path, id, form }))
    }

    /// The log's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The form of its database.
    pub fn form(&self) -> i64 {
        self.form
    }

    /// How much it has.
    pub fn counts(&self) -> Result<LogCounts, LogError> {
        let sql = "SELECT (SELECT count(*) FROM sessions WHERE deleted = 0), \
                   (SELECT coalesce(sum(last_seq), 0) FROM sessions WHERE deleted = 0), \
                   (SELECT count(*) FROM devices WHERE revoked IS NULL)";
        Ok(self.connection.query_row(sql, (), |row| {
            Ok(LogCounts { sessions: row.get(0)?, messages: row.get(1)?, devices: row.get(2)? })
        })?)
    }

    /// The sessions with a keeper.
    pub fn kept_sessions(&self) -> Result<Vec<KeptSession>, LogError> {
        let sql =
            "SELECT id, keeper, cursor FROM sessions WHERE deleted = 0 AND keeper IS NOT NULL ORDER BY key";
        let mut statement = self.connection.prepare(sql)?;
        let found = statement.query_map((), |row| {
            Ok(KeptSession { id: row.get(0)?, keeper: row.get(1)?, cursor: row.get(2)? })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// What a policy would remove.
    pub fn retention(&self, policy: &RetentionPolicy, now: Time) -> Result<RetentionPlan, LogError> {
        retention::plan(&self.connection, policy, now)
    }

    /// Reads all of the database and returns what is wrong with it, usually nothing.
    pub fn faults(&self) -> Result<Vec<String>, LogError> {
        let mut statement = self.connection.prepare("PRAGMA quick_check(20)")?;
        let found = statement.query_map((), |row| row.get(0))?;
        let mut faults: Vec<String> = found.collect::<Result<_, _>>()?;
        faults.retain(|fault| fault != "ok");
        Ok(faults)
    }

    /// Revokes in the log of another folder, which no bridge uses, the devices that are revoked here; returns how many had
    /// access there.
    pub fn revoke_in(&self, folder: &Path, now: Time) -> Result<u64, LogError> {
        let mut statement =
            self.connection.prepare("SELECT id, revoked FROM devices WHERE revoked IS NOT NULL")?;
        let revoked = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
        let revoked: Vec<(String, Time)> = revoked.collect::<Result<_, _>>()?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut other = Connection::open_with_flags(folder.join(FILE), flags)?;
        other.pragma_update(None, "trusted_schema", false)?;
        let transaction = other.transaction()?;
        let mut count = 0;
        for (id, time) in revoked {
            let sql = "UPDATE devices SET revoked = ?2 WHERE id = ?1 AND revoked IS NULL";
            count += transaction.execute(sql, (&id, time))? as u64;
            transaction.execute("DELETE FROM push_subscriptions WHERE device = ?1", [&id])?;
        }
        // A device that was revoked may have made a code.
        let sql = "UPDATE pairings SET expires = min(expires, ?1) WHERE used IS NULL";
        transaction.execute(sql, [now])?;
        transaction.commit()?;
        // Closing moves the write-ahead log into the database and waits for the disk.
        other.close().map_err(|(_, error)| error)?;
        Ok(count)
    }

    /// Copies the log into a new file, as a database without a write-ahead log. `progress` gets how many bytes are done, and
    /// how many there are.
    pub fn copy(&self, to: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<(), LogError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut target = Connection::open_with_flags(to, flags)?;
        // A copy that is cut off is thrown away, and a whole one is synced by who uses it.
        target.pragma_update(None, "journal_mode", "off")?;
        target.pragma_update(None, "synchronous", "off")?;
        let page: u64 = self.connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
        let backup = Backup::new(&self.connection, &mut target)?;
        loop {
            let step = backup.step(STEP)?;
            let (left, all) = (backup.progress().remaining, backup.progress().pagecount);
            let bytes = |pages: i32| u64::try_from(pages).unwrap_or_default().saturating_mul(page);
            progress(bytes(all.saturating_sub(left)), bytes(all));
            match step {
                StepResult::Done => return Ok(()),
                StepResult::More => {}
                // No other process has the target, and readers of the source wait for no other.
                other => {
                    let detail = format!("{} can't be copied: {other:?}", self.path.display());
                    return Err(LogError::Unexpected { detail });
                }
            }
        }
    }
}
