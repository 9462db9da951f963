use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::{Semaphore, mpsc, oneshot, watch};

use super::LogError;
use super::database::Database;
use super::job::FunctionJob;
use super::lock::DataLock;
use super::measure::LogMetrics;
use super::readers::Readers;
use super::recovery;
use super::revocation::Revocations;
use super::writer::{LogWriter, QUEUE_BYTES, WriterMessage};

/// The event log. Clones are handles to the same one.
#[derive(Debug, Clone)]
pub struct Log {
    shared: Arc<LogState>,
}

/// What all handles share. The thread that writes ends with it.
#[derive(Debug)]
struct LogState {
    id: String,
    readers: Readers,
    revocations: Revocations,
    metrics: Arc<LogMetrics>,
    room: Arc<Semaphore>,
    /// Why the log is lost, once it is.
    lost: watch::Receiver<Option<LogError>>,
    /// `None` only while it is dropped.
    messages: Option<mpsc::Sender<WriterMessage>>,
    /// `None` only while it is dropped.
    thread: Option<JoinHandle<()>>,
}

impl Drop for LogState {
    /// Waits until what was asked for is written. After [`Log::close`] there is nothing to wait for.
    fn drop(&mut self) {
        drop(self.messages.take());
        if let Some(thread) = self.thread.take() {
            // Joining fails only if it panicked, which was reported by then.
            let _ = thread.join();
        }
    }
}

impl Log {
    /// Opens the log in a data folder and makes both if they are not there. No other process can open it as
    /// long as this one has it. Takes some milliseconds, which block.
    pub fn open(folder: &Path) -> Result<Self, LogError> {
        let (database, folder) = Database::in_folder(folder)?;
        let lock = DataLock::take(&folder)?;
        let (connection, files) = database.writer(&lock)?;
        let id = connection.query_row("SELECT id FROM identity", (), |row| row.get(0))?;
        recovery::recover(&connection)?;
        let (report, lost) = watch::channel(None);
        let metrics = Arc::new(LogMetrics::default());
        let (messages, thread) = LogWriter::start(connection, files, lock, report, Arc::clone(&metrics))?;
        let shared = LogState {
            id,
            readers: Readers::new(database),
            revocations: Revocations::default(),
            metrics,
            lost,
            room: Arc::new(Semaphore::new(QUEUE_BYTES as usize)),
            messages: Some(messages),
            thread: Some(thread),
        };
        Ok(Log { shared: Arc::new(shared) })
    }

    /// The log's own id, made with its file. Places in a log of another id mean nothing here.
    pub fn id(&self) -> &str {
        &self.shared.id
    }

    /// Devices that were revoked since the log was opened.
    pub(super) fn revocations(&self) -> &Revocations {
        &self.shared.revocations
    }

    /// What the writer measures.
    pub fn metrics(&self) -> &LogMetrics {
        &self.shared.metrics
    }

    /// How many bytes wait to be written.
    pub fn waiting_bytes(&self) -> usize {
        (QUEUE_BYTES as usize).saturating_sub(self.shared.room.available_permits())
    }

    /// Waits until a file of the log is found to be removed, replaced or changed by another program, and gives the
    /// error that all callers get from then on. Nothing, once the log is closed.
    pub fn lost(&self) -> impl Future<Output = Option<LogError>> + Send + use<> {
        let mut lost = self.shared.lost.clone();
        async move { lost.wait_for(Option::is_some).await.ok().and_then(|error| error.clone()) }
    }

    fn check_lost(&self) -> Result<(), LogError> {
        self.shared.lost.borrow().clone().map_or(Ok(()), Err)
    }

    /// Finishes what is in work and closes the database: when this returns, another process may open it.
    /// All handles fail from then on.
    pub async fn close(&self) {
        self.shared.readers.close().await;
        let (reply, closed) = oneshot::channel();
        // Both fail only if it is closed already.
        if self.send(WriterMessage::Close(reply)).await.is_ok() {
            let _ = closed.await;
        }
    }

    /// Waits until everything that was appended so far can be found, and everything that was deleted is gone.
    pub async fn settle(&self) -> Result<(), LogError> {
        let (reply, settled) = oneshot::channel();
        self.send(WriterMessage::Settle(reply)).await?;
        settled.await.unwrap_or(Err(LogError::Closed))
    }

    /// Waits until the thread that writes has made an empty transaction, or failed to: it works, then, or reports why
    /// not. It waits as long as the thread is stuck.
    pub async fn reach_writer(&self) {
        let _ = self.write(0, |_| Ok(())).await;
    }

    /// Writes a page of the database, as it was, to find out whether the log accepts writes. It waits as long as the
    /// thread that writes is stuck.
    pub async fn check_writable(&self) -> Result<(), LogError> {
        self.write(0, |connection| {
            let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
            Ok(connection.pragma_update(None, "user_version", version)?)
        })
        .await
    }

    /// Runs `apply` on the thread that writes, in a transaction that is committed when this returns. `weight`
    /// is about how many bytes it holds.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        weight: usize,
        apply: impl FnOnce(&Connection) -> Result<T, LogError> + Send + 'static,
    ) -> Result<T, LogError> {
        let weight = u32::try_from(weight).unwrap_or(QUEUE_BYTES).min(QUEUE_BYTES);
        let room = Arc::clone(&self.shared.room).acquire_many_owned(weight).await;
        let room = room.map_err(|_| LogError::Closed)?;
        let (reply, done) = oneshot::channel();
        let call = FunctionJob { apply: Some(apply), outcome: Err(LogError::Closed), reply, room };
        self.send(WriterMessage::Write(Box::new(call))).await?;
        done.await.unwrap_or(Err(LogError::Closed))
    }

    /// Runs `read` on a blocking thread, in one read transaction.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, LogError> + Send + 'static,
    ) -> Result<T, LogError> {
        self.check_lost()?;
        let found = self.shared.readers.read(read).await;
        // What was read while the log was lost may be another log's.
        self.check_lost()?;
        found
    }

    async fn send(&self, message: WriterMessage) -> Result<(), LogError> {
        let messages = self.shared.messages.as_ref().ok_or(LogError::Closed)?;
        messages.send(message).await.map_err(|_| LogError::Closed)
    }
}
