//! Attempts of a call, until an answer is complete or it fails for good.

use std::time::Duration;

use tokio::sync::mpsc::Sender;
use tokio::time::sleep;

use crate::answer::AnswerStage;
use crate::error::{Error, ErrorKind};
use crate::retry::{self, Backoff, LONGEST_WAIT};
use crate::stream::{ModelEvent, RetryNotice};

/// Where events go.
pub(crate) type EventSender = Sender<Result<ModelEvent, Error>>;

/// Something that can be tried several times.
pub(crate) trait RetryableCall: Send + Sync {
    /// Tries it once. Events go out as they come.
    fn attempt(&self, events: &EventSender) -> impl Future<Output = Result<(), AttemptEnd>> + Send;
}

/// How often to try, and how long to wait in between.
pub(crate) struct RetryPolicy {
    /// How often a call is made again.
    pub(crate) max_retries: u32,
    /// How long to wait if the server sets no time.
    pub(crate) backoff: Backoff,
    /// From 0 to 1, a new one for each wait.
    pub(crate) jitter: fn() -> f64,
}

/// Why an attempt ended before the answer was complete.
pub(crate) enum AttemptEnd {
    /// It failed.
    Failed(Box<FailedAttempt>),
    /// The answer is not awaited any more.
    Abandoned,
}

/// An attempt that failed.
pub(crate) struct FailedAttempt {
    pub(crate) error: Error,
    /// Whether another attempt may do better.
    pub(crate) passes: bool,
    /// How long to wait before it, as the server requests.
    pub(crate) after: Option<Duration>,
    /// Hosts are not notified of another attempt.
    pub(crate) is_quiet: bool,
}

impl From<FailedAttempt> for AttemptEnd {
    fn from(setback: FailedAttempt) -> Self {
        AttemptEnd::Failed(Box::new(setback))
    }
}

impl FailedAttempt {
    /// Without a word from the server on when to come back.
    pub(crate) fn new(error: Error, passes: bool) -> Self {
        FailedAttempt { error, passes, after: None, is_quiet: false }
    }

    /// An answer that is a status and an error.
    pub(crate) fn refusal(error: Error, after: Option<Duration>) -> Self {
        let hopeless = matches!(error.kind, ErrorKind::Billing | ErrorKind::ContextTooLong);
        let passes = !hopeless && error.status.is_some_and(retry::passes);
        FailedAttempt { error, passes, after, is_quiet: false }
    }

    /// A stream that broke off. Complete blocks can't be repeated; until the first one, another
    /// attempt is made. Hosts are notified if the connection failed, and not if the server reported the error
    /// in the stream.
    pub(crate) fn in_stream(error: Error, progress: AnswerStage) -> Self {
        let passes = match error.name.as_deref() {
            Some(name) => {
                matches!(name, "overloaded_error" | "api_error" | "rate_limit_error" | "timeout_error")
            }
            None => matches!(error.kind, ErrorKind::Connection | ErrorKind::Stalled),
        };
        let is_quiet = error.name.is_some() || progress == AnswerStage::Thought;
        let streamed = progress == AnswerStage::Answered;
        FailedAttempt { is_quiet, ..FailedAttempt::new(Error { streamed, ..error }, passes) }
    }

    /// How long to wait before the next attempt; the error where there shall be none.
    fn delay(self, attempt: u32, policy: &RetryPolicy) -> Result<(Duration, Error), Error> {
        let mut error = self.error;
        if !self.passes || error.streamed {
            return Err(error);
        }
        if let Some(wait) = self.after.filter(|wait| *wait > LONGEST_WAIT) {
            let seconds = wait.as_secs();
            error
                .message
                .push_str(&format!("; the server asks to wait {seconds} seconds before the next attempt"));
            return Err(error);
        }
        if attempt > policy.max_retries {
            if attempt > 1 {
                error.message.push_str(&format!("; all {attempt} attempts failed"));
            }
            return Err(error);
        }
        let delay = self.after.unwrap_or_else(|| policy.backoff.delay(attempt, (policy.jitter)()));
        Ok((delay, error))
    }
}

/// Makes the call and reports its events.
pub(crate) async fn run(call: &impl RetryableCall, policy: &RetryPolicy, events: &EventSender) {
    let mut attempt = 1;
    loop {
        let setback = match call.attempt(events).await {
            Ok(()) | Err(AttemptEnd::Abandoned) => return,
            Err(AttemptEnd::Failed(setback)) => setback,
        };
        let is_quiet = setback.is_quiet;
        let (delay, error) = match setback.delay(attempt, policy) {
            Ok(again) => again,
            Err(error) => return send_event(events, Err(error)).await.unwrap_or(()),
        };
        let max_retries = policy.max_retries;
        let retry =
            RetryNotice { attempt, max_retries, delay, status: error.status, kind: error.kind, is_quiet };
        if send_event(events, Ok(ModelEvent::Retry(retry))).await.is_err() {
            return;
        }
        sleep(delay).await;
        attempt += 1;
    }
}

/// Passes an event on, as soon as there is room for it.
pub(crate) async fn send_event(
    events: &EventSender,
    event: Result<ModelEvent, Error>,
) -> Result<(), AttemptEnd> {
    events.send(event).await.map_err(|_| AttemptEnd::Abandoned)
}
