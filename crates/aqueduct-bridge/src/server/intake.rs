use std::time::Duration;

use http_body_util::BodyExt;
use hyper::body::{Body, Bytes};
use hyper::header::CONTENT_TYPE;
use hyper::{HeaderMap, Method};
use tokio::time::timeout;

use crate::Failure;
use crate::message::ErrorCode;

/// Reads the body of a request: JSON as text, or nothing.
///
/// Pages of other origins can make a browser send a form or plain text without a preflight, but not with the
/// content type of JSON. So a body must have that type.
pub(super) async fn read<B>(
    method: &Method,
    headers: &HeaderMap,
    mut body: B,
    limit: usize,
    pause: Duration,
) -> Result<String, Failure>
where
    B: Body<Data = Bytes> + Unpin,
{
    if body.is_end_stream() {
        return Ok(String::new());
    }
    if matches!(*method, Method::POST | Method::PUT) && !is_json(headers) {
        let message = "a body has to be sent as `Content-Type: application/json`";
        return Err(Failure::new(ErrorCode::InvalidMessage, message));
    }
    let too_large = || {
        let message = format!("the body is larger than {limit} bytes");
        Failure::new(ErrorCode::MessageTooLarge, message)
    };
    if body.size_hint().lower() > limit as u64 {
        return Err(too_large());
    }
    let mut text = Vec::new();
    loop {
        let Ok(frame) = timeout(pause, body.frame()).await else {
            return Err(Failure::new(ErrorCode::InvalidMessage, "the body took too long to come"));
        };
        let Some(frame) = frame else { break };
        let broken = |_| Failure::new(ErrorCode::InvalidMessage, "the body broke off");
        if let Ok(data) = frame.map_err(broken)?.into_data() {
            if data.len() > limit - text.len() {
                return Err(too_large());
            }
            text.extend_from_slice(&data);
        }
    }
    String::from_utf8(text).map_err(|_| Failure::new(ErrorCode::InvalidJson, "the body is not UTF-8"))
}

fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(only), None) = (types.next(), types.next()) else { return false };
    only.to_str().is_ok_and(|value| {
        let summary = value.split(';').next().unwrap_or_default();
        summary.trim().eq_ignore_ascii_case("application/json")
    })
}
