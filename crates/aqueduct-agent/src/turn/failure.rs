//! Failures of the model in the words that hosts look for.

use aqueduct_model::{Error, ErrorKind};
use aqueduct_wire::error_name::ErrorName;
use aqueduct_wire::hint::HintedError as _;

/// The wire's name for a failure that ends a turn. Where another attempt follows, overload and lost connections have
/// names of their own.
pub(super) fn failure_name(error: &Error) -> ErrorName<'static> {
    match (error.kind, error.status) {
        (ErrorKind::Server, Some(..500)) => ErrorName::Unknown,
        (ErrorKind::Overloaded | ErrorKind::Connection | ErrorKind::Stalled, _) => ErrorName::ServerError,
        (kind, _) => kind.wire_name(),
    }
}

/// The HTTP status of a failure, where it is one of an error: a page in place of a stream may come with any.
pub(super) fn error_status(error: &Error) -> Option<u16> {
    error.status.filter(|status| *status >= 400)
}

/// The text of a failure. Hosts know failures that a user can do something about by how it begins.
pub(super) fn failure_text(error: &Error, model: &str) -> String {
    let plain = plain_text(error);
    match (error.kind, error_status(error), &error.said) {
        (ErrorKind::ContextTooLong, Some(_), Some(message)) => format!("Prompt is too long \u{b7} {message}"),
        (ErrorKind::Billing, Some(400 | 402), _) => "Credit balance is too low".to_owned(),
        (_, Some(401), _) if error.refuses_api_key() => {
            "Invalid API key \u{b7} Fix external API key".to_owned()
        }
        (ErrorKind::Authentication | ErrorKind::Permission, Some(401 | 403), _) => {
            format!("Failed to authenticate. {plain}")
        }
        (ErrorKind::NotFound, Some(404), _) => format!(
            "There's an issue with the selected model ({model}): it may not exist, or the key may have no access to \
             it. Choose another one with --model. {plain}"
        ),
        (ErrorKind::TooLarge, Some(413), _) => {
            format!("Request too large. Remove images and attachments, or compact the conversation. {plain}")
        }
        (ErrorKind::RateLimit, Some(429), Some(message)) => {
            format!("API Error: Request rejected (429) \u{b7} {message}")
        }
        _ => plain,
    }
}

fn plain_text(error: &Error) -> String {
    match (error_status(error), &error.said) {
        (Some(status), Some(message)) => format!("API Error: {status} {message}"),
        (Some(status @ 500..), None) => match reason(status) {
            Some(reason) => format!("API Error: {status} {reason}. {}", error.advised()),
            None => format!("API Error: {status} {}", error.advised()),
        },
        (Some(status), None) => format!("API Error: {status} status code (no body)"),
        (None, Some(message)) => format!("API Error: {message}"),
        (None, None) => format!("API Error: {}", error.advised()),
    }
}

/// What a status means that gateways answer with.
fn reason(status: u16) -> Option<&'static str> {
    Some(match status {
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => return None,
    })
}
