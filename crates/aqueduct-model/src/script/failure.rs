//! A call that the scripted model refuses.

use std::time::Duration;

use aqueduct_wire::error_name::{ErrorDetail, ErrorObject};
use aqueduct_wire::event::{ErrorEvent, StreamEvent};

use super::limits::SubscriptionLimits;
use super::play::to_json;

/// The API's name for an error, by its status. A status that is not here is an `api_error`.
const NAMES: [(u16, &str); 11] = [
    (400, "invalid_request_error"),
    (401, "authentication_error"),
    (402, "billing_error"),
    (403, "permission_error"),
    (404, "not_found_error"),
    (408, "timeout_error"),
    (413, "request_too_large"),
    (429, "rate_limit_error"),
    (500, "api_error"),
    (504, "timeout_error"),
    (529, "overloaded_error"),
];

/// An answer that is an HTTP status and an error.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptedFailure {
    /// The HTTP status.
    pub status: u16,
    /// The API's name for the error, such as `overloaded_error`.
    pub name: String,
    /// What went wrong, for people.
    pub message: String,
    /// When to try again, for the `retry-after` header.
    pub retry_after: Option<Duration>,
    /// The state of the account, for headers.
    pub limits: Option<SubscriptionLimits>,
}

impl ScriptedFailure {
    /// A failure with the API's name for its status.
    pub fn new(status: u16, message: impl Into<String>) -> Self {
        let name = name_of(status).to_owned();
        ScriptedFailure { status, name, message: message.into(), retry_after: None, limits: None }
    }

    /// The refusal of a conversation that has too many tokens.
    pub(super) fn too_long(tokens: u64, limit: u64) -> Self {
        ScriptedFailure::new(400, format!("prompt is too long: {tokens} tokens > {limit} maximum"))
    }

    /// The failure that an error event of this name means, if there is no stream to break.
    pub(crate) fn named(name: &str) -> Self {
        let status = NAMES.iter().find(|(_, known)| *known == name).map_or(500, |(status, _)| *status);
        ScriptedFailure { name: name.to_owned(), ..ScriptedFailure::new(status, format!("scripted {name}")) }
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
}

/// The API's name for the error that a status means.
fn name_of(status: u16) -> &'static str {
    NAMES.iter().find(|(known, _)| *known == status).map_or("api_error", |(_, name)| name)
}
