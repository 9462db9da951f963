//! One call over HTTP.

use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::json::Raw;
use aqueduct_wire::usage::Usage;
use bytes::Bytes;
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use reqwest::{Response, StatusCode, Url};
use tokio::time::timeout;

use super::decode::FramingDecoder;
use super::refusal::{self, header};
use super::service::{Operation, ServiceCredentials};
use super::{Endpoint, ModelClientState, Service, transport};
use crate::answer::AnswerProgress;
use crate::attempt::{self, AttemptEnd, EventSender, FailedAttempt, RetryPolicy, RetryableCall, send_event};
use crate::error::{Error, ErrorKind};
use crate::price::UsageCounts;
use crate::request::Request;
use crate::stream::ModelEvent;

/// How long the end of a complete answer is waited for. A connection can be used again only after it.
const LAST_BYTES: Duration = Duration::from_millis(100);

/// How often a new key is asked for before a refusal counts.
const NEW_KEYS: u32 = 2;

/// How Bedrock streams.
pub(super) const EVENT_STREAM: &str = "application/vnd.amazon.eventstream";

const RATE_LIMITS: &str = "anthropic-ratelimit-";

/// Makes the call and reports its events.
pub(super) async fn run(shared: Arc<ModelClientState>, request: Request, events: EventSender) {
    let call = match HttpCall::new(&shared, &request) {
        Ok(call) => call,
        Err(error) => return send_event(&events, Err(error)).await.unwrap_or(()),
    };
    // The conversation is in the body now; a long one need not be kept twice while the answer streams.
    drop(request);
    let Endpoint { max_retries, backoff, .. } = shared.endpoint;
    attempt::run(&call, &RetryPolicy { max_retries, backoff, jitter: fastrand::f64 }, &events).await;
}

/// Asks for the size of a prompt, once.
pub(super) async fn count_tokens(shared: &ModelClientState, request: &Request) -> Result<u64, Error> {
    let endpoint = &shared.endpoint;
    let service = &endpoint.service;
    let url = service.url(&endpoint.base(request.model_name()), request, Operation::CountTokens)?;
    let mut headers = endpoint.call_headers(service.header_betas(request).as_deref())?;
    let body = service.body(request, Operation::CountTokens);
    shared.credentials.add(endpoint, &url, &mut headers, body.as_bytes()).await?;
    let sent = shared.http(request.model_name())?.post(url).headers(headers).body(body).send();
    let mut response = match timeout(endpoint.silence, sent).await {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => return Err(Error::new(ErrorKind::Connection, &transport::reason(&error))),
        Err(_) => return Err(Error::new(ErrorKind::Stalled, "no answer came")),
    };
    let body = refusal::read_body(&mut response, endpoint.silence).await;
    if !response.status().is_success() {
        return Err(
            endpoint.hide(service.explain(refusal::error(&response, &body)), &shared.credentials.fetched())
        );
    }
    let tokens = Raw::parse(&body).ok().and_then(|raw| {
        let usage = raw.view::<Usage<'_>>()?;
        usage.input_tokens.is_some().then(|| UsageCounts::of(&usage).input_tokens)
    });
    tokens.ok_or_else(|| Error::new(ErrorKind::Server, "its answer holds no count"))
}

/// What every attempt of a call sends.
struct HttpCall<'s> {
    endpoint: &'s Endpoint,
    credentials: &'s ServiceCredentials,
    http: &'s reqwest::Client,
    url: Url,
    headers: HeaderMap,
    body: Bytes,
}

impl<'s> HttpCall<'s> {
    fn new(shared: &'s ModelClientState, request: &Request) -> Result<Self, Error> {
        let endpoint = &shared.endpoint;
        let service = &endpoint.service;
        let mut headers = endpoint.call_headers(service.header_betas(request).as_deref())?;
        let accept = match service {
            Service::Bedrock(_) => EVENT_STREAM,
            _ => "text/event-stream",
        };
        headers.entry(ACCEPT).or_insert(HeaderValue::from_static(accept));
        Ok(HttpCall {
            endpoint,
            credentials: &shared.credentials,
            http: shared.http(request.model_name())?,
            url: service.url(&endpoint.base(request.model_name()), request, Operation::Messages)?,
            headers,
            body: Bytes::from(service.body(request, Operation::Messages)),
        })
    }

