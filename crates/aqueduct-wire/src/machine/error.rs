use thiserror::Error;

use super::MAX_ID_BYTES;
use crate::control::ErrorResponse;

/// The code of a refusal: this kind of request is not known or not served here.
pub const UNSUPPORTED_REQUEST: &str = "unsupported_request";

/// The code of a refusal: the kind is known, but a member it needs is missing or has another shape.
pub const INVALID_REQUEST: &str = "invalid_request";

/// The code of a refusal: too many requests are open at once.
pub const TOO_MANY_REQUESTS: &str = "too_many_requests";

/// The code of an answer that is neither a success nor an error.
pub const MALFORMED_RESPONSE: &str = "malformed_response";

/// The code of a refusal: unknown permission mode.
pub const INVALID_MODE: &str = "invalid_mode";

/// Why a request was not served.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct ControlError {
    /// A sentence for people.
    pub message: String,
    /// A name for programs, such as [`UNSUPPORTED_REQUEST`]. Older agents send none.
    pub code: Option<String>,
}

impl ControlError {
    /// An error with a code.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        ControlError { message: message.into(), code: Some(code.to_owned()) }
    }

    pub(super) fn unsupported(subtype: &str) -> Self {
        if subtype.is_empty() {
            return ControlError::new(INVALID_REQUEST, "A control request needs a subtype");
        }
        ControlError::new(UNSUPPORTED_REQUEST, format!("Unsupported control request: {subtype}"))
    }

    pub(super) fn invalid(subtype: &str, member: &str) -> Self {
        let message = format!("Invalid {subtype} request: {member} is missing or has another shape");
        match subtype {
            // Hosts distinguish these by what the reference CLI sends.
            "set_permission_mode" => ControlError::new(INVALID_MODE, message),
            "apply_flag_settings" => ControlError { message, code: None },
            _ => ControlError::new(INVALID_REQUEST, message),
        }
    }

    pub(super) fn id_too_long() -> Self {
        let message =
            format!("The id or the subtype of a control request is longer than {MAX_ID_BYTES} bytes");
        ControlError::new(INVALID_REQUEST, message)
    }

    pub(super) fn too_many(limit: usize) -> Self {
        let message = format!("{limit} control requests are open; wait for answers before you ask more");
        ControlError::new(TOO_MANY_REQUESTS, message)
    }

    pub(super) fn from_response(response: &ErrorResponse<'_>) -> Self {
        let error = response.error.as_ref();
        let message =
            error.map_or_else(|| "no reason was given".to_owned(), |error| error.message().to_owned());
        let code = response.error_code.as_deref().or_else(|| error.and_then(|error| error.kind()));
        ControlError { message, code: code.map(str::to_owned) }
    }
}
