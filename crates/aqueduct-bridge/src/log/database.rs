//! The database file, and connections to it.

use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use aqueduct_os::privacy::check_folder;
use rusqlite::config::DbConfig;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use super::files::{FileIdentity, LogFiles};
use super::lock::DataLock;
use super::search::searchable_text;
use super::{LogError, schema};

/// The database's name in the data folder.
pub(super) const FILE: &str = "log.sqlite3";
/// The page cache of the one connection that writes, in KiB.
const WRITER_CACHE: i64 = 1024;
/// The page cache of a connection that reads, in KiB. What it does not hold, the system's cache does.
const READER_CACHE: i64 = 256;
/// How many statements a connection keeps prepared: more than there are.
const STATEMENTS: usize = 64;
/// To what the write-ahead log's file is cut after a burst, in bytes.
pub(super) const WAL_LIMIT: i64 = 8 << 20;

/// Where the database is.
#[derive(Debug)]
pub(super) struct Database {
    path: PathBuf,
    /// The same as the user named it: where it leads may change.
    named: PathBuf,
    /// Which file it is, once it was opened.
    identity: OnceLock<FileIdentity>,
}

impl Database {
    /// Makes the data folder, for this user alone, or checks that it is; returns where the database is in it.
    pub(super) fn in_folder(folder: &Path) -> Result<(Self, PathBuf), LogError> {
        let open_error =
            |error: io::Error| LogError::Open { path: folder.to_owned(), detail: error.to_string() };
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(open_error)?;
        let named = std::path::absolute(folder).map_err(open_error)?.join(FILE);
        // Absolute, because SQLite reads more into names that begin with `file:`.
        let folder = fs::canonicalize(folder).map_err(open_error)?;
        check_folder(&folder).map_err(LogError::NotPrivate)?;
        Ok((Database { path: folder.join(FILE), named, identity: OnceLock::new() }, folder))
    }

    /// The connection that writes, with the files that it writes to. Makes the database, or brings it to the newest
    /// form.
    pub(super) fn writer(&self, lock: &DataLock) -> Result<(Connection, LogFiles), LogError> {
        let identity = self.make_private().map_err(|error| self.open_error(&error))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = self.open(flags, WRITER_CACHE)?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "normal")?;
        // The writer does it itself: then a commit never changes the database's file.
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        connection.pragma_update(None, "journal_size_limit", WAL_LIMIT)?;
        schema::migrate(&mut connection, &self.path)?;
        let files =
            LogFiles::of(&self.named, *self.identity.get_or_init(|| identity), lock.path().to_owned())?;
        Ok((connection, files))
    }

    /// A connection that reads.
    pub(super) fn reader(&self) -> Result<Connection, LogError> {
        self.check()?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = self.open(flags, READER_CACHE)?;
        self.check()?;
        Ok(connection)
    }

    /// Fails if the database is another file than the one that was opened.
    fn check(&self) -> Result<(), LogError> {
        let data = fs::metadata(&self.named).map_err(|error| self.open_error(&error))?;
        match self.identity.get().is_none_or(|known| *known == FileIdentity::of(&data)) {
            true => Ok(()),
            false => Err(LogError::Lost {
                path: self.named.clone(),
                detail: "was replaced by another file".to_owned(),
            }),
        }
    }

    fn open(&self, flags: OpenFlags, cache: i64) -> Result<Connection, LogError> {
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.pragma_update(None, "cache_size", -cache)?;
        connection.pragma_update(None, "trusted_schema", false)?;
        // Plans don't depend on values, or SQLite would prepare some statements again for each value.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        searchable(&connection)?;
        Ok(connection)
    }

    /// SQLite gives the files beside the database the rights that the database has.
    fn make_private(&self) -> io::Result<FileIdentity> {
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(&self.path)?;
        let data = file.metadata()?;
        if data.permissions().mode() & 0o077 != 0 {
            file.set_permissions(Permissions::from_mode(0o600))?;
        }
        Ok(FileIdentity::of(&data))
    }

    fn open_error(&self, error: &io::Error) -> LogError {
        LogError::Open { path: self.path.clone(), detail: error.to_string() }
    }
}

/// Gives a connection the function that the index of searches calls.
pub(super) fn searchable(connection: &Connection) -> Result<(), LogError> {
    // Harmless, so that the view may call it although a schema is not trusted.
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("searchable_text", 1, flags, |call| match call.get_raw(0) {
        ValueRef::Text(payload) => Ok(searchable_text(&String::from_utf8_lossy(payload))),
        _ => Ok(String::new()),
    })?;
    Ok(())
}
