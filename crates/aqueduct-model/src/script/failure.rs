//! A call that the scripted model refuses.

use std::time::Duration;

use aqueduct_wire::error_name::{ErrorDetail, ErrorObject};
use aqueduct_wire::event::{ErrorEvent, StreamEvent};

use super::play::to_json;
use crate::error::{Error, ErrorKind};

/// The API's name for an error, by its status. A status that is not here is an `api_error`.
const NAMES: [(u16, &str, ErrorKind); 11] = [
    (400, "invalid_request_error", ErrorKind::Invalid),
    (401, "authentication_error", ErrorKind::Authentication),
    (402, "billing_error", ErrorKind::Billing),
    (403, "permission_error", ErrorKind::Permission),
    (404, "not_found_error", ErrorKind::NotFound),
    (408, "timeout_error", ErrorKind::Server),
    (413, "request_too_large", ErrorKind::TooLarge),
    (429, "rate_limit_error", ErrorKind::RateLimit),
    (500, "api_error", ErrorKind::Server),
    (504, "timeout_error", ErrorKind::Server),
    (529, "overloaded_error", ErrorKind::Overloaded),
];

/// What the API says where a conversation does not fit begins like this.
const TOO_LONG: &str = "prompt is too long";

/// An answer that is an HTTP status and an error.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The HTTP status.
    pub status: u16,
    /// The API's name for the error, such as `overloaded_error`.
    pub name: String,
    /// What went wrong, for people.
    pub message: String,
    /// When to try again, for the `retry-after` header.
    pub retry_after: Option<Duration>,
}

impl Failure {
    /// A failure with the API's name for its status.
    pub fn new(status: u16, message: impl Into<String>) -> Self {
        Failure { status, name: name_of(status).to_owned(), message: message.into(), retry_after: None }
    }

    /// The refusal of a conversation that has too many tokens.
    pub(super) fn too_long(tokens: u64, limit: u64) -> Self {
        Failure::new(400, format!("{TOO_LONG}: {tokens} tokens > {limit} maximum"))
    }

    /// The failure that an error event of this name means, where there is no stream to break.
    pub(crate) fn named(name: &str) -> Self {
        let status = NAMES.iter().find(|(_, known, _)| *known == name).map_or(500, |(status, ..)| *status);
        Failure { name: name.to_owned(), ..Failure::new(status, format!("scripted {name}")) }
    }

    /// The body of the HTTP answer. An event that breaks a stream looks the same.
    pub fn to_json(&self) -> String {
        let mut object = ErrorObject::new();
        object.kind = Some(self.name.as_str().into());
        object.message = Some(self.message.as_str().into());
        let mut event = ErrorEvent::new();
        event.error = Some(Box::new(ErrorDetail::Object(object)));
        to_json(&StreamEvent::Error(event))
    }

    /// Whether a client would try again. 401 is among them: keys of gateways are renewed.
    pub(super) fn is_passing(&self) -> bool {
        matches!(self.status, 401 | 408 | 409 | 429 | 500..)
    }

    /// What kind of failure a client would see in it.
    pub(super) fn kind(&self) -> ErrorKind {
        if self.message.starts_with(TOO_LONG) {
            return ErrorKind::ContextTooLong;
        }
        let known = NAMES.iter().find(|(_, name, _)| *name == self.name);
        known.map_or(ErrorKind::Server, |(_, _, kind)| *kind)
    }

    /// The error that the call ends with.
    pub(super) fn into_error(self, request_id: Option<String>, streamed: bool) -> Error {
        Error {
            kind: self.kind(),
            status: (!streamed).then_some(self.status),
            name: Some(self.name),
            said: Some(self.message.clone()),
            message: self.message,
            request_id,
            streamed,
        }
    }
}

/// The API's name for the error that a status means.
fn name_of(status: u16) -> &'static str {
    NAMES.iter().find(|(known, ..)| *known == status).map_or("api_error", |(_, name, _)| name)
}
