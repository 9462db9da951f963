//! One HTTP request and its answer.

use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::json;
use tokio::time::sleep;

use super::body::{AnswerBody, broken, playing, whole};
use super::log::RequestLog;
use super::read::ApiCall;
use crate::script::{
    MessagePlan, Scripted, ScriptedAnswer, ScriptedFailure, StreamBreak, SubscriptionLimits, to_json,
};

/// The largest body that is read.
pub(super) const BODY_LIMIT: usize = 64 << 20;

/// What is counted of any prompt.
const COUNTED_TOKENS: u32 = 100;

/// The models that are listed. Any name is answered.
const MODELS: [(&str, &str); 1] = [("scripted", "Scripted model")];

const REQUEST_ID: HeaderName = HeaderName::from_static("request-id");

/// Answers a request.
pub(super) async fn answer(
    request: Request<Incoming>,
    scripted: &Scripted,
    log: Option<&RequestLog>,
) -> Response<AnswerBody> {
    let (head, body) = request.into_parts();
    let too_large = || ScriptedFailure::new(413, format!("a body may have {BODY_LIMIT} bytes at most"));
    // One that announces this is not read at all.
    if body.size_hint().lower() > BODY_LIMIT as u64 {
        return refuse(scripted, too_large());
    }
    let body = match Limited::new(body, BODY_LIMIT).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => return refuse(scripted, too_large()),
        Err(_) => return refuse(scripted, ScriptedFailure::new(400, "the body ended before its time")),
    };
    if let Some(log) = log {
        log.request(&head, &body);
    }
    let path = head.uri.path();
    match head.method {
        Method::HEAD => response(scripted, StatusCode::OK, whole(Bytes::new())),
        Method::POST if path.ends_with("/v1/messages") => match ApiCall::parse(&body) {
            Ok(asked) => message(scripted, asked).await,
            Err(error) => refuse(scripted, ScriptedFailure::new(400, error.to_string())),
        },
        Method::POST if path.ends_with("/v1/messages/count_tokens") => match ApiCall::parse(&body) {
            Ok(_) => ok(scripted, json!({ "input_tokens": COUNTED_TOKENS }).to_string()),
            Err(error) => refuse(scripted, ScriptedFailure::new(400, error.to_string())),
        },
        Method::GET if path.ends_with("/v1/models") => ok(scripted, models()),
        _ => refuse(scripted, ScriptedFailure::new(404, format!("there is no {} {path}", head.method))),
    }
}

async fn message(scripted: &Scripted, asked: ApiCall) -> Response<AnswerBody> {
    let plan = match scripted.answer(&asked.request) {
        ScriptedAnswer::Message(plan) => plan,
        ScriptedAnswer::Failure(failure, wait) => {
            sleep(wait).await;
            return refuse(scripted, failure);
        }
    };
    sleep(plan.wait).await;
    if !asked.is_stream {
        return at_once(scripted, plan).await;
    }
    let limits = plan.limits.clone();
    let mut answer = response(scripted, StatusCode::OK, playing(plan));
    add_limits(&mut answer, limits.as_ref());
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    answer
}

/// A message in one piece. What would break a stream breaks the answer.
async fn at_once(scripted: &Scripted, plan: MessagePlan) -> Response<AnswerBody> {
    match &plan.breaks {
        Some((_, StreamBreak::Error(name))) => refuse(scripted, ScriptedFailure::named(name)),
        Some((_, StreamBreak::Drop)) => response(scripted, StatusCode::OK, broken()),
        Some((_, StreamBreak::Stall)) => std::future::pending().await,
        None => {
            let mut answer = ok(scripted, to_json(&plan.message()));
            add_limits(&mut answer, plan.limits.as_ref());
            answer
        }
    }
}

fn models() -> String {
    let models = MODELS.map(|(id, name)| {
        json!({ "type": "model", "id": id, "display_name": name, "created_at": "2025-01-01T00:00:00Z" })
    });
    let (first, last) = (MODELS[0].0, MODELS[MODELS.len() - 1].0);
    json!({ "data": models, "has_more": false, "first_id": first, "last_id": last }).to_string()
}

fn ok(scripted: &Scripted, json: String) -> Response<AnswerBody> {
    response(scripted, StatusCode::OK, whole(json))
}

fn refuse(scripted: &Scripted, failure: ScriptedFailure) -> Response<AnswerBody> {
    let status = StatusCode::from_u16(failure.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut answer = response(scripted, status, whole(failure.to_json()));
    if let Some(delay) = failure.retry_after {
        answer.headers_mut().insert(RETRY_AFTER, seconds(delay));
    }
    add_limits(&mut answer, failure.limits.as_ref());
    answer
}

/// A time for a header: whole seconds, at least as long.
fn seconds(delay: Duration) -> HeaderValue {
    HeaderValue::from(delay.as_secs() + u64::from(delay.subsec_nanos() > 0))
}

fn response(scripted: &Scripted, status: StatusCode, body: AnswerBody) -> Response<AnswerBody> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Ok(id) = HeaderValue::from_str(&scripted.request_id()) {
        headers.insert(REQUEST_ID, id);
    }
    response
}

fn add_limits(response: &mut Response<AnswerBody>, limits: Option<&SubscriptionLimits>) {
    for (name, value) in limits.into_iter().flat_map(SubscriptionLimits::headers) {
        // A line of a script has only what fits into a header.
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
}
