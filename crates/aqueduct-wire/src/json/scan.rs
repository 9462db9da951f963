//! The loops that every byte passes through: strings, numbers and whole values, checked and skipped.

use super::{Expected, ParseError};

/// How deep objects and arrays may be nested in a frame. The same bound as `serde_json`'s, so whatever a
/// frame holds can be handed on to it.
pub const MAX_DEPTH: usize = 128;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

fn fault<T>(offset: usize, expected: Expected) -> Result<T, ParseError> {
    Err(ParseError::Syntax { offset, expected })
}

/// Marks the bytes of a word that can't occur unescaped in a JSON string: the quote, the backslash and
/// control characters. The lowest mark is exact; borrows can only add marks above it.
///
/// With the second bit turned over, the quote and the control characters are all that is below `0x21`.
#[inline(always)]
fn special(word: u64) -> u64 {
    let quote_or_control = (word ^ (ONES * 0x02)).wrapping_sub(ONES * 0x21);
    let backslash = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
    (quote_or_control | backslash) & !word & HIGHS
}

/// The place of the next byte at or after `at` that can't occur unescaped in a string.
#[inline(always)]
pub(crate) fn next_special(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let marks = special(u64::from_le_bytes(*chunk));
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(&byte) = bytes.get(at) {
        if byte < 0x20 || byte == b'"' || byte == b'\\' {
            break;
        }
        at += 1;
    }
    at
}

/// Skips a string whose opening quote is just before `at`: the place of its closing quote, and whether
/// there are escapes in it.
#[inline(always)]
pub(crate) fn string(bytes: &[u8], at: usize) -> Result<(usize, bool), ParseError> {
    let at = next_special(bytes, at);
    if bytes.get(at) == Some(&b'"') {
        return Ok((at, false));
    }
    escaped_string(bytes, at).map(|end| (end, true))
}

/// The closing quote of a string with an escape, or something that is not allowed, at `at`.
fn escaped_string(bytes: &[u8], mut at: usize) -> Result<usize, ParseError> {
    loop {
        match bytes.get(at) {
            Some(b'"') => return Ok(at),
            Some(b'\\') => at = next_special(bytes, escape(bytes, at)?),
            _ => return fault(at, Expected::StringEnd),
        }
    }
}

/// The place after the escape that begins at `at`.
fn escape(bytes: &[u8], at: usize) -> Result<usize, ParseError> {
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => match bytes.get(at + 2..at + 6) {
            Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => Ok(at + 6),
            _ => fault(at, Expected::Escape),
        },
        _ => fault(at, Expected::Escape),
    }
}

/// The place after the number that begins at `at`.
#[inline]
pub(crate) fn number(bytes: &[u8], mut at: usize) -> Result<usize, ParseError> {
    if bytes.get(at) == Some(&b'-') {
        at += 1;
    }
    match bytes.get(at) {
        Some(b'0') => at += 1,
        Some(b'1'..=b'9') => at = digits(bytes, at),
        _ => return fault(at, Expected::Digit),
    }
    if bytes.get(at) == Some(&b'.') {
        at = some_digits(bytes, at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = bytes.get(at) {
            at += 1;
        }
        at = some_digits(bytes, at)?;
    }
    Ok(at)
}

fn some_digits(bytes: &[u8], at: usize) -> Result<usize, ParseError> {
    match digits(bytes, at) {
        end if end == at => fault(at, Expected::Digit),
        end => Ok(end),
    }
}

fn digits(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b'0'..=b'9') = bytes.get(at) {
        at += 1;
    }
    at
}

/// The place of the next byte that is not white space.
#[inline(always)]
pub(crate) fn space(bytes: &[u8], mut at: usize) -> usize {
    // Lines are written without white space, so one comparison is the common case.
    while let Some(&byte) = bytes.get(at)
        && byte <= b' '
        && matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
    {
        at += 1;
    }
    at
}

/// The place after `true`, `false` or `null` at `at`.
#[inline]
pub(crate) fn word(bytes: &[u8], at: usize) -> Result<usize, ParseError> {
    let rest = bytes.get(at..).unwrap_or_default();
    for word in ["true", "false", "null"] {
        if rest.starts_with(word.as_bytes()) {
            return Ok(at + word.len());
        }
    }
    fault(at, Expected::Value)
}

