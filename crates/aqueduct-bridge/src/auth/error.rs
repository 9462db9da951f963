use aqueduct_wire::hint::{Hint, HintedError};
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
    #[error("the token has {0} characters and needs at least 24")]
    ShortToken(usize),
    /// A given token has too few different characters to be random.
    #[error("the token repeats a few characters and is easy to guess")]
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
    #[error("`{0}` is not a host name")]
    NoHostName(String),
}

impl HintedError for AuthError {
    fn hint(&self) -> Option<Hint> {
        Some(Hint::clause(match self {
            AuthError::ShortToken(_) | AuthError::RepetitiveToken => {
                "make one with `openssl rand -hex 32`, or use `aqueduct token new` instead"
            }
            AuthError::NoHostName(_) => {
                "give a name or an address, with a port if only that one is meant, or an origin such as \
                 https://box.example"
            }
            AuthError::NoRandomness(_) | AuthError::LongToken(_) | AuthError::StrangeToken => return None,
        }))
    }
}

impl From<AuthError> for Failure {
    fn from(error: AuthError) -> Self {
        Failure::of(ErrorCode::Internal, &error)
    }
}
