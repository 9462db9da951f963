//! One call: attempts until an answer is complete or it fails for good.

use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::json::Raw;
use aqueduct_wire::usage::Usage;
use hyper::body::Bytes;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use reqwest::{Response, StatusCode};
use tokio::sync::mpsc::Sender;
use tokio::time::{sleep, timeout};

use super::answer::Answer;
use super::{Endpoint, Shared, transport};
use crate::error::{Error, ErrorKind};
use crate::price::Counts;
use crate::request::Request;
use crate::retry::{self, Advice, LONGEST_WAIT};
use crate::sse::Parser;
use crate::stream::{Event, Retry};

/// How much of an answer that is an error, or a count, is read.
const BODY_LIMIT: usize = 1024 * 1024;

/// How long the end of a complete answer is waited for. A connection can be used again only after it.
const LAST_BYTES: Duration = Duration::from_millis(100);

const RATE_LIMITS: &str = "anthropic-ratelimit-";

/// Where events go.
type Events = Sender<Result<Event, Error>>;

/// Why an attempt ended before the answer was complete.
enum Ended {
    /// It failed.
    Failed(Box<Failure>),
    /// Nobody waits for the answer any more.
    Unheard,
}

/// An attempt that failed.
struct Failure {
    error: Error,
    /// Whether another attempt may do better.
    passes: bool,
    /// How long to wait before it, as the server says.
    after: Option<Duration>,
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        Ended::Failed(Box::new(failure))
    }
}

impl Failure {
    fn new(error: Error, passes: bool) -> Self {
        Failure { error, passes, after: None }
    }

    /// How long to wait before the next attempt; the error where there shall be none.
    fn delay(self, attempt: u32, endpoint: &Endpoint) -> Result<(Duration, Error), Error> {
        let mut error = self.error;
        if !self.passes || error.streamed {
            return Err(error);
        }
        if let Some(wait) = self.after.filter(|wait| *wait > LONGEST_WAIT) {
            let seconds = wait.as_secs();
            error
                .message
                .push_str(&format!(" The server asks to wait {seconds} seconds before the next attempt."));
            return Err(error);
        }
        if attempt > endpoint.max_retries {
            if attempt > 1 {
                error.message.push_str(&format!(" All {attempt} attempts failed."));
            }
            return Err(error);
        }
        let delay = self.after.unwrap_or_else(|| endpoint.backoff.delay(attempt, fastrand::f64()));
        Ok((delay, error))
    }
}

/// Makes the call and tells what happens.
pub(super) async fn run(shared: Arc<Shared>, request: Request, events: Events) {
    let call = match Call::new(&shared, &request) {
        Ok(call) => call,
        Err(error) => return tell(&events, Err(error)).await.unwrap_or(()),
    };
    // The conversation is in the body now; a long one need not be kept twice while the answer streams.
    drop(request);
    let mut attempt = 1;
    loop {
        let failure = match call.attempt(&events).await {
            Ok(()) | Err(Ended::Unheard) => return,
            Err(Ended::Failed(failure)) => failure,
        };
        let (delay, error) = match failure.delay(attempt, &shared.endpoint) {
            Ok(again) => again,
            Err(error) => return tell(&events, Err(error)).await.unwrap_or(()),
        };
        let max_retries = shared.endpoint.max_retries;
        let retry = Retry { attempt, max_retries, delay, status: error.status, kind: error.kind };
        if tell(&events, Ok(Event::Retry(retry))).await.is_err() {
            return;
        }
        sleep(delay).await;
        attempt += 1;
    }
}

/// Asks for the size of a prompt, once.
pub(super) async fn count_tokens(shared: &Shared, request: &Request) -> Result<u64, Error> {
    let endpoint = &shared.endpoint;
    let sent = shared
        .http()?
        .post(format!("{}/v1/messages/count_tokens", endpoint.base()))
        .headers(endpoint.call_headers(request.beta_header().as_deref())?)
        .header(CONTENT_TYPE, "application/json")
        .body(request.to_count_json())
        .send();
    let mut response = match timeout(endpoint.silence, sent).await {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => return Err(Error::new(ErrorKind::Connection, &transport::reason(&error))),
        Err(_) => return Err(Error::new(ErrorKind::Stalled, "no answer came")),
    };
    let body = read_body(&mut response, endpoint.silence).await;
    if response.status() != StatusCode::OK {
        return Err(refused(&response, &body));
    }
    let tokens = Raw::parse(&body).ok().and_then(|raw| {
        let usage = raw.view::<Usage<'_>>()?;
        usage.input_tokens.is_some().then(|| Counts::of(&usage).input_tokens)
    });
    tokens.ok_or_else(|| Error::new(ErrorKind::Server, "its answer holds no count"))
}

/// What every attempt of a call sends.
struct Call<'s> {
    endpoint: &'s Endpoint,
    http: &'s reqwest::Client,
    url: String,
    headers: HeaderMap,
    body: Bytes,
}

impl<'s> Call<'s> {
    fn new(shared: &'s Shared, request: &Request) -> Result<Self, Error> {
        let endpoint = &shared.endpoint;
        let mut headers = endpoint.call_headers(request.beta_header().as_deref())?;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        Ok(Call {
            endpoint,
            http: shared.http()?,
            url: format!("{}/v1/messages", endpoint.base()),
            headers,
            body: Bytes::from(request.to_json()),
        })
    }

