//! How a call fails.

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
    /// There is no such model or endpoint.
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
    /// What went wrong, for people, with what to do about it.
    pub message: String,
    /// The server's name for the call.
    pub request_id: Option<String>,
    /// Whether parts of the answer had come before.
    pub streamed: bool,
}
