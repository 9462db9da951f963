//! Strings to and from the form in which they appear in a line.

use super::scan;

/// Writes `text` as a JSON string.
pub(crate) fn string(out: &mut String, text: &str) {
    out.push('"');
    let bytes = text.as_bytes();
    let mut done = 0;
    loop {
        let at = scan::next_special(bytes, done);
        out.push_str(&text[done..at]);
        let Some(&byte) = bytes.get(at) else { break };
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x08 => out.push_str("\\b"),
            0x0c => out.push_str("\\f"),
            _ => {
                out.push_str("\\u00");
                for digit in [byte >> 4, byte & 15] {
                    out.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
                }
            }
        }
        done = at + 1;
    }
    out.push('"');
}

/// Writes the comma that is due, if one is, and a member name that needs no escapes with its colon.
///
/// A function of its own: a copy of it for every member of every record would be most of the writers' code.
#[inline(never)]
pub(super) fn key(out: &mut String, quoted_with_colon: &str) {
    if out.as_bytes().last() != Some(&b'{') {
        out.push(',');
    }
    out.push_str(quoted_with_colon);
}

/// The text of a string token whose escapes are known to be valid. The second value is whether it can
/// be written back from that text: a lone surrogate is not a character, and is read as U+FFFD.
pub(crate) fn unescape(token: &str) -> (String, bool) {
    let mut text = String::with_capacity(token.len());
    let mut whole = true;
    let mut rest = token;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        text.push_str(&rest[..at]);
        let code = rest.as_bytes().get(at + 1).copied().unwrap_or(b'\\');
        if code != b'u' {
            text.push(match code {
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                other => char::from(other),
            });
            rest = &rest[at + 2..];
            continue;
        }
        let unit = code_unit(&rest[at..]);
        rest = &rest[at + 6..];
        let low = (0xd800..0xdc00).contains(&unit).then(|| low_surrogate(rest)).flatten();
        match low {
            Some(low) => {
                let scalar = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                text.push(char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER));
                rest = &rest[6..];
            }
            None => {
                whole &= !(0xd800..0xe000).contains(&unit);
                text.push(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
    }
    text.push_str(rest);
    (text, whole)
}

/// The code unit of the `\uXXXX` at the start of `escape`.
fn code_unit(escape: &str) -> u32 {
    escape.get(2..6).and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0xfffd)
}

fn low_surrogate(rest: &str) -> Option<u32> {
    let unit = rest.starts_with("\\u").then(|| code_unit(rest))?;
    (0xdc00..0xe000).contains(&unit).then_some(unit)
}

/// Escapes U+2028 and U+2029 in a finished line. JSON allows them inside strings, but readers that split
/// on Unicode line ends (Node's `readline` is one) would cut the frame in two.
pub(crate) fn protect_line_ends(line: String) -> String {
    const SEPARATORS: [char; 2] = ['\u{2028}', '\u{2029}'];
    let suspicious = memchr::memmem::find(line.as_bytes(), b"\xe2\x80").is_some();
    if !suspicious || !line.contains(SEPARATORS) {
        return line;
    }
    line.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
