//! The one thread that writes.

use std::{io, thread};

use rusqlite::Connection;
use tokio::runtime::{self, Runtime};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use super::LogError;
use super::chores::Chores;
use super::job::Job;
use super::lock::Lock;

/// How many messages wait for the writer. Who comes then, waits before the queue. As many jobs are committed
/// together at most.
pub(super) const QUEUE: usize = 256;
/// How many bytes the jobs in the queue hold together. A larger job has the queue for itself.
pub(super) const QUEUE_BYTES: u32 = 8 << 20;

/// What comes to the writer.
pub(super) enum Message {
    /// Something to write.
    Write(Box<dyn Job>),
    /// All chores are to be done now.
    Settle(oneshot::Sender<Result<(), LogError>>),
    /// The database is to be closed. Answered when it is, and when the lock is gone.
    Close(oneshot::Sender<()>),
}

/// What the thread works with.
pub(super) struct Writer {
    connection: Connection,
    messages: mpsc::Receiver<Message>,
    /// A message that came while a group was being gathered and was no part of it.
    held: Option<Message>,
    chores: Chores,
    /// Only wakes the thread when chores are due.
    clock: Runtime,
    lock: Lock,
}

enum Next {
    Message(Message),
    Quiet,
    Closed,
}

impl Writer {
    /// Starts the thread. It ends after [`Message::Close`], or when nobody can send any more.
    pub(super) fn start(
        connection: Connection,
        lock: Lock,
    ) -> Result<(mpsc::Sender<Message>, thread::JoinHandle<()>), LogError> {
        let unexpected = |error: io::Error| LogError::Unexpected { detail: error.to_string() };
        let chores = Chores::new(&connection)?;
        let clock = runtime::Builder::new_current_thread().enable_time().build().map_err(unexpected)?;
        let (sender, messages) = mpsc::channel(QUEUE);
        let writer = Writer { connection, messages, held: None, chores, clock, lock };
        let thread = thread::Builder::new().name("event log".to_owned());
        Ok((sender, thread.spawn(|| writer.run()).map_err(unexpected)?))
    }

    fn run(mut self) {
        let mut closing = None;
        loop {
            if self.chores.are_overdue(Instant::now()) {
                self.do_some_chores();
            }
            match self.next() {
                Next::Message(Message::Write(job)) => self.write(job),
                Next::Message(Message::Settle(reply)) => {
                    let _ = reply.send(self.chores.do_all(&self.connection));
                }
                Next::Message(Message::Close(reply)) => {
                    // Those that are in the queue still have their turn.
                    self.messages.close();
                    closing = Some(reply);
                }
                Next::Quiet => self.do_some_chores(),
                Next::Closed => break,
            }
        }
        // The lock goes last: whoever gets it finds a database that is closed.
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
        let message = match self.chores.due() {
            None => self.messages.blocking_recv(),
            Some(due) => match self.clock.block_on(async { timeout_at(due, self.messages.recv()).await }) {
                Ok(message) => message,
                Err(_) => return Next::Quiet,
            },
        };
        message.map_or(Next::Closed, Next::Message)
    }

    fn do_some_chores(&mut self) {
        let messages = &self.messages;
        self.chores.do_some(&self.connection, || !messages.is_empty());
    }

    /// Commits a job together with those that already wait behind it, and only then tells who waits.
    fn write(&mut self, first: Box<dyn Job>) {
        let mut group = Vec::new();
        if let Err(error) = self.run_group(first, &mut group) {
            if !self.connection.is_autocommit() {
                // It fails only where there is nothing to take back.
                let _ = self.connection.execute_batch("ROLLBACK");
            }
            group.iter_mut().for_each(|job| job.fail(&error));
        }
        group.into_iter().for_each(Job::finish);
        self.chores.look(&self.connection, Instant::now());
    }

    /// Runs jobs until none waits, and commits. One that fails does so alone; if this fails, all do.
    fn run_group(&mut self, first: Box<dyn Job>, group: &mut Vec<Box<dyn Job>>) -> Result<(), LogError> {
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

    fn next_of_group(&mut self) -> Option<Box<dyn Job>> {
        match self.messages.try_recv() {
            Ok(Message::Write(job)) => Some(job),
            Ok(other) => {
                self.held = Some(other);
                None
            }
            Err(_) => None,
        }
    }

    /// Runs a job so that nothing of it stays if it fails.
    fn run_alone(&self, job: &mut dyn Job) -> Result<(), LogError> {
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
    use crate::log::{Append, Limits, Log, LogError, NewEvent, NewSession, Place, Time};

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
        let page = log.page("a", Place::Newest, Limits { count: 9, bytes: 1 << 30 }).await.unwrap();
        assert_eq!((page.last_seq, page.events.len() as u64), (stored, stored));
        set(&log, "max_page_count", 1_000_000).await;
        assert_eq!(log.append("a", note(1 << 20)).await.unwrap().last_seq, stored + 1);
        assert_eq!(log.check().await.unwrap(), Vec::<String>::new());
    }

    #[tokio::test]
    async fn a_database_that_may_not_be_written_says_so_and_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let log = Log::open(&folder.path().join("data")).unwrap();
        log.create_session(NewSession::new("a", "/proj", "builtin", "idle"), note(1)).await.unwrap();
        set(&log, "query_only", 1).await;
        assert_eq!(log.append("a", note(1)).await.unwrap_err(), LogError::ReadOnly);
        assert_eq!(log.session("a").await.unwrap().last_seq, 1);
    }
}
