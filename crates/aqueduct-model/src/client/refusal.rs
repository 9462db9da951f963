//! An answer that is not a stream.

use std::time::Duration;

use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, LOCATION};
use reqwest::{Response, StatusCode};
use tokio::time::timeout;

use super::address;
use super::call::EVENT_STREAM;
use crate::answer::AnswerStage;
use crate::attempt::FailedAttempt;
use crate::error::{Error, ErrorKind};
use crate::retry::Advice;

/// How much of an answer that is an error, or a count, is read.
const BODY_LIMIT: usize = 1024 * 1024;

/// How much of a header is shown.
const SHOWN: usize = 80;

/// Why an answer is not a stream; `None` if it is one. `silence` is how long its body may take.
pub(super) async fn of(response: &mut Response, silence: Duration) -> Option<FailedAttempt> {
    let status = response.status();
    if !status.is_success() {
        let body = read_body(response, silence).await;
        let advice = Advice::read(|name| header(response, name));
        let setback = FailedAttempt::refusal(error(response, &body), advice.after);
        return Some(FailedAttempt { passes: advice.should_retry.unwrap_or(setback.passes), ..setback });
    }
    if let Some(packed) = encoding(response) {
        let message = format!("the server packs its answer ({packed}), which it was asked not to do");
        let error = Error::plain(ErrorKind::Server, message)
            .with_hint("Check the proxies on the way to ANTHROPIC_BASE_URL.");
        return Some(FailedAttempt::new(reported_by(response, error), false));
    }
    let kind = header(response, CONTENT_TYPE.as_str()).unwrap_or_default().to_ascii_lowercase();
    let instead = match status {
        StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT => status.to_string(),
        _ if kind.is_empty() || kind.starts_with("text/event-stream") => return None,
        _ if kind.starts_with(EVENT_STREAM) => return None,
        _ => shown(&kind),
    };
    if kind.starts_with("application/json") {
        // Some gateways put an error under a success status: it counts as one of the stream.
        let error = Error::reported(None, &read_body(response, silence).await);
        if error.name.is_some() {
            let error = Error { status: None, ..reported_by(response, error) };
            return Some(FailedAttempt::in_stream(error, AnswerStage::Begun));
        }
    }
    Some(FailedAttempt::new(reported_by(response, no_stream(&instead)), false))
}

/// The error that an answer with this body is.
pub(super) fn error(response: &Response, body: &str) -> Error {
    let status = response.status();
    if status.is_client_error() || status.is_server_error() {
        return reported_by(response, Error::reported(Some(status.as_u16()), body));
    }
    let place = header(response, LOCATION.as_str()).and_then(|place| response.url().join(place).ok());
    let place = place.filter(|_| status.is_redirection()).and_then(|place| address::shown(place.as_str()));
    let error = match place {
        Some(place) => {
            let place = place.trim_end_matches("/v1/messages");
            Error::plain(ErrorKind::NotFound, format!("the API has moved to {place} ({status})"))
                .with_hint("Set ANTHROPIC_BASE_URL to where it is.")
        }
        None => no_stream(&status.to_string()),
    };
    reported_by(response, error)
}

/// The body as text, as far as it comes and is wanted; nothing of one that would have to be unpacked.
pub(super) async fn read_body(response: &mut Response, silence: Duration) -> String {
    if encoding(response).is_some() {
        return String::new();
    }
    let mut body = Vec::new();
    // All of it within that time: a body that trickles could be read for days.
    let reading = async {
        while let Ok(Some(chunk)) = response.chunk().await {
            let room = BODY_LIMIT.saturating_sub(body.len());
            body.extend_from_slice(&chunk[..chunk.len().min(room)]);
            if chunk.len() >= room {
                break;
            }
        }
    };
    // What has come by then is better than nothing.
    let _ = timeout(silence, reading).await;
    String::from_utf8_lossy(&body).into_owned()
}

/// A header that is text.
pub(super) fn header<'r>(response: &'r Response, name: &str) -> Option<&'r str> {
    response.headers().get(name)?.to_str().ok()
}

/// How the body is packed, if it is.
fn encoding(response: &Response) -> Option<String> {
    let packed = header(response, CONTENT_ENCODING.as_str())?.trim();
    (!packed.is_empty() && !packed.eq_ignore_ascii_case("identity")).then(|| shown(packed))
}

fn no_stream(instead: &str) -> Error {
    let message = format!("the server answers with {instead} instead of a stream");
    Error::plain(ErrorKind::Server, message).with_hint("Check that ANTHROPIC_BASE_URL is a Messages API.")
}

/// An error with what the answer's head has about the call.
fn reported_by(response: &Response, error: Error) -> Error {
    let request_id = header(response, "request-id").map(str::to_owned).or(error.request_id);
    Error { status: Some(response.status().as_u16()), request_id, ..error }
}

fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}
