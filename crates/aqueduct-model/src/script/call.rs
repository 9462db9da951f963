//! A call of the scripted model in process: what a client would make of its answers.

use std::time::Duration;

use aqueduct_wire::event::StreamEvent;
use tokio::sync::mpsc::Sender;
use tokio::time::sleep;

use super::failure::Failure;
use super::plan::{Answer, Break, Plan};
use super::play::{Moment, to_json};
use super::scripted::Scripted;
use crate::error::{Error, ErrorKind};
use crate::request::Request;
use crate::stream::{Event, Retry, Stream};

/// How often a call is made again, and how much longer than the first the last wait is at most.
const MAX_RETRIES: u32 = 10;
const MAX_DOUBLINGS: u32 = 6;

/// How long a stream that has stalled is waited for.
const STALL: Duration = Duration::from_secs(60);

/// What the API says of its limits with an answer, as headers.
pub(crate) const RATE_LIMITS: [(&str, &str); 3] = [
    ("anthropic-ratelimit-unified-status", "allowed"),
    ("anthropic-ratelimit-unified-reset", "1893456000"),
    ("anthropic-ratelimit-unified-representative-claim", "five_hour"),
];

impl Scripted {
    /// Answers a request. Failures that pass are tried again, as over HTTP.
    pub fn stream(&self, request: Request) -> Stream {
        let call = Call { scripted: self.clone(), request };
        Stream::spawn(|events| async move {
            // A reader that went away wants nothing more.
            let _ = call.make(&events).await;
        })
    }
}

/// The reader of the events went away.
struct Gone;

struct Call {
    scripted: Scripted,
    request: Request,
}

impl Call {
    async fn make(self, events: &Sender<Result<Event, Error>>) -> Result<(), Gone> {
        for attempt in 1.. {
            let request_id = self.scripted.request_id();
            let (error, delay) = match self.scripted.answer(&self.request) {
                Answer::Message(plan) => match play(plan, &request_id, events).await? {
                    None => return Ok(()),
                    Some(error) => (error, None),
                },
                Answer::Failure(failure, wait) => {
                    sleep(wait).await;
                    let (is_passing, delay) = (failure.is_passing(), failure.retry_after);
                    let error = failure.into_error(Some(request_id), false);
                    if !is_passing {
                        return send(events, Err(error)).await;
                    }
                    (error, delay)
                }
            };
            if attempt > MAX_RETRIES || error.streamed {
                return send(events, Err(error)).await;
            }
            let doubled = self.scripted.retry_delay * (1 << (attempt - 1).min(MAX_DOUBLINGS));
            let delay = delay.unwrap_or(doubled);
            let retry =
                Retry { attempt, max_retries: MAX_RETRIES, delay, status: error.status, kind: error.kind };
            send(events, Ok(Event::Retry(retry))).await?;
            sleep(delay).await;
        }
        Ok(())
    }
}

/// Sends the events of a message, and gives the error that broke it. What begins a message is held back until
/// there is more of it, so that a call that broke before can be made again.
async fn play(
    plan: Plan,
    request_id: &str,
    events: &Sender<Result<Event, Error>>,
) -> Result<Option<Error>, Gone> {
    if !plan.wait.is_zero() {
        // Timers go by milliseconds: even no time at all would take one.
        sleep(plan.wait).await;
    }
    let rate_limits = RATE_LIMITS.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let accepted =
        Event::Accepted { request_id: Some(request_id.to_owned()), rate_limits: rate_limits.to_vec() };
    let mut held = vec![accepted];
    let mut streamed = false;
    for moment in plan.play() {
        match moment {
            Moment::Say(event) => {
                let opens = matches!(event, StreamEvent::MessageStart(_) | StreamEvent::Ping(_));
                held.push(Event::Stream(to_json(&event)));
                if !opens {
                    streamed = true;
                    for event in held.drain(..) {
                        send(events, Ok(event)).await?;
                    }
                }
            }
            Moment::Pause(pause) => sleep(pause).await,
            Moment::Break(how) => return Ok(Some(broken(how, request_id, streamed).await)),
        }
    }
    Ok(None)
}

/// The error that a client sees in a broken stream.
async fn broken(how: Break, request_id: &str, streamed: bool) -> Error {
    let request_id = Some(request_id.to_owned());
    let (kind, message) = match how {
        Break::Error(name) => return Failure::named(&name).into_error(request_id, streamed),
        Break::Drop => {
            (ErrorKind::Connection, "the connection was cut in the middle of the answer; try again")
        }
        Break::Stall => {
            sleep(STALL).await;
            (ErrorKind::Stalled, "the answer stopped coming; try again")
        }
    };
    Error { kind, status: None, name: None, message: message.to_owned(), said: None, request_id, streamed }
}

async fn send(events: &Sender<Result<Event, Error>>, event: Result<Event, Error>) -> Result<(), Gone> {
    events.send(event).await.map_err(|_| Gone)
}
