//! Where the values of a JSON text are. The text must be valid JSON: `serde_json` has read it.

use std::ops::Range;

/// Where the members of the object at `at` are: each key, without quotes, and its value.
pub(super) fn members(text: &str, at: usize) -> Option<Vec<(&str, Range<usize>)>> {
    let mut members = Vec::new();
    let mut at = enter(text, at, b'{')?;
    while text.as_bytes().get(at) == Some(&b'"') {
        let key = at..value_end(text, at)?;
        let colon = space_end(text, key.end);
        let start = space_end(text, colon + 1);
        let value = start..value_end(text, start)?;
        at = next(text, value.end);
        members.push((text.get(key.start + 1..key.end - 1)?, value));
    }
    Some(members)
}

/// Where the elements of the list at `at` are.
pub(super) fn elements(text: &str, at: usize) -> Option<Vec<Range<usize>>> {
    let mut elements = Vec::new();
    let mut at = enter(text, at, b'[')?;
    while *text.as_bytes().get(at)? != b']' {
        let value = at..value_end(text, at)?;
        at = next(text, value.end);
        elements.push(value);
    }
    Some(elements)
}

fn enter(text: &str, at: usize, bracket: u8) -> Option<usize> {
    (*text.as_bytes().get(at)? == bracket).then(|| space_end(text, at + 1))
}

/// The beginning of what follows a value: past its comma, if it has one.
fn next(text: &str, end: usize) -> usize {
    let at = space_end(text, end);
    if text.as_bytes().get(at) == Some(&b',') { space_end(text, at + 1) } else { at }
}

/// The end of the white space at `at`.
pub(super) fn space_end(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
}

/// The end of the value at `at`.
fn value_end(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = at;
    loop {
        match bytes.get(at)? {
            b'"' => at = string_end(bytes, at)?,
            b'{' | b'[' => {
                depth += 1;
                at += 1;
                continue;
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            byte if byte.is_ascii_alphanumeric() || *byte == b'-' => {
                at += bytes[at..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
                    .count();
            }
            _ => {
                at += 1;
                continue;
            }
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}
