//! JSON that has not come to its end yet.

use crate::json::MAX_DEPTH;

/// Completes the beginning of a JSON text to the longest valid JSON that contains nothing the whole text
/// might not contain.
///
/// Open brackets and the open string of a value are closed. A member without a value, half an escape, and a
/// number or a word that may continue are left out. Where the text is not a prefix of JSON, what precedes
/// the fault is completed. The result is empty as long as there is no value.
///
/// ```
/// # use aqueduct_wire::assemble::complete;
/// assert_eq!(complete(r#"{"path": "src/ma"#), r#"{"path": "src/ma"}"#);
/// assert_eq!(complete(r#"{"lines": [10, 2"#), r#"{"lines": [10]}"#);
/// assert_eq!(complete(r#"{"path": "a", "con"#), r#"{"path": "a"}"#);
/// assert_eq!(complete(""), "");
/// ```
pub fn complete(beginning: &str) -> String {
    let mut walk =
        PartialJsonScan { bytes: beginning.as_bytes(), open: Vec::new(), keep: 0, in_string: false };
    walk.run();
    let mut json = String::with_capacity(walk.keep + walk.open.len() + 1);
    json.push_str(beginning.get(..walk.keep).unwrap_or_default());
    if walk.in_string {
        json.push('"');
    }
    json.extend(walk.open.iter().rev().map(|bracket| if *bracket == b'{' { '}' } else { ']' }));
    json
}

struct PartialJsonScan<'a> {
    bytes: &'a [u8],
    /// The open brackets. They only change at places that are kept, so they always fit `keep`.
    open: Vec<u8>,
    /// How much of the text is kept: the end of the last value, or of the last opening bracket.
    keep: usize,
    /// Whether what is kept ends inside a string.
    in_string: bool,
}

/// What the grammar wants next.
#[derive(Clone, Copy, PartialEq)]
enum NextToken {
    Value,
    /// A value or, right after the opening bracket, the end of the array.
    FirstItem,
    Key,
    /// A key or, right after the opening bracket, the end of the object.
    FirstKey,
    Colon,
    CommaOrEnd,
}

impl PartialJsonScan<'_> {
    fn run(&mut self) {
        let mut at = 0;
        let mut want = NextToken::Value;
        while let Some((after, next)) = self.step(at, want) {
            (at, want) = (after, next);
        }
    }

    /// Takes one token; `None` where the text ends, goes wrong or is complete.
    fn step(&mut self, at: usize, want: NextToken) -> Option<(usize, NextToken)> {
        let byte = *self.bytes.get(at)?;
        let after = at + 1;
        match (byte, want) {
            (b' ' | b'\t' | b'\n' | b'\r', _) => Some((after, want)),
            (b'{' | b'[', NextToken::Value | NextToken::FirstItem) => {
                if self.open.len() == MAX_DEPTH {
                    return None;
                }
                self.open.push(byte);
                self.keep = after;
                Some((after, if byte == b'{' { NextToken::FirstKey } else { NextToken::FirstItem }))
            }
            (b'"', NextToken::Value | NextToken::FirstItem) => {
                let (end, whole) = string(self.bytes, after);
                self.keep = end;
                self.in_string = !whole;
                if whole { self.after_value(end) } else { None }
            }
            (b'"', NextToken::Key | NextToken::FirstKey) => {
                let (end, whole) = string(self.bytes, after);
                whole.then_some((end, NextToken::Colon))
            }
            (b':', NextToken::Colon) => Some((after, NextToken::Value)),
            (b',', NextToken::CommaOrEnd) => match self.open.last() {
                Some(b'{') => Some((after, NextToken::Key)),
                _ => Some((after, NextToken::Value)),
            },
            (b'}', NextToken::CommaOrEnd | NextToken::FirstKey)
            | (b']', NextToken::CommaOrEnd | NextToken::FirstItem) => {
                let opening = if byte == b'}' { b'{' } else { b'[' };
                if self.open.last() != Some(&opening) {
                    return None;
                }
                self.open.pop();
                self.keep = after;
                self.after_value(after)
            }
            (_, NextToken::Value | NextToken::FirstItem) => {
                let end = scalar(self.bytes, at)?;
                self.keep = end;
                self.after_value(end)
            }
            _ => None,
        }
    }

    fn after_value(&self, at: usize) -> Option<(usize, NextToken)> {
        (!self.open.is_empty()).then_some((at, NextToken::CommaOrEnd))
    }
}

/// Walks through the string that begins after the quote before `at`: the end of what can be kept of it, and
/// whether that is all, closing quote included.
fn string(bytes: &[u8], mut at: usize) -> (usize, bool) {
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let plain = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
        if let Some(control) = rest[..plain].iter().position(|byte| *byte < 0x20) {
            return (at + control, false);
        }
        at += plain;
        match bytes.get(at) {
            Some(b'"') => return (at + 1, true),
            Some(_) => match escape(bytes, at) {
                Some(after) => at = after,
                None => return (at, false),
            },
            None => return (at, false),
        }
    }
}

/// The place after the escape at `at`; `None` if it is not all there. The first half of a surrogate pair is
/// not all there until what follows it is.
fn escape(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 2),
        b'u' => {
            let unit = code_unit(bytes.get(at + 2..at + 6)?)?;
            let after = at + 6;
            if !(0xd800..0xdc00).contains(&unit) {
                return Some(after);
            }
            match bytes.get(after..)? {
                [] | [b'\\'] => None,
                [b'\\', b'u', digits @ ..] if digits.len() < 4 => None,
                _ => Some(after),
            }
        }
        _ => None,
    }
}

fn code_unit(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |unit, digit| Some(unit * 16 + char::from(*digit).to_digit(16)?))
}

/// The end of the number or word at `at`; `None` if it is not valid or may continue.
fn scalar(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    for word in ["true", "false", "null"] {
        if rest.starts_with(word.as_bytes()) {
            return Some(at + word.len());
        }
    }
    let length =
        rest.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'))?;
    is_number(&rest[..length]).then_some(at + length)
}

fn is_number(token: &[u8]) -> bool {
    let token = token.strip_prefix(b"-").unwrap_or(token);
    let (mantissa, exponent) = match memchr::memchr2(b'e', b'E', token) {
        Some(at) => (&token[..at], Some(&token[at + 1..])),
        None => (token, None),
    };
    let (whole, fraction) = match memchr::memchr(b'.', mantissa) {
        Some(at) => (&mantissa[..at], Some(&mantissa[at + 1..])),
        None => (mantissa, None),
    };
    let is_digits = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let unsigned = |digits: &[u8]| match digits {
        [b'+' | b'-', digits @ ..] => is_digits(digits),
        digits => is_digits(digits),
    };
    is_digits(whole)
        && (whole == b"0" || whole.first() != Some(&b'0'))
        && fraction.is_none_or(is_digits)
        && exponent.is_none_or(unsigned)
}
