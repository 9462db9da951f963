//! What the writer does while no job waits for it: it indexes new events, removes what was deleted, and moves
//! the write-ahead log into the database.

use std::time::Duration;

use rusqlite::Connection;
use tokio::time::Instant;

use super::{LogError, purge, search};

/// After this long without anything to write, chores are done.
const QUIET: Duration = Duration::from_millis(50);
/// Chores that have waited this long are done although there is something to write.
const LATEST: Duration = Duration::from_secs(1);
/// So are they if this many events are not indexed.
const BACKLOG: u64 = 50_000;
/// How long a chore that failed is left alone. What it failed for, a full disk mostly, those who append
/// are notified of.
const AFTER_FAILURE: Duration = Duration::from_secs(5);
/// How long a step takes at most. It ends sooner if a job waits to be written.
const STEP: Duration = Duration::from_millis(20);
/// After this many commits the write-ahead log is moved into the database, which waits for the disk. Some
/// commits are large: without an idle period the writer does it at a size.
const CHECKPOINT: u32 = 128;

/// What there is to do, and when.
#[derive(Debug)]
pub(super) struct Chores {
    /// How many events are not indexed.
    unindexed: u64,
    /// Whether sessions were deleted.
    deleted: bool,
    /// How many commits the write-ahead log has about.
    commits: u32,
    /// When they are done if it stays quiet, and when in any case.
    due: Option<(Instant, Instant)>,
}

/// When a step of a chore has to end.
pub(super) struct ChoreStep<'a> {
    end: Instant,
    job_waits: &'a dyn Fn() -> bool,
}

impl<'a> ChoreStep<'a> {
    /// Another one of the same length.
    fn again(&self) -> ChoreStep<'a> {
        ChoreStep { end: Instant::now() + STEP, job_waits: self.job_waits }
    }

    /// Whether it is enough. A step that has hardly begun continues although a job waits: otherwise those
    /// who write without a pause would keep the chores from getting anywhere.
    pub(super) fn is_over(&self, done: usize) -> bool {
        const FEW: usize = 16;
        Instant::now() >= self.end || done >= FEW && (self.job_waits)()
    }
}

impl Chores {
    /// Finds out what was left over.
    pub(super) fn new(connection: &Connection) -> Result<Self, LogError> {
        search::reset_if_outdated(connection)?;
        let mut chores = Chores { unindexed: 0, deleted: false, commits: 0, due: None };
        chores.find(connection, Instant::now())?;
        Ok(chores)
    }

    /// When they are done if nothing else comes.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due.map(|(quiet, _)| quiet)
    }

    /// Whether they can't wait.
    pub(super) fn are_overdue(&self, now: Instant) -> bool {
        self.due.is_some_and(|(quiet, latest)| now >= latest || self.unindexed >= BACKLOG && now >= quiet)
    }

    /// Looks for something to do after something was written.
    pub(super) fn look(&mut self, connection: &Connection, now: Instant) {
        self.commits = self.commits.saturating_add(1);
        // If this fails, the next write fails too and reports it.
        let _ = self.find(connection, now);
    }

    fn find(&mut self, connection: &Connection, now: Instant) -> Result<(), LogError> {
        self.unindexed = search::unindexed(connection)?;
        self.deleted = purge::is_needed(connection)?;
        let latest = self.due.map_or(now + LATEST, |(_, latest)| latest);
        let quiet = if self.unindexed >= BACKLOG { now } else { now + QUIET };
        let any = self.unindexed > 0 || self.deleted || self.commits >= CHECKPOINT;
        self.due = any.then_some((quiet, latest));
        Ok(())
    }

    /// Does a step.
    pub(super) fn do_some(&mut self, connection: &Connection, job_waits: impl Fn() -> bool) {
        let step = ChoreStep { end: Instant::now() + STEP, job_waits: &job_waits };
        let done = self.step(connection, &step);
        let now = Instant::now();
        self.due = None;
        if done.and_then(|()| self.find(connection, now)).is_err() {
            self.due = Some((now + AFTER_FAILURE, now + AFTER_FAILURE));
        } else if let Some((quiet, _)) = &mut self.due {
            // There is more, and no job waits: no reason to pause.
            *quiet = now;
        }
    }

    /// Does everything.
    pub(super) fn do_all(&mut self, connection: &Connection) -> Result<(), LogError> {
        self.find(connection, Instant::now())?;
        while self.due.is_some() {
            self.step(connection, &ChoreStep { end: Instant::now() + STEP, job_waits: &|| false })?;
            self.due = None;
            self.find(connection, Instant::now())?;
        }
        Ok(())
    }

    /// Moves the write-ahead log into the database.
    pub(super) fn checkpoint(&mut self, connection: &Connection) -> Result<(), LogError> {
        connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", (), |_| Ok(()))?;
        self.commits = 0;
        Ok(())
    }

    fn step(&mut self, connection: &Connection, step: &ChoreStep<'_>) -> Result<(), LogError> {
        if self.unindexed == 0 && !self.deleted {
            return self.checkpoint(connection);
        }
        let transaction = connection.unchecked_transaction()?;
        if self.unindexed > 0 {
            search::index(&transaction, step)?;
        }
        if self.deleted {
            purge::purge(&transaction, &step.again())?;
        }
        transaction.commit()?;
        self.commits = self.commits.saturating_add(1);
        Ok(())
    }
}
