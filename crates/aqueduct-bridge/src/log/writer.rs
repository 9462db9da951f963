//! The one thread that writes.

use std::sync::Arc;
use std::{io, thread};

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tokio::runtime::{self, Runtime};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, timeout_at};

use super::LogError;
use super::chores::Chores;
use super::files::{LogFiles, Loss};
use super::job::WriteJob;
use super::lock::DataLock;
use super::measure::LogMetrics;

/// How many messages wait for the writer. Who comes then, waits before the queue. As many jobs are committed
/// together at most.
pub(super) const QUEUE: usize = 256;
/// How many bytes the jobs in the queue hold together. A larger job has the queue for itself.
pub(super) const QUEUE_BYTES: u32 = 8 << 20;

/// The write-ahead log is moved into the database when it has this many bytes and no idle period came for it
/// before.
const CHECKPOINT_BYTES: u64 = 16 << 20;

/// What comes to the writer.
pub(super) enum WriterMessage {
    /// Something to write.
    Write(Box<dyn WriteJob>),
    /// All chores are to be done now.
    Settle(oneshot::Sender<Result<(), LogError>>),
    /// The database is to be closed. Answered when it is, and when the lock is gone.
    Close(oneshot::Sender<()>),
}

/// What the thread works with.
pub(super) struct LogWriter {
    connection: Connection,
    files: LogFiles,
    messages: mpsc::Receiver<WriterMessage>,
    /// A message that came while a group was being gathered and is not part of it.
    held: Option<WriterMessage>,
    chores: Chores,
    /// Only wakes the thread when chores are due.
    clock: Runtime,
    lock: DataLock,
    /// Reports to every holder of the log that it is lost.
    lost: watch::Sender<Option<LogError>>,
    metrics: Arc<LogMetrics>,
}

enum Next {
    Message(WriterMessage),
    Quiet,
    Closed,
}

impl LogWriter {
    /// Starts the thread. It ends after [`WriterMessage::Close`], or when all senders are dropped.
    pub(super) fn start(
        connection: Connection,
        mut files: LogFiles,
        lock: DataLock,
        lost: watch::Sender<Option<LogError>>,
        metrics: Arc<LogMetrics>,
    ) -> Result<(mpsc::Sender<WriterMessage>, thread::JoinHandle<()>), LogError> {
        let unexpected = |error: io::Error| LogError::Unexpected { detail: error.to_string() };
        let chores = Chores::new(&connection)?;
        files.after_commit().map_err(Loss::into_error)?;
        let clock = runtime::Builder::new_current_thread().enable_time().build().map_err(unexpected)?;
        let (sender, messages) = mpsc::channel(QUEUE);
        let writer =
            LogWriter { connection, files, messages, held: None, chores, clock, lock, lost, metrics };
        let thread = thread::Builder::new().name("event log".to_owned());
        Ok((sender, thread.spawn(|| writer.run()).map_err(unexpected)?))
    }

    fn run(mut self) {
        let mut closing = None;
        loop {
            if self.chores.are_overdue(Instant::now()) && !self.is_lost() {
                self.do_some_chores();
            }
            match self.next() {
                Next::Message(WriterMessage::Write(job)) => self.write(job),
                Next::Message(WriterMessage::Settle(reply)) => {
                    let done = self.checked(
                        |writer| writer.chores.do_all(&writer.connection),
                        LogFiles::after_checkpoint,
                    );
                    let _ = reply.send(done);
                }
                Next::Message(WriterMessage::Close(reply)) => {
                    // Those that are in the queue still have their turn.
                    self.messages.close();
                    closing = Some(reply);
                }
                Next::Quiet => self.do_some_chores(),
                Next::Closed => break,
            }
        }
        // The lock is released last: its next holder finds a closed database.
        drop(self.connection);
        drop(self.lock);
        if let Some(reply) = closing {
            let _ = reply.send(());
        }
    }

