//! Words: quotes and escapes.

use std::borrow::Cow;

use super::{ShellWord, Uncertainty, parser::ShellParser};

/// A word while it is read.
#[derive(Default)]
pub(super) struct WordBuilder {
    pub(super) value: String,
    pub(super) unknown: bool,
    glob: bool,
    tilde: bool,
    pub(super) splits: bool,
    /// Whether an unquoted `{` was seen, and after it a `,` or `..`.
    brace_open: bool,
    brace_list: bool,
}

/// Whether a byte ends a word when it is not quoted.
fn ends_word(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}

/// Bytes that mean themselves anywhere in a word.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b',' | b'+' | b'@' | b'%')
}

/// Whether a word begins with `name[` and its subscript may continue past the end of the word, or holds
/// something that is evaluated although it is quoted.
fn is_open_subscript(raw: &str) -> bool {
    let Some((name, subscript)) = raw.split_once('[') else { return false };
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let inside = subscript.split("]=").next().unwrap_or_default();
    named
        && (inside.contains(['\'', '"', '\\', '$', '`'])
            || raw.matches('[').count() > raw.matches(']').count())
}

/// Whether a text has a subscript with a command in it. Where a shell evaluates such a text, the command
/// runs, however the text is quoted.
fn hides_subscript(value: &str) -> bool {
    let mut depth = 0_usize;
    let mut before = b' ';
    for (at, byte) in value.bytes().enumerate() {
        match byte {
            b'[' if depth > 0 || before.is_ascii_alphanumeric() || before == b'_' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            b'`' if depth > 0 => return true,
            b'$' if depth > 0 && value[at + 1..].starts_with(['(', '{']) => return true,
            _ => {}
        }
        before = byte;
    }
    false
}

