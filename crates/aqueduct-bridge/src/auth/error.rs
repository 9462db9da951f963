use thiserror::Error;

use crate::Failure;
use crate::message::ErrorCode;

/// Why a token can't be made or taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AuthError {
    /// The system gives no random numbers.
    #[error("the system gives no random numbers, so no token can be made: {0}")]
    NoRandomness(String),
    /// A given token is too short to be a secret.
    #[error(
        "the token has {0} characters and needs at least 24: make one with `openssl rand -hex 32`, or use \
         `aqueduct token new` instead"
    )]
    ShortToken(usize),
    /// A given token has too few different characters to be random.
    #[error(
        "the token repeats a few characters and is easy to guess: make one with `openssl rand -hex 32`, or use \
         `aqueduct token new` instead"
    )]
    RepetitiveToken,
    /// A given token is longer than clients can send.
    #[error("the token has {0} characters: at most 256 are taken")]
    LongToken(usize),
    /// A given token has characters that are not allowed in a header.
    #[error(
        "the token may have letters, digits and signs of ASCII only, without spaces, commas and semicolons"
    )]
    StrangeToken,
    /// A host name that was given is none.
    #[error(
        "`{0}` is not a host name: give a name or an address, with a port if only that one is meant, or an origin such as \
         https://box.example"
    )]
    NoHostName(String),
}

impl From<AuthError> for Failure {
    fn from(error: AuthError) -> Self {
        Failure::new(ErrorCode::Internal, error.to_string())
    }
}