    fn next(&mut self) -> Next {
        if let Some(message) = self.held.take() {
            return Next::Message(message);
        }
        let message = match self.chores.due().filter(|_| !self.is_lost()) {
            None => self.messages.blocking_recv(),
            Some(due) => match self.clock.block_on(async { timeout_at(due, self.messages.recv()).await }) {
                Ok(message) => message,
                Err(_) => return Next::Quiet,
            },
        };
        message.map_or(Next::Closed, Next::Message)
    }

    fn do_some_chores(&mut self) {
        // If it fails, the next write fails too and reports it.
        let _ = self.checked(
            |writer| {
                let messages = &writer.messages;
                writer.chores.do_some(&writer.connection, || !messages.is_empty());
                Ok(())
            },
            LogFiles::after_checkpoint,
        );
    }

    fn is_lost(&self) -> bool {
        self.lost.borrow().is_some()
    }

    /// Does something, if the log's files are those of the data folder, before and after: else it fails, also if it
    /// was done, and so does everything from then on.
    fn checked<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, LogError>,
        after: impl FnOnce(&mut LogFiles) -> Result<(), Loss>,
    ) -> Result<T, LogError> {
        if let Some(lost) = self.lost.borrow().clone() {
            return Err(lost);
        }
        self.files.before().map_err(|loss| self.give_up(loss))?;
        let done = work(self);
        after(&mut self.files).map_err(|loss| self.give_up(loss))?;
        done
    }

    /// The log is lost: nothing is written any more.
    fn give_up(&self, loss: Loss) -> LogError {
        if let Loss::Beside(_) = loss {
            // The database is as it was, and what was acknowledged is in files without a name: it is saved from them.
            // If that fails, it is lost with them.
            let _ = self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", (), |_| Ok(()));
        }
        // Closing would change files that are another program's work by now. It can't fail on an open database.
        let _ = self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        let error = loss.into_error();
        self.lost.send_replace(Some(error.clone()));
        error
    }

    /// Commits a job together with those that already wait behind it, and only then answers the callers.
    fn write(&mut self, first: Box<dyn WriteJob>) {
        let mut group = Vec::new();
        let mut first = Some(first);
        self.metrics.queue.record(1 + self.messages.len() as u64);
        let begun = std::time::Instant::now();
        let committed = self.checked(
            |writer| {
                let done = first.take().map_or(Ok(()), |first| writer.run_group(first, &mut group));
                if !writer.connection.is_autocommit() {
                    // It fails only where there is nothing to take back.
                    let _ = writer.connection.execute_batch("ROLLBACK");
                }
                done
            },
            LogFiles::after_commit,
        );
        group.extend(first);
        self.metrics.commit.record_time(begun.elapsed());
        if let Err(error) = committed {
            self.metrics.failed.add(1);
            group.iter_mut().for_each(|job| job.fail(&error));
        }
        group.into_iter().for_each(WriteJob::finish);
        if self.is_lost() {
            return;
        }
        self.chores.look(&self.connection, Instant::now());
        if self.files.wal_size() >= CHECKPOINT_BYTES {
            // Callers that append are notified of what prevents it, usually a full disk.
            let _ = self
                .checked(|writer| writer.chores.checkpoint(&writer.connection), LogFiles::after_checkpoint);
        }
    }

    /// Runs jobs until none waits, and commits. One that fails does so alone; if this fails, all do.
    fn run_group(
        &mut self,
        first: Box<dyn WriteJob>,
        group: &mut Vec<Box<dyn WriteJob>>,
    ) -> Result<(), LogError> {
        let begun = self.execute("BEGIN IMMEDIATE");
        let mut next = Some(first);
        while let Some(mut job) = next.take() {
            let done = begun.clone().and_then(|()| self.run_alone(&mut *job));
            group.push(job);
            match done {
                // Some errors, such as a full disk, make SQLite take back the whole transaction.
                Err(error) if self.connection.is_autocommit() => return Err(error),
                _ if group.len() < QUEUE => next = self.next_of_group(),
                _ => {}
            }
        }
        self.execute("COMMIT")
    }

    fn next_of_group(&mut self) -> Option<Box<dyn WriteJob>> {
        match self.messages.try_recv() {
            Ok(WriterMessage::Write(job)) => Some(job),
            Ok(other) => {
                self.held = Some(other);
                None
            }
            Err(_) => None,
        }
    }

    /// Runs a job so that nothing of it stays if it fails.
    fn run_alone(&self, job: &mut dyn WriteJob) -> Result<(), LogError> {
        self.execute("SAVEPOINT job")?;
        let done = job.run(&self.connection);
        if !self.connection.is_autocommit() {
            if done.is_err() {
                self.execute("ROLLBACK TO job")?;
            }
            self.execute("RELEASE job")?;
        }
        done
    }

    fn execute(&self, sql: &str) -> Result<(), LogError> {
        self.connection.prepare_cached(sql)?.execute(())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::log::{Append, Log, LogError, NewEvent, NewSession, PageLimits, PagePosition, Time};

    const NOW: Time = Time(1_750_000_000_000);

    fn note(bytes: usize) -> Append {
        Append::new(NOW).event(NewEvent::new("note", format!("\"{}\"", "x".repeat(bytes))))
    }

    async fn set(log: &Log, pragma: &'static str, value: i64) {
        log.write(0, move |connection| Ok(connection.pragma_update(None, pragma, value)?)).await.unwrap();
    }

    #[tokio::test]
    async fn a_full_database_fails_by_name_and_works_again() {
        let folder = tempfile::tempdir().unwrap();
        let log = Log::open(&folder.path().join("data")).unwrap();
        log.create_session(NewSession::new("a", "/proj", "builtin", "idle"), note(1)).await.unwrap();
        set(&log, "max_page_count", 100).await;
        // Those that came together fail together, if SQLite takes the whole transaction back.
        let (small, large) = tokio::join!(log.append("a", note(10)), log.append("a", note(1 << 20)));
        assert_eq!(large.unwrap_err(), LogError::Full);
        let stored = 1 + u64::from(small.is_ok());
        let page =
            log.page("a", PagePosition::Newest, PageLimits { count: 9, bytes: 1 << 30 }).await.unwrap();
        assert_eq!((page.last_seq, page.events.len() as u64), (stored, stored));
        set(&log, "max_page_count", 1_000_000).await;
        assert_eq!(log.append("a", note(1 << 20)).await.unwrap().last_seq, stored + 1);
        assert_eq!(log.check().await.unwrap(), Vec::<String>::new());
    }

    #[tokio::test(start_paused = true)]
    async fn a_stuck_writer_is_not_reached() {
        let folder = tempfile::tempdir().unwrap();
        let log = Log::open(&folder.path().join("data")).unwrap();
        log.reach_writer().await;
        let (begun, begins) = tokio::sync::oneshot::channel();
        let (release, released) = std::sync::mpsc::channel::<()>();
        let stuck = tokio::spawn({
            let log = log.clone();
            async move {
                log.write(0, move |_| {
                    let _ = begun.send(());
                    Ok(released.recv().is_ok())
                })
                .await
            }
        });
        begins.await.unwrap();
        // The clock of the test is advanced when nothing else is left to do.
        let hour = std::time::Duration::from_secs(3600);
        tokio::time::timeout(hour, log.reach_writer()).await.unwrap_err();
        release.send(()).unwrap();
        log.reach_writer().await;
        assert_eq!(stuck.await.unwrap(), Ok(true));
    }

    #[tokio::test]
    async fn a_database_that_may_not_be_written_reports_it_and_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let log = Log::open(&folder.path().join("data")).unwrap();
        log.create_session(NewSession::new("a", "/proj", "builtin", "idle"), note(1)).await.unwrap();
        set(&log, "query_only", 1).await;
        assert_eq!(log.append("a", note(1)).await.unwrap_err(), LogError::ReadOnly);
        assert_eq!(log.session("a").await.unwrap().last_seq, 1);
    }
}
