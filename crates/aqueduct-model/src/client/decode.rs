//! From the bytes of an answer to the events of its stream.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::Service;
use crate::event_stream::{self, EventStreamError};
use crate::sse::{self, SseError};

/// The names that AWS has for failures in a stream, and those of the Messages API.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("throttlingException", "rate_limit_error"),
    ("serviceUnavailableException", "overloaded_error"),
    ("modelTimeoutException", "timeout_error"),
    ("internalServerException", "api_error"),
    ("modelStreamErrorException", "api_error"),
    ("validationException", "invalid_request_error"),
    ("accessDeniedException", "permission_error"),
];

/// Why the events of a stream can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum DecodeError {
    #[error(transparent)]
    Sse(#[from] SseError),
    #[error(transparent)]
    Binary(#[from] EventStreamError),
    #[error("a chunk of the stream has no bytes")]
    NoBytes,
    #[error("a chunk of the stream is not base64")]
    NotBase64,
    #[error("a chunk of the stream is not UTF-8")]
    NotUtf8,
}

/// Reads the framing of a service.
#[derive(Debug)]
pub(super) enum FramingDecoder {
    /// Server-sent events.
    Sse(sse::SseParser),
    /// Amazon's event stream, whose messages hold events in base64.
    Binary(event_stream::EventStreamDecoder),
}

impl FramingDecoder {
    pub(super) fn of(service: &Service) -> Self {
        match service {
            Service::Bedrock(_) => FramingDecoder::Binary(event_stream::EventStreamDecoder::default()),
            _ => FramingDecoder::Sse(sse::SseParser::default()),
        }
    }

    /// The next event of a piece, which is shortened by what was read.
    pub(super) fn next(&mut self, piece: &mut &[u8]) -> Result<Option<sse::SseEvent>, DecodeError> {
        match self {
            FramingDecoder::Sse(parser) => Ok(parser.next(piece)?),
            FramingDecoder::Binary(decoder) => loop {
                let Some(message) = decoder.next(piece)? else { return Ok(None) };
                // Other kinds of events, such as the first answer, carry nothing of the model.
                if let Some(event) = event(&message)? {
                    return Ok(Some(event));
                }
            },
        }
    }
}

/// The event in a message.
fn event(message: &event_stream::EventStreamMessage) -> Result<Option<sse::SseEvent>, DecodeError> {
    let header = |name: &str| message.header(name).unwrap_or_default();
    let payload: serde_json::Value = serde_json::from_slice(&message.payload).unwrap_or_default();
    let data = match header(":message-type") {
        "event" if header(":event-type") == "chunk" => {
            let Some(bytes) = payload.get("bytes").and_then(|bytes| bytes.as_str()) else {
                return Err(DecodeError::NoBytes);
            };
            let bytes = STANDARD.decode(bytes).map_err(|_| DecodeError::NotBase64)?;
            String::from_utf8(bytes).map_err(|_| DecodeError::NotUtf8)?
        }
        "event" => return Ok(None),
        _ => {
            let name = match header(":exception-type") {
                "" => header(":error-code"),
                name => name,
            };
            let known = EXCEPTIONS.iter().find(|(exception, _)| *exception == name);
            let kind = known.map_or("api_error", |(_, kind)| kind);
            let reason =
                payload.get("message").or_else(|| payload.get("Message")).and_then(|reason| reason.as_str());
            let reason = reason.unwrap_or_else(|| header(":error-message"));
            let text = if reason.is_empty() { name.to_owned() } else { format!("{name}: {reason}") };
            serde_json::json!({"type": "error", "error": {"type": kind, "message": text}}).to_string()
        }
    };
    Ok(Some(sse::SseEvent { name: String::new(), data, id: None }))
}
