//! How a call fails.

use std::time::Duration;

use aqueduct_wire::error_name::ErrorName;
use aqueduct_wire::event::ErrorEvent;
use aqueduct_wire::hint::{Hint, HintedError};
use aqueduct_wire::json::Raw;

/// How much of an answer that is not an API error is shown.
const SHOWN: usize = 300;

/// How much of a server's text is part of a message.
const DETAIL: usize = 2000;

/// How APIs and gateways report that a conversation is too long.
const TOO_LONG: &[&str] = &[
    "prompt is too long",
    "input is too long",
    "exceed context limit",
    "exceeds the context window",
    "exceeds the model's context",
    "context_window_exceeded",
];

/// What the API's message contains where it refuses the key in this header. The API reports it in no other way.
const KEY_HEADER: &str = "x-api-key";

/// What kind of failure it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No key, or one that is not accepted.
    Authentication,
    /// The key may not do this.
    Permission,
    /// The account has nothing left to spend.
    Billing,
    /// Too many calls or tokens.
    RateLimit,
    /// The server has too much to do.
    Overloaded,
    /// The server failed.
    Server,
    /// The request is wrong.
    Invalid,
    /// The model or endpoint does not exist.
    NotFound,
    /// The conversation does not fit into the model's window.
    ContextTooLong,
    /// The request is larger than the server takes.
    TooLarge,
    /// The server could not be reached, or the connection broke.
    Connection,
    /// The stream stopped without an end.
    Stalled,
}

impl ErrorKind {
    /// The kind of an API error, from what is known of it: the text if that is specific, then its name, then
    /// the status.
    pub fn of(status: Option<u16>, name: Option<&str>, text: &str) -> Self {
        let text = text.to_ascii_lowercase();
        let has = |parts: &[&str]| parts.iter().any(|part| text.contains(part));
        if name == Some("model_context_window_exceeded") || has(TOO_LONG) {
            return ErrorKind::ContextTooLong;
        }
        if has(&["credit balance is too low"]) {
            return ErrorKind::Billing;
        }
        match (name, status) {
            (Some("authentication_error"), _) => ErrorKind::Authentication,
            (Some("permission_error"), _) => ErrorKind::Permission,
            (Some("billing_error"), _) => ErrorKind::Billing,
            (Some("rate_limit_error"), _) => ErrorKind::RateLimit,
            (Some("overloaded_error"), _) => ErrorKind::Overloaded,
            (Some("api_error" | "timeout_error"), _) => ErrorKind::Server,
            (Some("not_found_error"), _) => ErrorKind::NotFound,
            (Some("request_too_large"), _) => ErrorKind::TooLarge,
            (Some("invalid_request_error"), _) => ErrorKind::Invalid,
            (_, Some(401 | 407)) => ErrorKind::Authentication,
            (_, Some(402)) => ErrorKind::Billing,
            (_, Some(403)) => ErrorKind::Permission,
            (_, Some(404)) => ErrorKind::NotFound,
            (_, Some(413)) => ErrorKind::TooLarge,
            (_, Some(429)) => ErrorKind::RateLimit,
            (_, Some(529)) => ErrorKind::Overloaded,
            (_, Some(408 | 409 | 500..) | None) => ErrorKind::Server,
            (_, Some(_)) => ErrorKind::Invalid,
        }
    }

    /// Its name in frames.
    pub fn wire_name(self) -> ErrorName<'static> {
        match self {
            ErrorKind::Authentication | ErrorKind::Permission => ErrorName::AuthenticationFailed,
            ErrorKind::Billing => ErrorName::BillingError,
            ErrorKind::RateLimit => ErrorName::RateLimit,
            ErrorKind::Overloaded => ErrorName::Overloaded,
            ErrorKind::Server => ErrorName::ServerError,
            ErrorKind::NotFound => ErrorName::ModelNotFound,
            ErrorKind::ContextTooLong | ErrorKind::TooLarge => ErrorName::InvalidRequest,
            ErrorKind::Invalid | ErrorKind::Connection | ErrorKind::Stalled => ErrorName::Unknown,
        }
    }

    /// What went wrong, and what to do about it.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            ErrorKind::Authentication => {
                ("the API does not accept the key", "Check ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN.")
            }
            ErrorKind::Permission => {
                ("the key may not do this", "Use a key that has access to this model, or another model.")
            }
            ErrorKind::Billing => {
                ("the account has nothing left to spend", "Add credit to it, or use another key.")
            }
            ErrorKind::RateLimit => {
                ("the account's rate limit is reached", "Wait a few minutes, or use another model.")
            }
            ErrorKind::Overloaded => {
                ("the API has too much to do", "Try again in a few minutes, or use another model.")
            }
            ErrorKind::Server => (
                "the API failed",
                "Try again shortly; if that does not help, look at the API's or gateway's status.",
            ),
            ErrorKind::Invalid => (
                "the API refuses the request",
                "Change what it names; if that is not yours to change, start a new conversation.",
            ),
            ErrorKind::NotFound => {
                ("the model or address does not exist", "Check the model's name and ANTHROPIC_BASE_URL.")
            }
            ErrorKind::ContextTooLong => (
                "the conversation is too long for the model",
                "Compact it, start a new one, or use a model with a larger window.",
            ),
            ErrorKind::TooLarge => (
                "the request is larger than the API takes",
                "Compact the conversation, or leave out large images and files.",
            ),
            ErrorKind::Connection => {
                ("the connection failed", "Check the network, ANTHROPIC_BASE_URL and the proxy settings.")
            }
            ErrorKind::Stalled => {
                ("the answer stopped coming", "Try again; a proxy on the way may hold it back.")
            }
        }
    }
}

