use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::Failure;
use crate::message::ErrorCode;

/// How many requests about files are worked on at once, by everyone who shares the work. The others wait.
const AT_ONCE: usize = 4;

/// How long one of them may take, its waiting included.
const PATIENCE: Duration = Duration::from_secs(15);

/// Work on files and with other programs: so many at once, each bounded in time, none on the threads that carry sessions.
#[derive(Debug, Clone)]
pub(crate) struct WorkPool {
    permits: Arc<Semaphore>,
}

/// When work has to be over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    fn new() -> Self {
        Deadline(Instant::now() + PATIENCE)
    }

    /// Fails once the time is over.
    pub(crate) fn check(self) -> Result<(), Failure> {
        if Instant::now() < self.0 { Ok(()) } else { Err(too_slow()) }
    }
}

impl WorkPool {
    pub(crate) fn new() -> Self {
        WorkPool { permits: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Does something that blocks. What hangs in spite of its deadline, such as on a dead network drive, keeps its
    /// place: it never takes more than all of them.
    pub(crate) async fn block<T: Send + 'static>(
        &self,
        job: impl FnOnce(Deadline) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let deadline = Deadline::new();
        bounded(async {
            let permit = self.permit().await?;
            aside(move || {
                let _permit = permit;
                job(deadline)
            })
            .await
        })
        .await
    }

    /// Does something that waits for other programs. It is dropped when its time is over.
    pub(crate) async fn wait<T, F: Future<Output = Result<T, Failure>>>(
        &self,
        job: impl FnOnce(Deadline) -> F,
    ) -> Result<T, Failure> {
        let deadline = Deadline::new();
        bounded(async {
            let _permit = self.permit().await?;
            job(deadline).await
        })
        .await
    }

    async fn permit(&self) -> Result<OwnedSemaphorePermit, Failure> {
        Arc::clone(&self.permits).acquire_owned().await.map_err(|_| too_slow())
    }
}

/// Runs something that blocks on a thread for that: a part of work that has its place already.
pub(crate) async fn aside<T: Send + 'static>(
    job: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let done = tokio::task::spawn_blocking(job).await;
    done.unwrap_or_else(|error| Err(Failure::new(ErrorCode::Internal, error.to_string())))
}

async fn bounded<T>(job: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    timeout(PATIENCE, job).await.unwrap_or_else(|_| Err(too_slow()))
}

fn too_slow() -> Failure {
    let message = format!("This took longer than {} seconds and was cancelled", PATIENCE.as_secs());
    Failure::new(ErrorCode::Unavailable, message)
        .sentence("Request a smaller part, or try again when the machine is less busy.")
}
