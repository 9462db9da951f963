//! Connections that read.

use std::sync::Arc;

use rusqlite::Connection;
use tokio::sync::{Mutex, Semaphore};

use super::LogError;
use super::database::Database;

/// How many may read at a time. Reading is short; others wait for their turn.
const READERS: u32 = 4;
/// How many idle connections are kept open.
const IDLE: usize = 2;

/// Connections that read, each used by one blocking thread at a time.
#[derive(Debug)]
pub(super) struct Readers {
    database: Arc<Database>,
    turns: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl Readers {
    /// None is open yet.
    pub(super) fn new(database: Database) -> Self {
        let idle = Arc::new(Mutex::new(Vec::with_capacity(IDLE)));
        Readers { database: Arc::new(database), turns: Arc::new(Semaphore::new(READERS as usize)), idle }
    }

    /// Reads on a blocking thread, in one read transaction.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, LogError> + Send + 'static,
    ) -> Result<T, LogError> {
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| LogError::Closed)?;
        let kept = self.idle.lock().await.pop();
        let (database, idle) = (Arc::clone(&self.database), Arc::clone(&self.idle));
        let task = tokio::task::spawn_blocking(move || {
            // Given back when the connection is.
            let _turn = turn;
            let connection = kept.map_or_else(|| database.reader(), Ok)?;
            let snapshot = connection.unchecked_transaction()?;
            let result = read(&snapshot)?;
            snapshot.finish()?;
            let mut idle = idle.blocking_lock();
            if idle.len() < IDLE {
                idle.push(connection);
            }
            Ok(result)
        });
        // It is never aborted: what ends it early is a panic, or a runtime that shuts down.
        task.await.unwrap_or(Err(LogError::Closed))
    }

    /// Waits for those that read, and closes all connections.
    pub(super) async fn close(&self) {
        let all = self.turns.acquire_many(READERS).await;
        self.turns.close();
        drop(all);
        self.idle.lock().await.clear();
    }
}
