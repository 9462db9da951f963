use std::time::Duration;

use aqueduct_os::lock::LockError;
use aqueduct_os::privacy::PrivacyError;
use aqueduct_os::regular_file::RegularFileError;
use aqueduct_wire::hint::{Hint, HintedError};

/// Why a sign-in to a server fails.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// There is no server of this name.
    #[error("Server not found: {0}")]
    NotFound(String),
    /// The server is not reached over HTTP.
    #[error(
        "the MCP server {0} is not on the network: only servers of the types http and sse have a sign-in"
    )]
    NotRemote(String),
    /// A header of its configuration authenticates.
    #[error(
        "the configuration of the MCP server {0} sets an Authorization header, which is used instead of a sign-in"
    )]
    HasHeader(String),
    /// Nothing is kept in this session.
    #[error("sign-ins are not kept here")]
    NoStore,
    /// The server does not describe how to sign in.
    #[error("{0} does not describe how to sign in")]
    NoSignIn(String),
    /// An address that is not used in a sign-in.
    #[error("the sign-in leads to {url}, {why}")]
    Address {
        /// The address.
        url: String,
        /// Why it is not used.
        why: String,
    },
    /// A server can't be reached.
    #[error("{place} can't be reached: {why}")]
    Unreachable {
        /// Which.
        place: String,
        /// Why.
        why: String,
    },
    /// What a server answers makes no sense.
    #[error("{place}: {why}")]
    Invalid {
        /// Where it is from.
        place: String,
        /// What is wrong with it.
        why: String,
    },
    /// The authorization server does not register clients by itself.
    #[error("{issuer} does not register clients by itself")]
    NoRegistration {
        /// The authorization server.
        issuer: String,
    },
    /// The authorization server refuses something.
    #[error("{issuer} refused the sign-in: {error}")]
    Refused {
        /// The authorization server.
        issuer: String,
        /// The error code and its description.
        error: String,
    },
    /// What the browser was sent back with does not belong to this sign-in.
    #[error("{0}")]
    Callback(CallbackError),
    /// No sign-in to this server has begun.
    #[error("no sign-in to {0} is under way")]
    NotBegun(String),
    /// The user did not come back.
    #[error("the user did not sign in within {} minutes", .0.as_secs() / 60)]
    TimedOut(Duration),
    /// The port for the browser's answer can't be opened.
    #[error("the port for the browser's answer can't be opened: {0}")]
    Listener(std::io::Error),
    /// The sign-in can't be stored.
    #[error("the sign-in can't be stored: {0}")]
    NotStored(String),
    /// Other users can read the stored sign-in.
    #[error(transparent)]
    NotPrivate(#[from] PrivacyError),
    /// Another process is at work on the same sign-in.
    #[error("another process is at work on this sign-in")]
    Busy,
}

/// Why the address that a browser was sent back to is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallbackError {
    /// It is not an address.
    #[error("the text is not the address of the page that the browser ended on")]
    NotAnAddress,
    /// It is not the redirect address of this sign-in.
    #[error("the address does not begin with {0}")]
    WrongPlace(String),
    /// It has no code, no state, or one of them twice.
    #[error("the address has no valid {0}")]
    Incomplete(&'static str),
    /// It belongs to another sign-in.
    #[error("the address belongs to another sign-in: its state differs")]
    WrongState,
    /// Another authorization server sent it.
    #[error("the address comes from another authorization server: its issuer differs")]
    WrongIssuer,
}

impl HintedError for SignInError {
    fn hint(&self) -> Option<Hint> {
        match self {
            SignInError::NoRegistration { .. } => Some(Hint::clause(
                "register a client there, and set its id as `oauth.clientId` in the server's configuration",
            )),
            SignInError::NotPrivate(error) => error.hint().map(Hint::clause),
            SignInError::HasHeader(_) => Some(Hint::clause("remove the header to sign in")),
            SignInError::NoSignIn(_) => {
                Some(Hint::clause("if it needs credentials, set a header in its configuration"))
            }
            SignInError::Callback(CallbackError::NotAnAddress | CallbackError::WrongPlace(_)) => {
                Some(Hint::clause("copy the whole address from the browser's address bar"))
            }
            SignInError::Callback(_) | SignInError::NotBegun(_) | SignInError::TimedOut(_) => {
                Some(Hint::clause("begin the sign-in again"))
            }
            _ => None,
        }
    }
}

impl From<CallbackError> for SignInError {
    fn from(error: CallbackError) -> Self {
        SignInError::Callback(error)
    }
}

impl From<RegularFileError> for SignInError {
    fn from(error: RegularFileError) -> Self {
        SignInError::NotStored(error.to_string())
    }
}

impl From<std::io::Error> for SignInError {
    fn from(error: std::io::Error) -> Self {
        SignInError::NotStored(error.to_string())
    }
}

impl From<LockError> for SignInError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Held { .. } => SignInError::Busy,
            LockError::Io(error) => error.into(),
        }
    }
}
