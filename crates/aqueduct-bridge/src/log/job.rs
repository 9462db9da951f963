use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use super::LogError;

/// A write, and the caller that waits for it.
pub(super) trait WriteJob: Send {
    /// Writes, inside a savepoint of the writer's transaction.
    fn run(&mut self, connection: &Connection) -> Result<(), LogError>;

    /// Whatever it wrote does not count, for this reason.
    fn fail(&mut self, error: &LogError);

    /// Reports the outcome, after the transaction was committed or rolled back.
    fn finish(self: Box<Self>);
}

/// A job made of a function.
pub(super) struct FunctionJob<F, T> {
    /// What writes; taken when it runs.
    pub(super) apply: Option<F>,
    /// What came of it.
    pub(super) outcome: Result<T, LogError>,
    /// Who waits.
    pub(super) reply: oneshot::Sender<Result<T, LogError>>,
    /// The room that it takes in the queue.
    pub(super) room: OwnedSemaphorePermit,
}

impl<F, T> WriteJob for FunctionJob<F, T>
where
    F: FnOnce(&Connection) -> Result<T, LogError> + Send,
    T: Send,
{
    fn run(&mut self, connection: &Connection) -> Result<(), LogError> {
        let Some(apply) = self.apply.take() else { return Ok(()) };
        self.outcome = apply(connection);
        self.outcome.as_ref().map(|_| ()).map_err(LogError::clone)
    }

    fn fail(&mut self, error: &LogError) {
        self.outcome = Err(error.clone());
    }

    fn finish(self: Box<Self>) {
        let FunctionJob { outcome, reply, room, .. } = *self;
        drop(room);
        // The caller may have stopped waiting. What was committed stays.
        let _ = reply.send(outcome);
    }
}