    /// Sends the request and passes on what comes of it.
    async fn make(&self, events: &EventSender) -> Result<(), AttemptEnd> {
        let mut response = self.send().await?;
        let mut renewed = 0;
        // The last key that is refused is not kept either.
        while self.wants_new_key(&response).await && renewed < NEW_KEYS {
            renewed += 1;
            response = self.send().await?;
        }
        if let Some(setback) = refusal::of(&mut response, self.endpoint.silence).await {
            let error = self.endpoint.service.explain(setback.error);
            return Err(FailedAttempt { error, ..setback }.into());
        }
        let request_id = header(&response, "request-id").map(str::to_owned);
        let accepted = ModelEvent::Accepted {
            request_id: request_id.clone(),
            rate_limits: rate_limits(response.headers()),
        };
        send_event(events, Ok(accepted)).await?;
        self.read(&mut response, events).await.map_err(|ended| match ended {
            AttemptEnd::Failed(mut setback) => {
                setback.error.request_id = setback.error.request_id.or(request_id);
                AttemptEnd::Failed(setback)
            }
            AttemptEnd::Abandoned => AttemptEnd::Abandoned,
        })
    }

    /// Whether the server refuses credentials, and new ones can be fetched.
    async fn wants_new_key(&self, response: &Response) -> bool {
        let status = response.status();
        match self.endpoint.helper() {
            Some(helper) if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => {
                helper.refused();
                // A key that the user set is sent beside it, and is refused again.
                self.endpoint.api_key.is_none()
            }
            Some(_) => false,
            None => status == StatusCode::UNAUTHORIZED && self.credentials.renew().await,
        }
    }

    async fn send(&self) -> Result<Response, FailedAttempt> {
        let mut headers = self.headers.clone();
        // A signature is good for minutes, so each attempt has its own.
        let added = self.credentials.add(self.endpoint, &self.url, &mut headers, &self.body).await;
        added.map_err(|error| FailedAttempt::new(error, false))?;
        let request = self.http.post(self.url.clone()).headers(headers).body(self.body.clone());
        match timeout(self.endpoint.patience, request.send()).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => {
                // An address that makes no sense will make none the next time.
                let passes = !error.is_builder();
                Err(FailedAttempt::new(Error::new(ErrorKind::Connection, &transport::reason(&error)), passes))
            }
            Err(_) => {
                let detail = format!("no answer within {} seconds", self.endpoint.patience.as_secs());
                Err(FailedAttempt::new(Error::new(ErrorKind::Stalled, &detail), true))
            }
        }
    }

    /// Reads the stream and passes its events on.
    async fn read(&self, response: &mut Response, events: &EventSender) -> Result<(), AttemptEnd> {
        let mut decoder = FramingDecoder::of(&self.endpoint.service);
        let mut answer = AnswerProgress::default();
        while !answer.complete() {
            let chunk = self.chunk(response).await;
            let chunk = chunk.map_err(|error| FailedAttempt::in_stream(error, answer.progress()))?;
            let mut piece = &chunk[..];
            while !answer.complete() {
                let message = decoder.next(&mut piece).map_err(|error| {
                    let error = Error::new(ErrorKind::Server, &error.to_string());
                    FailedAttempt::in_stream(error, answer.progress())
                })?;
                let Some(message) = message else { break };
                let taken = answer.take(message);
                if let Some(line) =
                    taken.map_err(|error| FailedAttempt::in_stream(error, answer.progress()))?
                {
                    send_event(events, Ok(ModelEvent::Stream(line))).await?;
                }
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
            Ok(Ok(None)) => Err(Error::cut_short()),
            Ok(Err(error)) => Err(Error::broken_off(&transport::reason(&error))),
            Err(_) => Err(Error::silent(self.endpoint.silence)),
        }
    }
}

impl RetryableCall for HttpCall<'_> {
    async fn attempt(&self, events: &EventSender) -> Result<(), AttemptEnd> {
        self.make(events).await.map_err(|ended| match ended {
            AttemptEnd::Failed(setback) => {
                let error = self.endpoint.hide(setback.error, &self.credentials.fetched());
                FailedAttempt { error, ..*setback }.into()
            }
            AttemptEnd::Abandoned => AttemptEnd::Abandoned,
        })
    }
}

fn rate_limits(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |value: &HeaderValue| value.to_str().ok().map(str::to_owned);
    let limits = headers.iter().filter(|(name, _)| name.as_str().starts_with(RATE_LIMITS));
    limits.filter_map(|(name, value)| Some((name.as_str().to_owned(), text(value)?))).collect()
}
