//! The events of an answer, as they come.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::error::{Error, ErrorKind};

/// How many events wait for a reader before the call does.
pub const EVENTS_AHEAD: usize = 64;

/// How long a stream may be silent, unless an endpoint sets another limit. The API sends pings more often.
pub const SILENCE: Duration = Duration::from_secs(90);

/// Something that happens during a call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ModelEvent {
    /// The call failed in a way that passes; it is made again after the delay. Events of the failed attempt are void:
    /// no block but thinking was complete.
    Retry(RetryNotice),
    /// The server accepted the call; from here on the answer streams. If it breaks off before a block of it is
    /// complete, a retry follows, and this event again.
    Accepted {
        /// The server's name for the call, from the `request-id` header.
        request_id: Option<String>,
        /// The `anthropic-ratelimit-*` headers, by their names in lower case.
        rate_limits: Vec<(String, String)>,
    },
    /// An event of the model's stream: one JSON object in one line, as it came. `error` events never come
    /// here: they end the stream with an [`Error`] or cause a retry. Nor do `ping` events, which have no
    /// content.
    Stream(String),
}

/// A call that is made again.
#[derive(Debug, Clone, PartialEq)]
pub struct RetryNotice {
    /// Which attempt failed, from 1.
    pub attempt: u32,
    /// How often it is tried again at most.
    pub max_retries: u32,
    /// How long until the next attempt.
    pub delay: Duration,
    /// The HTTP status, where there was an answer.
    pub status: Option<u16>,
    /// What failed.
    pub kind: ErrorKind,
    /// Hosts are not notified: the server reported the failure in the stream, or the model had only thought.
    pub is_quiet: bool,
}

/// A call in progress. Dropping it ends the call.
#[derive(Debug)]
pub struct Stream {
    events: mpsc::Receiver<Result<ModelEvent, Error>>,
    task: JoinHandle<()>,
}

impl Stream {
    /// A stream whose events the task made by `work` sends.
    pub(crate) fn spawn<F>(work: impl FnOnce(mpsc::Sender<Result<ModelEvent, Error>>) -> F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (sender, events) = mpsc::channel(EVENTS_AHEAD);
        Stream { events, task: tokio::spawn(work(sender)) }
    }

    /// The next event; `None` when the answer is complete. An error is the last thing that comes. Who waits for
    /// the `None` lets the connection be used again.
    pub async fn next(&mut self) -> Option<Result<ModelEvent, Error>> {
        self.events.recv().await
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.task.abort();
    }
}
