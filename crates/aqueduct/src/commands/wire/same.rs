//! Whether two JSON texts have the same value.
//!
//! Members may be in any order, and of a name that occurs twice the last counts. Strings are the same
//! when they have the same characters, however they are escaped; numbers when they have the same digits.
//!
//! What can't be seen to be the same member by member is folded into digests, each text being walked once. No tree is built:
//! beside the digests of the members of the objects that are open, nothing is kept.

use super::aligned::aligned;
use crate::json_text::string_end;

/// Whether two valid JSON texts have the same value.
pub(super) fn same(one: &str, other: &str) -> bool {
    one == other || aligned(one, other) || digest(one) == digest(other)
}

/// A number that is equal for two texts of the same value, and otherwise almost never.
pub(super) fn digest(json: &str) -> u64 {
    let mut walk = DigestWalk { bytes: json.as_bytes(), at: 0, members: Vec::new() };
    walk.value()
}

struct DigestWalk<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Name and value of the members of all open objects, innermost last.
    members: Vec<(u64, u64)>,
}

impl DigestWalk<'_> {
    fn next(&mut self) -> Option<u8> {
        while let Some(byte) = self.bytes.get(self.at)
            && byte.is_ascii_whitespace()
        {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    /// The value here. Nesting is bounded by the parser that has seen the text before.
    fn value(&mut self) -> u64 {
        match self.next() {
            Some(b'"') => self.string(),
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            _ => self.scalar(),
        }
    }

    fn object(&mut self) -> u64 {
        self.at += 1;
        let first = self.members.len();
        while let Some(b'"') = self.next() {
            let name = self.string();
            self.next();
            self.at += 1;
            let value = self.value();
            self.members.push((name, value));
            if self.next() == Some(b',') {
                self.at += 1;
            }
        }
        self.at += 1;
        // The sort is stable: of equal names the last one stays last.
        self.members[first..].sort_by_key(|(name, _)| *name);
        let mut digest = StreamDigest::new(b'{');
        let members = &self.members[first..];
        for (index, (name, value)) in members.iter().enumerate() {
            if members.get(index + 1).is_none_or(|(next, _)| next != name) {
                digest.word(*name);
                digest.word(*value);
            }
        }
        self.members.truncate(first);
        digest.finish()
    }

    fn array(&mut self) -> u64 {
        self.at += 1;
        let mut digest = StreamDigest::new(b'[');
        while !matches!(self.next(), Some(b']') | None) {
            let value = self.value();
            digest.word(value);
            if self.next() == Some(b',') {
                self.at += 1;
            }
        }
        self.at += 1;
        digest.finish()
    }

    fn scalar(&mut self) -> u64 {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let is_part = |byte: &&u8| !matches!(byte, b',' | b'}' | b']') && !byte.is_ascii_whitespace();
        let length = rest.iter().take_while(is_part).count().max(1);
        let mut digest = StreamDigest::new(b'0');
        digest.bytes(&rest[..length.min(rest.len())]);
        self.at += length;
        digest.finish()
    }

    fn string(&mut self) -> u64 {
        let start = self.at + 1;
        let end = string_end(self.bytes, start);
        self.at = end + 1;
        let mut digest = StreamDigest::new(b'"');
        let mut rest = &self.bytes[start.min(end)..end];
        while let Some(at) = memchr::memchr(b'\\', rest) {
            digest.bytes(&rest[..at]);
            rest = unescape(&rest[at..], &mut digest);
        }
        digest.bytes(rest);
        digest.finish()
    }
}

/// Folds the escape at the start of `text` in, and gives what follows it.
fn unescape<'a>(text: &'a [u8], digest: &mut StreamDigest) -> &'a [u8] {
    let byte = match text.get(1) {
        Some(b'u') => return unescape_unit(text, digest),
        Some(b'b') => 0x08,
        Some(b'f') => 0x0c,
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(other) => *other,
        None => return &[],
    };
    digest.bytes(&[byte]);
    &text[2..]
}

fn unescape_unit<'a>(text: &'a [u8], digest: &mut StreamDigest) -> &'a [u8] {
    let (mut scalar, mut rest) = (unit(text), text.get(6..).unwrap_or_default());
    if (0xd800..0xdc00).contains(&scalar)
        && rest.starts_with(b"\\u")
        && let low @ 0xdc00..0xe000 = unit(rest)
    {
        scalar = 0x10000 + ((scalar - 0xd800) << 10) + (low - 0xdc00);
        rest = rest.get(6..).unwrap_or_default();
    }
    match char::from_u32(scalar) {
        Some(char) => digest.bytes(char.encode_utf8(&mut [0; 4]).as_bytes()),
        // Half of a surrogate pair: distinguished from every character by a byte that UTF-8 never has.
        None => digest.bytes(&[0xff, (scalar >> 8) as u8, scalar as u8]),
    }
    rest
}

