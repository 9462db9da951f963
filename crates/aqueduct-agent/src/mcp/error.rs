use std::time::Duration;

use super::message::Refusal;

/// Why a request to a server has no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum CallError {
    /// The server refused it.
    #[error("{0}")]
    Refused(Refusal),
    /// There is no connection, or none any more.
    #[error("{0}")]
    Lost(String),
    /// The server does not know us any more, and has done nothing.
    #[error("the server has ended the session")]
    Forgotten,
    /// The server wants to know who is there.
    #[error("{0}")]
    Unauthorized(String),
    /// The server took too long.
    #[error("no answer in {} s", .0.as_secs_f64())]
    TimedOut(Duration),
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
}

/// Why there is no connection to a server.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum ConnectError {
    /// It can't be reached, or does not behave as a server should.
    #[error("{0}")]
    Failed(String),
    /// It wants to know who is there.
    #[error("{0}")]
    NeedsAuth(String),
}

impl From<CallError> for ConnectError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Unauthorized(why) => ConnectError::NeedsAuth(why),
            error => ConnectError::Failed(error.to_string()),
        }
    }
}
