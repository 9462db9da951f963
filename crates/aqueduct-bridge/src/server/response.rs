use bytes::Bytes;
use hyper::header::{
    ALLOW, CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use hyper::{Method, Response, StatusCode};

use super::body::ResponseBody;
use crate::Failure;
use crate::message::{BridgeMessage, ErrorCode};

/// What a request is answered with.
pub(super) type HttpResponse = Response<ResponseBody>;

/// Only a page may be active in a browser.
const NO_PAGE: &str = "default-src 'none'; frame-ancestors 'none'";

/// Headers of every response, besides its own: browsers must not guess its type, show it in a
/// frame, send its address as a referrer, or share it with pages of other origins. Another port of this host
/// is the same site to a browser: all of these count by origin.
const ALWAYS: &[(&str, &str)] = &[
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("origin-agent-cluster", "?1"),
];

/// The default headers.
const USUALLY: &[(&str, &str)] = &[("content-security-policy", NO_PAGE), ("cache-control", "no-store")];

/// An answer of a type.
pub(super) fn of_type(
    status: StatusCode,
    content_type: &'static str,
    body: impl Into<Bytes>,
) -> HttpResponse {
    let mut answer = Response::new(ResponseBody::Whole(body.into()));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    answer
}

/// JSON that is there.
pub(super) fn json(body: impl Into<Bytes>) -> HttpResponse {
    of_type(StatusCode::OK, "application/json", body)
}

/// A message of the bridge, with the HTTP status for it.
pub(super) fn message(message: &BridgeMessage<'_>) -> HttpResponse {
    let code = match message {
        BridgeMessage::Error(error) => Some(&error.code),
        BridgeMessage::InputRejected(rejected) => Some(&rejected.code),
        _ => None,
    };
    let status = code.map_or(200, |code| code.http_status());
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut answer = of_type(status, "application/json", message.to_json());
    if status == StatusCode::UNAUTHORIZED {
        answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let BridgeMessage::Error(error) = message
        && let Some(wait) = error.retry_after_ms
    {
        answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from(wait.div_ceil(1000)));
    }
    answer
}

/// Why something did not happen.
pub(super) fn failure(failure: &Failure) -> HttpResponse {
    message(&failure.to_message(None, None))
}

/// What can be done, for who asks.
pub(super) fn options(methods: &str) -> HttpResponse {
    let mut answer = Response::new(ResponseBody::empty());
    *answer.status_mut() = StatusCode::NO_CONTENT;
    allow(answer, methods)
}

/// This can't be done there, but something else can.
pub(super) fn wrong_method(method: &Method, methods: &str) -> HttpResponse {
    let refused = Failure::new(ErrorCode::UnknownMessage, format!("{method} can't be done here"))
        .clause(format!("{methods} can"));
    let mut answer = failure(&refused);
    *answer.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    allow(answer, methods)
}

fn allow(mut answer: HttpResponse, methods: &str) -> HttpResponse {
    if let Ok(value) = HeaderValue::from_str(methods) {
        answer.headers_mut().insert(ALLOW, value);
    }
    answer
}

/// The connection ends with it.
pub(super) fn last(answer: &mut HttpResponse) {
    answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
}

/// Adds the headers of every response.
pub(super) fn guard(answer: &mut HttpResponse) {
    let headers = answer.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    for (name, value) in USUALLY {
        headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
}

/// A whole answer as bytes, for a connection on which HTTP was not understood. It ends with it.
pub(super) fn raw(status: u16, failure: &Failure) -> Vec<u8> {
    let body = failure.to_message(None, None).to_json();
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut head = format!(
        "HTTP/1.1 {} {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n",
        status.as_str(),
        status.canonical_reason().unwrap_or_default(),
        body.len()
    );
    for (name, value) in ALWAYS.iter().chain(USUALLY) {
        head.extend([*name, ": ", value, "\r\n"]);
    }
    head.extend(["\r\n", &body]);
    head.into_bytes()
}