/// Checks the value that begins at `at` and returns the place after it. `depth` is its nesting.
///
/// No recursion: which of the open brackets are objects is kept as bits, innermost lowest.
pub(crate) fn value(bytes: &[u8], mut at: usize, depth: usize) -> Result<usize, ParseError> {
    let mut objects: u128 = 0;
    let mut open = 0;
    'value: loop {
        at = match bytes.get(at) {
            Some(b'"') => string(bytes, at + 1)?.0 + 1,
            Some(b'-' | b'0'..=b'9') => number(bytes, at)?,
            Some(bracket @ (b'{' | b'[')) => {
                let is_object = *bracket == b'{';
                if depth + open >= MAX_DEPTH {
                    return Err(ParseError::TooDeep { offset: at });
                }
                let inside = space(bytes, at + 1);
                if bytes.get(inside) == Some(if is_object { &b'}' } else { &b']' }) {
                    inside + 1
                } else {
                    open += 1;
                    objects = objects << 1 | u128::from(is_object);
                    at = if is_object { key(bytes, inside)? } else { inside };
                    continue 'value;
                }
            }
            _ => word(bytes, at)?,
        };
        loop {
            if open == 0 {
                return Ok(at);
            }
            at = space(bytes, at);
            let in_object = objects & 1 == 1;
            match bytes.get(at) {
                Some(b',') => {
                    at = space(bytes, at + 1);
                    if in_object {
                        at = key(bytes, at)?;
                    }
                    continue 'value;
                }
                Some(b'}') if in_object => {}
                Some(b']') if !in_object => {}
                _ => return fault(at, Expected::CommaOrEnd),
            }
            at += 1;
            objects >>= 1;
            open -= 1;
        }
    }
}

/// Skips a member name and its colon: the place where the member's value begins.
#[inline(always)]
fn key(bytes: &[u8], at: usize) -> Result<usize, ParseError> {
    // The way nearly every member is written: no white space, no escape.
    if bytes.get(at) == Some(&b'"') {
        let end = next_special(bytes, at + 1);
        if let Some([b'"', b':', value]) = bytes.get(end..end + 3)
            && *value > b' '
        {
            return Ok(end + 2);
        }
    }
    key_in_any_form(bytes, at)
}

fn key_in_any_form(bytes: &[u8], at: usize) -> Result<usize, ParseError> {
    if bytes.get(at) != Some(&b'"') {
        return fault(at, Expected::Key);
    }
    let after = space(bytes, string(bytes, at + 1)?.0 + 1);
    if bytes.get(after) != Some(&b':') {
        return fault(after, Expected::Colon);
    }
    Ok(space(bytes, after + 1))
}

/// The place after the string, object or array that begins at `at`, found without checking what is inside:
/// brackets are counted and strings are left at their closing quote, nothing else.
pub(crate) fn skim(bytes: &[u8], mut at: usize) -> Result<usize, ParseError> {
    let mut open = 0_usize;
    loop {
        match bytes.get(at) {
            Some(b'"') => at = skim_string(bytes, at + 1)?,
            Some(b'{' | b'[') => open += 1,
            Some(b'}' | b']') => open = open.saturating_sub(1),
            Some(_) => {}
            None => return fault(at, Expected::CommaOrEnd),
        }
        at += 1;
        if open == 0 {
            return Ok(at);
        }
    }
}

/// The closing quote of the string whose opening quote is just before `at`.
#[inline]
fn skim_string(bytes: &[u8], at: usize) -> Result<usize, ParseError> {
    let special = next_special(bytes, at);
    if bytes.get(special) == Some(&b'"') {
        return Ok(special);
    }
    // Text with many escapes has far fewer quotes: go from quote to quote and look back. A quote is the end
    // if the backslashes before it are all escaped themselves.
    let mut from = special;
    while let Some(next) = memchr::memchr(b'"', bytes.get(from..).unwrap_or_default()) {
        let quote = from + next;
        let backslashes = bytes[at..quote].iter().rev().take_while(|byte| **byte == b'\\').count();
        if backslashes % 2 == 0 {
            return Ok(quote);
        }
        from = quote + 1;
    }
    fault(bytes.len(), Expected::StringEnd)
}
