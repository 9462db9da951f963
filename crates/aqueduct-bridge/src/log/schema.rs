//! The database's form, and how an older one becomes the newest.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::LogError;

/// Distinguishes our files from databases of other programs: "AQLG".
const APPLICATION_ID: i64 = 0x4151_4c47;

/// What leads from one form to the next. The form's number, SQLite's `user_version`, is how many of these
/// were run. A step that was released is never changed: what comes later is a further step.
const STEPS: &[&str] = &[
    include_str!("schema/v1.sql"),
    include_str!("schema/v2.sql"),
    include_str!("schema/v3.sql"),
    include_str!("schema/v4.sql"),
    include_str!("schema/v5.sql"),
];

/// The form of a database that is only read. One that is not ours, or newer, is refused.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<i64, LogError> {
    check_form(connection, path, STEPS)
}

/// Brings a database to the newest form. A new file gets all of it.
pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), LogError> {
    run(connection, path, STEPS)
}

fn run(connection: &mut Connection, path: &Path, steps: &[&str]) -> Result<(), LogError> {
    let version = check_form(connection, path, steps)?;
    for (number, step) in (1..).zip(steps) {
        if number <= version {
            continue;
        }
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", number)?;
        transaction.commit()?;
    }
    Ok(())
}

fn check_form(connection: &Connection, path: &Path, steps: &[&str]) -> Result<i64, LogError> {
    let version: i64 = pragma(connection, "user_version")?;
    if !is_ours(connection, version)? {
        return Err(LogError::Foreign { path: path.to_owned() });
    }
    let known = i64::try_from(steps.len()).unwrap_or(i64::MAX);
    if version > known {
        return Err(LogError::Newer { path: path.to_owned(), found: version, known });
    }
    Ok(version)
}

/// An empty database is ours too.
fn is_ours(connection: &Connection, version: i64) -> Result<bool, LogError> {
    if pragma(connection, "application_id")? == APPLICATION_ID {
        return Ok(true);
    }
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    Ok(version == 0 && tables == 0)
}

fn pragma(connection: &Connection, name: &str) -> Result<i64, LogError> {
    Ok(connection.pragma_query_value(None, name, |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rusqlite::Connection;

    use super::{LogError, STEPS, run};

    const NOTES: &str = "CREATE TABLE notes (text TEXT NOT NULL) STRICT;";
    const STARS: &str = "ALTER TABLE notes ADD COLUMN stars INTEGER NOT NULL DEFAULT 3;";
    const BROKEN: &str = "ALTER TABLE notes ADD COLUMN more TEXT; UPDATE nothing SET more = 1;";

    fn at(connection: &mut Connection, steps: &[&str]) -> Result<(), LogError> {
        run(connection, Path::new("/home/ada/log.sqlite3"), steps)
    }

    #[test]
    fn each_step_runs_once_and_keeps_what_is_there() {
        let mut connection = Connection::open_in_memory().unwrap();
        at(&mut connection, &[NOTES]).unwrap();
        connection.execute("INSERT INTO notes VALUES ('one')", ()).unwrap();
        at(&mut connection, &[NOTES]).unwrap();
        at(&mut connection, &[NOTES, STARS]).unwrap();
        at(&mut connection, &[NOTES, STARS]).unwrap();
        let stars: i64 = connection.query_row("SELECT stars FROM notes", (), |row| row.get(0)).unwrap();
        assert_eq!(stars, 3);
    }

    #[test]
    fn a_step_that_fails_leaves_the_form_before_it() {
        let mut connection = Connection::open_in_memory().unwrap();
        assert!(at(&mut connection, &[NOTES, BROKEN]).is_err());
        at(&mut connection, &[NOTES, STARS]).unwrap();
        let columns: i64 = connection
            .query_row("SELECT count(*) FROM pragma_table_info('notes')", (), |row| row.get(0))
            .unwrap();
        assert_eq!(columns, 2);
    }

    /// Before there were scopes every credential could do everything.
    #[test]
    fn credentials_from_before_there_were_scopes_keep_everything() {
        let mut connection = Connection::open_in_memory().unwrap();
        at(&mut connection, &STEPS[..1]).unwrap();
        let device = "INSERT INTO devices (id, kind, name, token_hash, created) VALUES ('d', 'device', 'Phone', x'00', 1)";
        let pairing = "INSERT INTO pairings (code_hash, created, expires) VALUES (x'00', 1, 2)";
        connection.execute_batch(&format!("{device}; {pairing};")).unwrap();
        at(&mut connection, STEPS).unwrap();
        let sql = "SELECT scope, expires, root FROM devices UNION ALL SELECT scope, access_expires, root FROM pairings";
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        let rows: Vec<(String, Option<i64>, Option<String>)> = rows.collect::<Result<_, _>>().unwrap();
        assert_eq!(rows, [("admin".to_owned(), None, None), ("admin".to_owned(), None, None)]);
    }

    #[test]
    fn a_newer_form_is_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        at(&mut connection, &[NOTES, STARS]).unwrap();
        let error = at(&mut connection, &[NOTES]).unwrap_err();
        assert!(matches!(error, LogError::Newer { found: 2, known: 1, .. }), "{error}");
    }

    #[test]
    fn a_database_of_another_program_is_left_alone() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(NOTES).unwrap();
        let error = at(&mut connection, &[NOTES]).unwrap_err();
        assert!(matches!(error, LogError::Foreign { .. }), "{error}");
    }
}
