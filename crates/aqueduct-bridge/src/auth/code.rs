use std::fmt;

use super::{AuthError, token};
use crate::log::Hash;

/// Digits and letters that can't be confused with each other.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH: usize = 16;
const GROUP: usize = 4;

/// A code that pairs one device, once. It has 80 random bits, which is plenty for ten minutes, and few enough
/// characters to be typed where a camera is of no use.
#[derive(Clone, PartialEq, Eq)]
pub struct PairingCode([u8; LENGTH]);

impl PairingCode {
    /// A new one.
    pub fn random() -> Result<Self, AuthError> {
        let mut bytes = [0; LENGTH];
        getrandom::fill(&mut bytes).map_err(|error| AuthError::NoRandomness(error.to_string()))?;
        Ok(PairingCode(bytes.map(|byte| ALPHABET[usize::from(byte) % ALPHABET.len()])))
    }

    /// A code as users type it: in lower case too, with and without dashes, `O` for `0`.
    pub fn parse(typed: &str) -> Option<Self> {
        let mut code = [0; LENGTH];
        let mut places = code.iter_mut();
        for byte in typed.bytes().filter(|byte| !b"- ".contains(byte)) {
            let byte = match byte.to_ascii_uppercase() {
                b'O' => b'0',
                b'I' | b'L' => b'1',
                byte => byte,
            };
            *places.next()? = *ALPHABET.iter().find(|letter| **letter == byte)?;
        }
        places.next().is_none().then_some(PairingCode(code))
    }

    /// The code for people: groups of four.
    pub fn reveal(&self) -> String {
        let groups: Vec<String> =
            self.0.chunks(GROUP).map(|group| group.iter().map(|byte| char::from(*byte)).collect()).collect();
        groups.join("-")
    }

    /// What is kept of it.
    pub fn hash(&self) -> Hash {
        token::hash(&self.reveal())
    }
}

impl fmt::Debug for PairingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PairingCode")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let code = PairingCode::parse("0123-4567-89AB-CDEF").unwrap();
        for typed in ["0123456789abcdef", "o i23 4567 89ab cdef", " 0L23-4567-89AB-CDEF "] {
            assert_eq!(PairingCode::parse(typed), Some(code.clone()), "{typed}");
        }
        for typed in ["", "0123", "0123-4567-89AB-CDEF-0", "0123-4567-89AB-CDEU", "0123-4567-89AB-CDE\u{e9}"]
        {
            assert_eq!(PairingCode::parse(typed), None, "{typed}");
        }
        let new = PairingCode::random().unwrap();
        assert_eq!(PairingCode::parse(&new.reveal()).unwrap().hash(), new.hash());
        assert_ne!(new, PairingCode::random().unwrap());
        assert_eq!(format!("{new:?}"), "PairingCode");
    }
}