    async fn attempt(&self, events: &Events) -> Result<(), Ended> {
        let mut response = self.send().await?;
        let request_id = header(&response, "request-id").map(str::to_owned);
        if response.status() != StatusCode::OK {
            return Err(self.refusal(response).await);
        }
        let kind = header(&response, CONTENT_TYPE.as_str()).unwrap_or_default();
        if !kind.is_empty() && !kind.to_ascii_lowercase().starts_with("text/event-stream") {
            let message = format!(
                "the server answers with {kind} instead of a stream. Check that ANTHROPIC_BASE_URL is a Messages API."
            );
            return Err(Failure::new(Error::plain(ErrorKind::Server, message), false).into());
        }
        let accepted =
            Event::Accepted { request_id: request_id.clone(), rate_limits: rate_limits(response.headers()) };
        tell(events, Ok(accepted)).await?;
        self.read(&mut response, events).await.map_err(|ended| match ended {
            Ended::Failed(mut failure) => {
                failure.error.request_id = failure.error.request_id.or(request_id);
                Ended::Failed(failure)
            }
            Ended::Unheard => Ended::Unheard,
        })
    }

    async fn send(&self) -> Result<Response, Ended> {
        let request = self.http.post(&self.url).headers(self.headers.clone()).body(self.body.clone());
        match timeout(self.endpoint.patience, request.send()).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => {
                // An address that makes no sense will make none the next time.
                let passes = !error.is_builder();
                Err(Failure::new(Error::new(ErrorKind::Connection, &transport::reason(&error)), passes)
                    .into())
            }
            Err(_) => {
                let detail = format!("no answer within {} seconds", self.endpoint.patience.as_secs());
                Err(Failure::new(Error::new(ErrorKind::Stalled, &detail), true).into())
            }
        }
    }

    /// An answer that is no stream.
    async fn refusal(&self, mut response: Response) -> Ended {
        let body = read_body(&mut response, self.endpoint.silence).await;
        let error = refused(&response, &body);
        let advice = Advice::read(|name| header(&response, name));
        let hopeless = matches!(error.kind, ErrorKind::Billing | ErrorKind::ContextTooLong);
        let passes = advice.should_retry.unwrap_or(!hopeless && retry::passes(response.status().as_u16()));
        Failure { error, passes, after: advice.after }.into()
    }

    /// Reads the stream and passes its events on.
    async fn read(&self, response: &mut Response, events: &Events) -> Result<(), Ended> {
        let mut parser = Parser::default();
        let mut answer = Answer::default();
        let mut ready = Vec::new();
        while !answer.complete() {
            let chunk = self.chunk(response).await.map_err(|error| broken(error, &answer))?;
            let mut piece = &chunk[..];
            while !answer.complete() {
                let message = parser
                    .next(&mut piece)
                    .map_err(|error| broken(Error::new(ErrorKind::Server, &error.to_string()), &answer))?;
                let Some(message) = message else { break };
                let taken = answer.take(message, &mut ready);
                for line in ready.drain(..) {
                    tell(events, Ok(Event::Stream(line))).await?;
                }
                taken.map_err(|error| broken(error, &answer))?;
            }
        }
        // What follows is the end of the body; if it does not come, the connection is not used again.
        let _ = timeout(LAST_BYTES, async { while let Ok(Some(_)) = response.chunk().await {} }).await;
        Ok(())
    }

    /// The next bytes of the stream.
    async fn chunk(&self, response: &mut Response) -> Result<Bytes, Error> {
        match timeout(self.endpoint.silence, response.chunk()).await {
            Ok(Ok(Some(chunk))) => Ok(chunk),
            Ok(Ok(None)) => Err(Error::new(ErrorKind::Connection, "the answer ended before it was complete")),
            Ok(Err(error)) => {
                let detail = format!("the answer broke off: {}", transport::reason(&error));
                Err(Error::new(ErrorKind::Connection, &detail))
            }
            Err(_) => {
                let detail = format!("nothing came for {} seconds", self.endpoint.silence.as_secs());
                Err(Error::new(ErrorKind::Stalled, &detail))
            }
        }
    }
}

/// A stream that did not come to its end.
fn broken(error: Error, answer: &Answer) -> Ended {
    let passes = match error.name.as_deref() {
        Some(name) => matches!(name, "overloaded_error" | "api_error" | "rate_limit_error" | "timeout_error"),
        None => matches!(error.kind, ErrorKind::Connection | ErrorKind::Stalled),
    };
    Failure::new(Error { streamed: answer.streamed(), ..error }, passes).into()
}

/// The error that an answer is.
fn refused(response: &Response, body: &str) -> Error {
    let status = response.status();
    let mut error = match header(response, LOCATION.as_str()).filter(|_| status.is_redirection()) {
        Some(place) => {
            let message =
                format!("the API has moved to {place} ({status}). Set ANTHROPIC_BASE_URL to where it is.");
            Error { status: Some(status.as_u16()), ..Error::plain(ErrorKind::NotFound, message) }
        }
        None => Error::told(Some(status.as_u16()), body),
    };
    error.request_id = header(response, "request-id").map(str::to_owned).or(error.request_id);
    error
}

/// The body as text, as far as it comes and is wanted.
async fn read_body(response: &mut Response, silence: Duration) -> String {
    let mut body = Vec::new();
    while let Ok(Ok(Some(chunk))) = timeout(silence, response.chunk()).await {
        let room = BODY_LIMIT.saturating_sub(body.len());
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() >= room {
            break;
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}

fn header<'r>(response: &'r Response, name: &str) -> Option<&'r str> {
    response.headers().get(name)?.to_str().ok()
}

fn rate_limits(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |value: &HeaderValue| value.to_str().ok().map(str::to_owned);
    let limits = headers.iter().filter(|(name, _)| name.as_str().starts_with(RATE_LIMITS));
    limits.filter_map(|(name, value)| Some((name.as_str().to_owned(), text(value)?))).collect()
}

/// Passes an event on, as soon as there is room for it.
async fn tell(events: &Events, event: Result<Event, Error>) -> Result<(), Ended> {
    events.send(event).await.map_err(|_| Ended::Unheard)
}
