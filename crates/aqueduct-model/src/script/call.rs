//! A call of the scripted model in process: what a client would make of its answers.

use tokio::time::sleep;

use super::failure::ScriptedFailure;
use super::plan::{MessagePlan, ScriptedAnswer, StreamBreak};
use super::play::{PlaybackStep, to_json};
use super::scripted::Scripted;
use crate::answer;
use crate::attempt::{self, AttemptEnd, EventSender, FailedAttempt, RetryPolicy, RetryableCall, send_event};
use crate::error::Error;
use crate::request::Request;
use crate::retry::{Backoff, MAX_RETRIES};
use crate::sse::SseEvent;
use crate::stream::{ModelEvent, SILENCE, Stream};

impl Scripted {
    /// Answers a request. Failures that pass are tried again, as over HTTP.
    pub fn stream(&self, request: Request) -> Stream {
        let call = ScriptedCall { scripted: self.clone(), request };
        let backoff = Backoff { first: self.retry_delay, ..Backoff::default() };
        // No other caller waits for this model: its calls need not be spread.
        let policy = RetryPolicy { max_retries: MAX_RETRIES, backoff, jitter: || 0.0 };
        Stream::spawn(|events| async move { attempt::run(&call, &policy, &events).await })
    }
}

struct ScriptedCall {
    scripted: Scripted,
    request: Request,
}

impl RetryableCall for ScriptedCall {
    async fn attempt(&self, events: &EventSender) -> Result<(), AttemptEnd> {
        let request_id = self.scripted.request_id();
        let mut setback = match self.scripted.answer(&self.request) {
            ScriptedAnswer::Message(plan) => match play(plan, &request_id, events).await {
                Err(AttemptEnd::Failed(setback)) => setback,
                ended => return ended,
            },
            ScriptedAnswer::Failure(failure, wait) => {
                sleep(wait).await;
                let error = Error::reported(Some(failure.status), &failure.to_json());
                Box::new(FailedAttempt::refusal(error, failure.retry_after))
            }
        };
        setback.error.request_id = Some(request_id);
        Err(AttemptEnd::Failed(setback))
    }
}

/// Sends the events of a message.
async fn play(plan: MessagePlan, request_id: &str, events: &EventSender) -> Result<(), AttemptEnd> {
    if !plan.wait.is_zero() {
        // Timers go by milliseconds: even no time at all would take one.
        sleep(plan.wait).await;
    }
    let rate_limits = plan.limits.iter().flat_map(|limits| limits.headers());
    let accepted = ModelEvent::Accepted {
        request_id: Some(request_id.to_owned()),
        rate_limits: rate_limits.map(|(name, value)| (name.to_owned(), value)).collect(),
    };
    send_event(events, Ok(accepted)).await?;
    let mut answer = answer::AnswerProgress::default();
    for time in plan.play() {
        let (name, data) = match time {
            PlaybackStep::Say(event) => (event.tag().to_owned(), to_json(&event)),
            PlaybackStep::Pause(pause) => {
                sleep(pause).await;
                continue;
            }
            PlaybackStep::Break(StreamBreak::Error(name)) => {
                ("error".to_owned(), ScriptedFailure::named(&name).to_json())
            }
            PlaybackStep::Break(StreamBreak::Drop) => {
                let error = Error::broken_off("the script cuts the connection");
                return Err(FailedAttempt::in_stream(error, answer.progress()).into());
            }
            PlaybackStep::Break(StreamBreak::Stall) => {
                sleep(SILENCE).await;
                return Err(FailedAttempt::in_stream(Error::silent(SILENCE), answer.progress()).into());
            }
        };
        let taken = answer.take(SseEvent { name, data, id: None });
        if let Some(line) = taken.map_err(|error| FailedAttempt::in_stream(error, answer.progress()))? {
            send_event(events, Ok(ModelEvent::Stream(line))).await?;
        }
    }
    if answer.complete() {
        Ok(())
    } else {
        Err(FailedAttempt::in_stream(Error::cut_short(), answer.progress()).into())
    }
}