impl<'a> ShellParser<'a, '_> {
    /// Reads a word at the current position, if there is one.
    pub(super) fn word(&mut self) -> Option<ShellWord<'a>> {
        let bytes = self.rest().as_bytes();
        let plain = bytes.iter().take_while(|byte| is_plain(**byte)).count();
        if plain > 0 && bytes.get(plain).is_none_or(|byte| ends_word(*byte)) {
            let raw = &self.rest()[..plain];
            self.advance(plain);
            return Some(ShellWord {
                raw: raw.into(),
                value: raw.into(),
                known: true,
                ..ShellWord::default()
            });
        }
        let start = self.position;
        let mut building = WordBuilder::default();
        while self.part(start, &mut building) {}
        if self.position == start {
            return None;
        }
        let raw = self.slice(start, self.position);
        if is_open_subscript(raw) || hides_subscript(&building.value) {
            self.uncertainty(Uncertainty::Syntax);
        }
        let value = if building.value == raw { Cow::Borrowed(raw) } else { Cow::Owned(building.value) };
        Some(ShellWord {
            raw: Cow::Borrowed(raw),
            value,
            known: !building.unknown,
            // These are the names of commands.
            glob: building.glob && !matches!(raw, "[" | "[["),
            tilde: building.tilde,
            splits: building.splits,
        })
    }

    /// Reads the next part of a word; returns whether there was one.
    fn part(&mut self, start: usize, word: &mut WordBuilder) -> bool {
        let Some(byte) = self.byte(0) else { return false };
        match byte {
            b'<' | b'>' if self.byte(1) == Some(b'(') => {
                self.uncertainty(Uncertainty::ProcessSubstitution);
                word.unknown = true;
                self.advance(2);
                self.substitution();
            }
            _ if ends_word(byte) => return false,
            b'\\' => self.escape(word),
            b'\'' => {
                self.advance(1);
                let inside = self.until_quote();
                word.value.push_str(inside);
            }
            b'"' => self.double_quoted(word),
            b'$' => self.dollar(word, false),
            b'`' => self.backticks(word),
            _ => self.plain_part(start, word),
        }
        true
    }

    fn plain_part(&mut self, start: usize, word: &mut WordBuilder) {
        let Some(c) = self.rest().chars().next() else { return };
        match c {
            '*' | '?' | '[' => word.glob = true,
            '~' if self.position == start => word.tilde = true,
            '=' if self.position == start && self.byte(1).is_some_and(|byte| byte.is_ascii_alphabetic()) => {
                self.uncertainty(Uncertainty::EqualsExpansion);
            }
            '{' => word.brace_open = true,
            ',' if word.brace_open => word.brace_list = true,
            '.' if word.brace_open && self.byte(1) == Some(b'.') => word.brace_list = true,
            '}' if word.brace_list => {
                self.uncertainty(Uncertainty::BraceExpansion);
                word.unknown = true;
                word.splits = true;
            }
            _ => {}
        }
        word.value.push(c);
        self.advance(c.len_utf8());
    }

    fn escape(&mut self, word: &mut WordBuilder) {
        self.advance(1);
        let Some(c) = self.rest().chars().next() else {
            self.uncertainty(Uncertainty::Syntax);
            return;
        };
        self.advance(c.len_utf8());
        if matches!(c, '\n' | ' ' | '\t') {
            self.uncertainty(Uncertainty::EscapedSpace);
        }
        if c != '\n' {
            word.value.push(c);
        }
    }

    /// Reads up to a closing single quote.
    pub(super) fn until_quote(&mut self) -> &'a str {
        let rest = self.rest();
        let (inside, length) = match rest.find('\'') {
            Some(end) => (&rest[..end], end + 1),
            None => {
                self.uncertainty(Uncertainty::Syntax);
                (rest, rest.len())
            }
        };
        self.advance(length);
        self.note_hidden_comment(inside);
        inside
    }

    pub(super) fn note_hidden_comment(&mut self, quoted: &str) {
        let hides = |line: &str| line.trim_start_matches([' ', '\t']).starts_with('#');
        if quoted.contains('#') && quoted.split('\n').skip(1).any(hides) {
            self.uncertainty(Uncertainty::HiddenComment);
        }
    }

    pub(super) fn double_quoted(&mut self, word: &mut WordBuilder) {
        self.advance(1);
        let start = self.position;
        if self.quoted_text(word, Some(b'"')) {
            let inside = self.slice(start, self.position - 1);
            self.note_hidden_comment(inside);
        } else {
            self.uncertainty(Uncertainty::Syntax);
        }
    }

    /// Reads text in which only `$`, backticks and some escapes mean anything, up to `end`.
    fn quoted_text(&mut self, word: &mut WordBuilder, end: Option<u8>) -> bool {
        loop {
            let rest = self.rest();
            let plain = rest.bytes().take_while(|byte| !matches!(byte, b'"' | b'\\' | b'$' | b'`')).count();
            word.value.push_str(&rest[..plain]);
            self.advance(plain);
            match self.byte(0) {
                None => return end.is_none(),
                Some(byte) if Some(byte) == end => {
                    self.advance(1);
                    return true;
                }
                Some(b'\\') => self.quoted_escape(word),
                Some(b'$') => self.dollar(word, true),
                Some(b'`') => self.backticks(word),
                Some(_) => {
                    word.value.push('"');
                    self.advance(1);
                }
            }
        }
    }

    fn quoted_escape(&mut self, word: &mut WordBuilder) {
        match self.byte(1) {
            Some(b'\n') => self.advance(2),
            Some(byte @ (b'$' | b'`' | b'"' | b'\\')) => {
                word.value.push(char::from(byte));
                self.advance(2);
            }
            _ => {
                word.value.push('\\');
                self.advance(1);
            }
        }
    }

    /// Finds the commands in a text that is expanded like the inside of double quotes.
    pub(super) fn expansions_of(&mut self, text: &'a str) {
        self.inner_text(Cow::Borrowed(text), |parser| {
            parser.quoted_text(&mut WordBuilder::default(), None);
        });
    }
}
