//! Digests of unambiguous encodings.

use std::fmt;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ProvisionDigest([u8; 32]);

impl ProvisionDigest {
    /// The digest of bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        ProvisionDigest(Sha256::digest(bytes).into())
    }

    /// Reads 64 hexadecimal digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let digit = |digit: u8| char::from(digit).to_digit(16);
            *byte = u8::try_from(digit(pair[0])? * 16 + digit(pair[1])?).ok()?;
        }
        Some(ProvisionDigest(bytes))
    }

    /// Its bytes.
    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ProvisionDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ProvisionDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A sequence of fields as bytes. Every field carries its length, so that two different sequences of the same kinds
/// of fields never have the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldEncoding(Vec<u8>);

impl FieldEncoding {
    /// An encoding for one purpose, which is its first field.
    pub(crate) fn new(purpose: &str) -> Self {
        let mut encoding = FieldEncoding(Vec::new());
        encoding.text(purpose);
        encoding
    }

    /// Adds a number.
    pub(crate) fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_be_bytes());
    }

    /// Adds bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// Adds text.
    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Adds a JSON value. The order of an object's members and the formatting of its text don't matter.
    pub(crate) fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.0.push(b'n'),
            Value::Bool(is_true) => self.0.push(if *is_true { b't' } else { b'f' }),
            Value::Number(number) => {
                self.0.push(b'd');
                self.text(&number.to_string());
            }
            Value::String(text) => {
                self.0.push(b's');
                self.text(text);
            }
            Value::Array(items) => {
                self.0.push(b'a');
                self.number(items.len() as u64);
                items.iter().for_each(|item| self.value(item));
            }
            Value::Object(members) => {
                self.0.push(b'o');
                self.number(members.len() as u64);
                let mut members: Vec<(&String, &Value)> = members.iter().collect();
                members.sort_by_key(|(name, _)| *name);
                for (name, value) in members {
                    self.text(name);
                    self.value(value);
                }
            }
        }
    }

    /// Its digest.
    pub(crate) fn digest(&self) -> ProvisionDigest {
        ProvisionDigest::of(&self.0)
    }
}
