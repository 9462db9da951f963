//! Quotes with escape codes of their own.

use super::{Doubt, parser::Parser};

impl Parser<'_, '_> {
    /// Reads `$'…'` after its opening quote.
    pub(super) fn ansi_quoted(&mut self) -> String {
        let mut text = Vec::new();
        loop {
            match self.byte(0) {
                None => {
                    self.doubt(Doubt::Syntax);
                    break;
                }
                Some(b'\'') => {
                    self.advance(1);
                    break;
                }
                Some(b'\\') => {
                    let (bytes, length) = ansi_escape(&self.rest()[1..]);
                    text.extend(bytes);
                    self.advance(1 + length);
                }
                Some(byte) => {
                    text.push(byte);
                    self.advance(1);
                }
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// The bytes an escape in `$'…'` stands for, and its length after the backslash.
fn ansi_escape(rest: &str) -> (Vec<u8>, usize) {
    let digits = |from: usize, most: usize, radix: u32| {
        let text: &str = &rest[from..];
        let count = text.chars().take(most).take_while(|c| c.is_digit(radix)).count();
        (u32::from_str_radix(&text[..count], radix).ok(), from + count)
    };
    let Some(first) = rest.chars().next() else { return (Vec::new(), 0) };
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
        return (vec![simple], 1);
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
            let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
            (c.to_string().into_bytes(), length)
        }
        Some(code) => (vec![(code & 0xff) as u8], length),
        None => (format!("\\{first}").into_bytes(), first.len_utf8()),
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