/// A call that failed for good.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// What kind of failure it was.
    pub kind: ErrorKind,
    /// The HTTP status, where there was an answer.
    pub status: Option<u16>,
    /// The API's name for the error, such as `overloaded_error`.
    pub name: Option<String>,
    /// What went wrong, for people. It has no full stop.
    pub message: String,
    /// What follows from it, or what to do about it: a sentence or several.
    pub hint: Option<Box<str>>,
    /// The server's own message.
    pub said: Option<String>,
    /// The server's name for the call.
    pub request_id: Option<String>,
    /// Whether a block of the answer was complete before: the answer can't be asked for again.
    pub streamed: bool,
}

impl Error {
    /// An error that no server reported, with the usual message of its kind. `detail` is specific to this
    /// case.
    pub fn new(kind: ErrorKind, detail: &str) -> Self {
        let (what, next) = kind.words();
        let detail = one_line(detail, DETAIL);
        let message = match detail.trim_end_matches('.') {
            "" => what.to_owned(),
            detail => format!("{what} ({detail})"),
        };
        Error::plain(kind, message).with_hint(next)
    }

    /// An error that no server reported, with a message of its own.
    pub fn plain(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error {
            kind,
            status: None,
            name: None,
            message: message.into(),
            hint: None,
            said: None,
            request_id: None,
            streamed: false,
        }
    }

    /// The same with what follows from it, or what to do about it.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<Box<str>>) -> Self {
        Error { hint: Some(hint.into()), ..self }
    }

    /// Whether the server refuses the API key, and not another credential.
    pub fn refuses_api_key(&self) -> bool {
        self.kind == ErrorKind::Authentication
            && self.said.as_deref().is_some_and(|said| said.contains(KEY_HEADER))
    }

    /// A stream that came to nothing: the connection is gone.
    pub(crate) fn broken_off(reason: &str) -> Self {
        Error::new(ErrorKind::Connection, &format!("the answer broke off: {reason}"))
    }

    /// A stream that ended too early.
    pub(crate) fn cut_short() -> Self {
        Error::new(ErrorKind::Connection, "the answer ended before it was complete")
    }

    /// A stream in which nothing came for too long.
    pub(crate) fn silent(silence: Duration) -> Self {
        Error::new(ErrorKind::Stalled, &format!("nothing came for {} seconds", silence.as_secs()))
    }

    /// A server's error, as the body of an answer with this status or as an event of the stream.
    pub(crate) fn reported(status: Option<u16>, body: &str) -> Self {
        let raw = Raw::parse(body).ok();
        let event = raw.as_ref().and_then(|raw| raw.view::<ErrorEvent<'_>>());
        let detail = event.as_ref().and_then(|event| event.error.as_deref());
        let name = detail.and_then(|detail| detail.kind()).map(str::to_owned);
        let said = match detail {
            Some(detail) => Some(detail.message().to_owned()),
            None => shown(body),
        };
        let kind = ErrorKind::of(status, name.as_deref(), said.as_deref().unwrap_or_default());
        let detail = match (status, said.as_deref()) {
            (Some(status), Some(said)) => format!("{status}: {said}"),
            (Some(status), None) => status.to_string(),
            (None, said) => said.unwrap_or_default().to_owned(),
        };
        Error {
            status,
            name,
            request_id: event.as_ref().and_then(|event| event.request_id.as_deref()).map(str::to_owned),
            said,
            ..Error::new(kind, &detail)
        }
    }
}

impl HintedError for Error {
    fn hint(&self) -> Option<Hint> {
        self.hint.as_deref().map(Hint::sentence)
    }
}

/// The beginning of an answer that is not an API error; nothing of web pages, which are for browsers.
fn shown(body: &str) -> Option<String> {
    let body = body.trim();
    if body.is_empty() || body.starts_with('<') {
        return None;
    }
    Some(one_line(body, SHOWN))
}

/// The beginning of a text, in one line and without what a terminal would obey.
fn one_line(text: &str, most: usize) -> String {
    text.chars().take(most).map(|char| if char.is_control() { ' ' } else { char }).collect()
}
