//! Quotes with escape codes of their own.

use super::{Uncertainty, parser::ShellParser};

impl ShellParser<'_, '_> {
    /// Reads `$'…'` after its opening quote. Returns the text and whether every shell reads it so.
    pub(super) fn ansi_quoted(&mut self) -> (String, bool) {
        let mut text = Vec::new();
        let mut certain = true;
        // A zero byte ends the text for some shells.
        let mut end = None;
        loop {
            match self.byte(0) {
                None => {
                    self.uncertainty(Uncertainty::Syntax);
                    break;
                }
                Some(b'\'') => {
                    self.advance(1);
                    break;
                }
                Some(b'\\') => {
                    let (bytes, length, sure) = ansi_escape(&self.rest()[1..]);
                    certain &= sure;
                    if bytes == [0] {
                        certain = false;
                        end.get_or_insert(text.len());
                    }
                    text.extend(bytes);
                    self.advance(1 + length);
                }
                Some(byte) => {
                    text.push(byte);
                    self.advance(1);
                }
            }
        }
        text.truncate(end.unwrap_or(text.len()));
        certain &= std::str::from_utf8(&text).is_ok();
        (String::from_utf8_lossy(&text).into_owned(), certain)
    }
}

/// The bytes that an escape in `$'…'` represents, its length after the backslash, and whether that is
/// certain.
fn ansi_escape(rest: &str) -> (Vec<u8>, usize, bool) {
    let digits = |from: usize, most: usize, radix: u32| {
        let text: &str = &rest[from..];
        let count = text.chars().take(most).take_while(|c| c.is_digit(radix)).count();
        (u32::from_str_radix(&text[..count], radix).ok(), from + count)
    };
    let Some(first) = rest.chars().next() else { return (Vec::new(), 0, false) };
    let simple = match first {
        'a' => 7,
        'b' => 8,
        'e' | 'E' => 27,
        'f' => 12,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        '\\' | '\'' | '"' | '?' => first as u8,
        _ => 0,
    };
    if simple != 0 {
        return (vec![simple], 1, true);
    }
    if rest.starts_with("x{") {
        let (code, length) = digits(2, 8, 16);
        let closing = usize::from(rest[length..].starts_with('}'));
        return (vec![(code.unwrap_or_default() & 0xff) as u8], length + closing, false);
    }
    let (code, length) = match first {
        'x' => digits(1, 2, 16),
        'u' => digits(1, 4, 16),
        'U' => digits(1, 8, 16),
        '0'..='7' => digits(0, 3, 8),
        _ => (None, 0),
    };
    match code {
        Some(code) if matches!(first, 'u' | 'U') => {
            let c = char::from_u32(code);
            let text = c.unwrap_or(char::REPLACEMENT_CHARACTER).to_string();
            (text.into_bytes(), length, c.is_some())
        }
        Some(code) => (vec![(code & 0xff) as u8], length, true),
        None => (format!("\\{first}").into_bytes(), first.len_utf8(), false),
    }
}

/// The text between backticks as the shell reads it.
pub(super) fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(&next) if c == '\\' && matches!(next, '`' | '\\' | '$') => {
                plain.push(next);
                chars.next();
            }
            _ => plain.push(c),
        }
    }
    plain
}
