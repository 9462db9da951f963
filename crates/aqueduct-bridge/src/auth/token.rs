use std::fmt;
use std::hint::black_box;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::AuthError;
use crate::log::Hash;

/// What the tokens begin with that the bridge makes, so that people and scanners know one when they see it.
pub const TOKEN_PREFIX: &str = "aq_";

const RANDOM_BYTES: usize = 32;
/// The minimum for a token that a user chooses: as many characters as 16 random bytes in base64, about, and
/// as many different ones as random text of that length practically always has.
const SHORTEST: usize = 24;
const FEWEST_DIFFERENT: usize = 8;

/// What is shorter is not looked up.
const SHORTEST_SHOWN: usize = 8;
const LONGEST: usize = 256;

/// A secret that lets its bearer in. Nothing shows it but [`Token::reveal`].
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A new random token.
    pub fn random() -> Result<Self, AuthError> {
        let mut bytes = [0; RANDOM_BYTES];
        getrandom::fill(&mut bytes).map_err(|error| AuthError::NoRandomness(error.to_string()))?;
        Ok(Token(format!("{TOKEN_PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes))))
    }

    /// A token that a user chose, for automation. It must be hard to guess and valid in a header.
    pub fn given(text: impl Into<String>) -> Result<Self, AuthError> {
        let text = text.into();
        if !is_sendable(&text) {
            return Err(AuthError::StrangeToken);
        }
        match text.len() {
            short if short < SHORTEST => Err(AuthError::ShortToken(short)),
            long if long > LONGEST => Err(AuthError::LongToken(long)),
            _ if different(&text) < FEWEST_DIFFERENT => Err(AuthError::RepetitiveToken),
            _ => Ok(Token(text)),
        }
    }

    /// The secret itself: for whom it belongs to, once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is kept of it.
    pub fn hash(&self) -> Hash {
        hash(&self.0)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// What a secret is known by.
pub(super) fn hash(secret: &str) -> Hash {
    Sha256::digest(secret.as_bytes()).into()
}

/// Whether two hashes are the same, in a time that does not depend on where they differ.
pub(super) fn is_same(one: &Hash, other: &Hash) -> bool {
    let difference = one.iter().zip(other).fold(0, |found, (one, other)| found | (one ^ other));
    black_box(difference) == 0
}

/// How many different characters an ASCII text has.
fn different(text: &str) -> usize {
    let mut seen = [false; 256];
    text.bytes().for_each(|byte| seen[usize::from(byte)] = true);
    seen.into_iter().filter(|seen| *seen).count()
}

/// Whether a text shown as a token can be one at all.
pub(super) fn is_plausible(shown: &str) -> bool {
    (SHORTEST_SHOWN..=LONGEST).contains(&shown.len()) && is_sendable(shown)
}

/// Whether it is made like the tokens that the bridge makes.
pub(super) fn is_ours(text: &str) -> bool {
    let length = (RANDOM_BYTES * 8).div_ceil(6);
    text.strip_prefix(TOKEN_PREFIX).is_some_and(|rest| {
        rest.len() == length && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
    })
}

fn is_sendable(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\",;\\".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_random_and_never_printed() {
        let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
        assert_ne!(one.reveal(), other.reveal());
        assert!(is_ours(one.reveal()) && is_plausible(one.reveal()));
        assert_eq!(one.reveal().len(), TOKEN_PREFIX.len() + 43);
        assert_eq!(format!("{one:?}"), "Token");
        assert!(is_same(&one.hash(), &Token::given(one.reveal()).unwrap().hash()));
        assert!(!is_same(&one.hash(), &other.hash()));
    }

    #[test]
    fn hashes_differ_wherever_a_bit_does() {
        for bit in 0..256 {
            let mut other = [7; 32];
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(!is_same(&[7; 32], &other), "bit {bit}");
        }
        assert!(is_same(&[7; 32], &[7; 32]));
    }

    #[test]
    fn a_given_token_has_to_be_one() {
        for (text, error) in [
            ("short", AuthError::ShortToken(5)),
            ("correct-horse-battery-s", AuthError::ShortToken(23)),
            (&"ab1".repeat(12), AuthError::RepetitiveToken),
            (&"0".repeat(64), AuthError::RepetitiveToken),
            ("with space", AuthError::StrangeToken),
            ("semi;colon", AuthError::StrangeToken),
            ("schlüssel", AuthError::StrangeToken),
            (&"x".repeat(257), AuthError::LongToken(257)),
        ] {
            assert_eq!(Token::given(text).unwrap_err(), error, "{text}");
        }
        for good in
            ["0fb8a1c6d4e29357b0a8c1d2", "q8Zr4mVx0LkTn2WcYb7uHg==", "6f1d2c3b-4a59-4877-9695-a4b3c2d1e0ff"]
        {
            Token::given(good).unwrap();
        }
    }
}