fn unit(text: &[u8]) -> u32 {
    let digits = text.get(2..6).and_then(|digits| std::str::from_utf8(digits).ok());
    digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0xfffd)
}

/// A digest of bytes that arrive in pieces of any size.
struct StreamDigest {
    state: u64,
    pending: u64,
    length: u64,
}

impl StreamDigest {
    fn new(kind: u8) -> Self {
        StreamDigest { state: 0x9e37_79b9_7f4a_7c15 ^ u64::from(kind), pending: 0, length: 0 }
    }

    fn word(&mut self, word: u64) {
        let product = u128::from(self.state ^ word) * 0xa076_1d64_78bd_642f_u128;
        let folded = (product as u64) ^ ((product >> 64) as u64);
        self.state = folded.wrapping_add(0xe703_7ed1_a0b4_28db);
    }

    fn bytes(&mut self, mut bytes: &[u8]) {
        while !self.length.is_multiple_of(8)
            && let Some((&byte, rest)) = bytes.split_first()
        {
            self.byte(byte);
            bytes = rest;
        }
        while let Some((chunk, rest)) = bytes.split_first_chunk::<8>() {
            self.word(u64::from_le_bytes(*chunk));
            self.length += 8;
            bytes = rest;
        }
        for &byte in bytes {
            self.byte(byte);
        }
    }

    fn byte(&mut self, byte: u8) {
        self.pending |= u64::from(byte) << (8 * (self.length % 8));
        self.length += 1;
        if self.length.is_multiple_of(8) {
            let word = std::mem::take(&mut self.pending);
            self.word(word);
        }
    }

    fn finish(mut self) -> u64 {
        let pending = self.pending;
        self.word(pending);
        self.word(self.length);
        self.state
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_same_in_other_words() {
        for (one, other) in [
            (r#"{"a":1,"b":[2,{"c":null}]}"#, r#"{ "b" : [ 2, {"c":null} ] , "a": 1 }"#),
            (r#"{"a":1,"a":2}"#, r#"{"a":2}"#),
            (r#"{"a":{"x":1},"b":0,"a":{}}"#, r#"{"b":0,"a":{}}"#),
            (r#""A\u00e9\ud83d\ude00\/\n""#, "\"\\u0041é😀/\\u000a\""),
            (r#"{"\u0061":1}"#, r#"{"a":1}"#),
            (r#""\ud800""#, r#""\uD800""#),
            (r#"{}"#, r#"{ }"#),
            (r#"{"a":1,"b":{"c":[{"d":1,"e":"\u0041"}]}}"#, r#"{"b":{"c":[{"e":"A","d":1}]},"a":1}"#),
        ] {
            assert!(same(one, other) && same(other, one), "{one} {other}");
            assert!(digest(one) == digest(other), "{one} {other}");
        }
    }

    #[test]
    fn not_the_same() {
        for (one, other) in [
            ("1", "1.0"),
            ("1e2", "100"),
            ("-0.0", "0.0"),
            ("12345678901234567890123", "12345678901234567890124"),
            (r#""1""#, "1"),
            ("[]", "{}"),
            ("[1,2]", "[2,1]"),
            ("[[1],2]", "[1,[2]]"),
            (r#"{"a":1,"b":2}"#, r#"{"a":2,"b":1}"#),
            (r#"{"a":2,"a":1}"#, r#"{"a":2}"#),
            (r#""\ud800""#, r#""\ufffd""#),
            (r#""\ud800""#, r#""\ud801""#),
            (r#"{"a":null}"#, "{}"),
            (r#"{"a":1,"a":1,"b":2}"#, r#"{"a":1,"b":2,"c":3}"#),
            (r#"{"a":[1,2]}"#, r#"{"a":[1,2,3]}"#),
        ] {
            assert!(!same(one, other) && !same(other, one), "{one} {other}");
            assert!(digest(one) != digest(other), "{one} {other}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_a_tree(one in json(), other in json()) {
            let (left, right) = (one.to_string(), other.to_string());
            prop_assert_eq!(digest(&left) == digest(&right), one == other);
            prop_assert_eq!(same(&left, &right), one == other);
            prop_assert!(same(&left, &serde_json::to_string_pretty(&one).unwrap()));
        }
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i8>().prop_map(Into::into),
            ".{0,12}".prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
                prop::collection::vec(("[ab]{1,2}", inner), 0..4)
                    .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
            ]
        })
    }
}
