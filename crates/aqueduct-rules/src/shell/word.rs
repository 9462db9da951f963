//! Words: quotes, escapes and expansions.

use std::borrow::Cow;

use super::quote::without_escapes;
use super::{Doubt, Word, parser::Parser};

/// A word while it is read.
#[derive(Default)]
struct Building {
    value: String,
    unknown: bool,
    glob: bool,
    tilde: bool,
    splits: bool,
    /// Whether an unquoted `{` was seen, and after it a `,` or `..`.
    brace_open: bool,
    brace_list: bool,
}

/// Whether a byte ends a word when it is not quoted.
fn ends_word(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}

/// Bytes that mean themselves wherever they stand in a word.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b',' | b'+' | b'@' | b'%')
}

/// Whether a word begins with `name[` and its subscript may go on past the end of the word, or holds
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

impl<'a> Parser<'a, '_> {
    /// Reads a word at the current position, if one stands there.
    pub(super) fn word(&mut self) -> Option<Word<'a>> {
        let bytes = self.rest().as_bytes();
        let plain = bytes.iter().take_while(|byte| is_plain(**byte)).count();
        if plain > 0 && bytes.get(plain).is_none_or(|byte| ends_word(*byte)) {
            let raw = &self.rest()[..plain];
            self.advance(plain);
            return Some(Word { raw: raw.into(), value: raw.into(), known: true, ..Word::default() });
        }
        let start = self.position;
        let mut building = Building::default();
        while self.part(start, &mut building) {}
        if self.position == start {
            return None;
        }
        let raw = self.slice(start, self.position);
        if is_open_subscript(raw) || hides_subscript(&building.value) {
            self.doubt(Doubt::Syntax);
        }
        let value = if building.value == raw { Cow::Borrowed(raw) } else { Cow::Owned(building.value) };
        Some(Word {
            raw: Cow::Borrowed(raw),
            value,
            known: !building.unknown,
            // These are the names of commands.
            glob: building.glob && !matches!(raw, "[" | "[["),
            tilde: building.tilde,
            splits: building.splits,
        })
    }

    /// Reads the next part of a word; gives whether there was one.
    fn part(&mut self, start: usize, word: &mut Building) -> bool {
        let Some(byte) = self.byte(0) else { return false };
        match byte {
            b'<' | b'>' if self.byte(1) == Some(b'(') => {
                self.doubt(Doubt::ProcessSubstitution);
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

    fn plain_part(&mut self, start: usize, word: &mut Building) {
        let Some(c) = self.rest().chars().next() else { return };
        match c {
            '*' | '?' | '[' => word.glob = true,
            '~' if self.position == start => word.tilde = true,
            '=' if self.position == start && self.byte(1).is_some_and(|byte| byte.is_ascii_alphabetic()) => {
                self.doubt(Doubt::EqualsExpansion);
            }
            '{' => word.brace_open = true,
            ',' if word.brace_open => word.brace_list = true,
            '.' if word.brace_open && self.byte(1) == Some(b'.') => word.brace_list = true,
            '}' if word.brace_list => {
                self.doubt(Doubt::BraceExpansion);
                word.unknown = true;
                word.splits = true;
            }
            _ => {}
        }
        word.value.push(c);
        self.advance(c.len_utf8());
    }

    fn escape(&mut self, word: &mut Building) {
        self.advance(1);
        let Some(c) = self.rest().chars().next() else {
            self.doubt(Doubt::Syntax);
            return;
        };
        self.advance(c.len_utf8());
        if matches!(c, '\n' | ' ' | '\t') {
            self.doubt(Doubt::EscapedSpace);
        }
        if c != '\n' {
            word.value.push(c);
        }
    }

    /// Reads up to a closing single quote.
    fn until_quote(&mut self) -> &'a str {
        let rest = self.rest();
        let (inside, length) = match rest.find('\'') {
            Some(end) => (&rest[..end], end + 1),
            None => {
                self.doubt(Doubt::Syntax);
                (rest, rest.len())
            }
        };
        self.advance(length);
        self.note_hidden_comment(inside);
        inside
    }

    fn note_hidden_comment(&mut self, quoted: &str) {
        let hides = |line: &str| line.trim_start_matches([' ', '\t']).starts_with('#');
        if quoted.contains('#') && quoted.split('\n').skip(1).any(hides) {
            self.doubt(Doubt::HiddenComment);
        }
    }

    fn double_quoted(&mut self, word: &mut Building) {
        self.advance(1);
        let start = self.position;
        if self.quoted_text(word, Some(b'"')) {
            let inside = self.slice(start, self.position - 1);
            self.note_hidden_comment(inside);
        } else {
            self.doubt(Doubt::Syntax);
        }
    }

    /// Reads text in which only `$`, backticks and some escapes mean anything, up to `end`.
    fn quoted_text(&mut self, word: &mut Building, end: Option<u8>) -> bool {
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

    fn quoted_escape(&mut self, word: &mut Building) {
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
            parser.quoted_text(&mut Building::default(), None);
        });
    }

    fn backticks(&mut self, word: &mut Building) {
        self.doubt(Doubt::Substitution);
        word.unknown = true;
        word.splits = true;
        self.advance(1);
        let rest = self.rest();
        let mut escaped = false;
        let end = rest.bytes().position(|byte| {
            let closes = byte == b'`' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        });
        let inside = &rest[..end.unwrap_or(rest.len())];
        if end.is_none() {
            self.doubt(Doubt::Syntax);
        }
        self.advance((inside.len() + 1).min(rest.len()));
        let inside = if inside.contains('\\') { Cow::Owned(without_escapes(inside)) } else { inside.into() };
        self.inner_text(inside, |parser| parser.whole());
    }

    fn dollar(&mut self, word: &mut Building, quoted: bool) {
        match self.byte(1) {
            Some(b'(') if self.literal_arithmetic(word, quoted) => {}
            Some(b'(') => self.dollar_parenthesis(word, quoted),
            Some(b'{') => {
                self.doubt(Doubt::BraceVariable);
                word.unknown = true;
                word.splits = true;
                self.advance(2);
                self.deeper(|parser| parser.brace_variable(quoted));
            }
            Some(b'[') => {
                // It goes on to its own bracket, which is not looked for.
                self.doubt(Doubt::Syntax);
                self.doubt(Doubt::Arithmetic);
                word.unknown = true;
                self.advance(2);
            }
            Some(b'\'') if !quoted => {
                self.doubt(Doubt::AnsiQuote);
                self.advance(2);
                let (text, certain) = self.ansi_quoted();
                word.value.push_str(&text);
                word.unknown |= !certain;
            }
            Some(b'"') if !quoted => {
                self.doubt(Doubt::LocaleQuote);
                self.advance(1);
                self.double_quoted(word);
            }
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => self.variable(word, quoted),
            Some(byte) if byte.is_ascii_digit() || b"@*#?-$!".contains(&byte) => {
                self.doubt(Doubt::Variable);
                word.unknown = true;
                word.splits = true;
                self.advance(2);
            }
            _ => {
                if !quoted {
                    self.doubt(Doubt::Variable);
                }
                word.value.push('$');
                self.advance(1);
            }
        }
    }

    fn variable(&mut self, word: &mut Building, quoted: bool) {
        let rest = &self.rest()[1..];
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let name = &rest[..length];
        self.advance(1 + length);
        match self.home {
            Some(home) if name == "HOME" && !home.contains([' ', '\t', '\n', '*', '?', '[']) => {
                word.value.push_str(home);
            }
            _ => {
                self.doubt(Doubt::Variable);
                word.unknown = true;
                match self.script.variables.iter().rev().find(|(known, _)| known == name) {
                    // A value set earlier in the same text lets deny rules see through the variable.
                    Some((_, value)) => word.value.push_str(value),
                    None => word.splits |= !quoted,
                }
            }
        }
    }

    /// `$((1 + 2))` with nothing but numbers in it can only become a number.
    fn literal_arithmetic(&mut self, word: &mut Building, quoted: bool) -> bool {
        let Some(rest) = self.rest().strip_prefix("$((") else { return false };
        let literal = |byte: &u8| byte.is_ascii_digit() || b" +-*/%".contains(byte);
        let length = rest.bytes().take_while(|byte| literal(byte)).count();
        if length == 0 || !rest[length..].starts_with("))") {
            return false;
        }
        if quoted {
            self.doubt(Doubt::Arithmetic);
        }
        word.unknown = true;
        self.advance(3 + length + 2);
        true
    }

    fn dollar_parenthesis(&mut self, word: &mut Building, quoted: bool) {
        if quoted && let Some((text, length)) = self.quoted_document() {
            word.value.push_str(text);
            self.advance(length);
            return;
        }
        let arithmetic = self.byte(2) == Some(b'(');
        self.doubt(if arithmetic { Doubt::Arithmetic } else { Doubt::Substitution });
        word.unknown = true;
        word.splits = true;
        self.advance(2);
        self.arithmetic += usize::from(arithmetic);
        self.substitution();
        self.arithmetic -= usize::from(arithmetic);
    }

    /// `"$(cat <<'END' … END)"` is the common way to write a long message. Nothing in it is expanded, so
    /// it is as good as a quoted text. Gives that text and the length of the whole expression.
    fn quoted_document(&mut self) -> Option<(&'a str, usize)> {
        let whole = self.rest();
        if self.document_searches == 0 {
            return None;
        }
        let rest = whole.strip_prefix("$(cat <<")?;
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let rest = &rest[1..];
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let delimiter = &rest[..length];
        // The first line may be the one that ends the document, so its newline stays in front of it.
        let rest = rest[length..].strip_prefix(quote).filter(|rest| rest.starts_with('\n'))?;
        let end_line = format!("\n{delimiter}\n");
        let found = rest.find(&end_line).filter(|_| !delimiter.is_empty());
        self.document_searches -= 1;
        let end = found?;
        let after = rest[end + end_line.len()..].trim_start_matches([' ', '\t', '\n']);
        let close = after.strip_prefix(')')?;
        // Some shells end the document at a line that only begins with the delimiter, if it has a `)`.
        let text = rest.get(1..end).unwrap_or_default();
        let begins = |line: &str| line.strip_prefix(delimiter).is_some_and(|rest| rest.contains(')'));
        if text.split('\n').any(begins) {
            return None;
        }
        self.document_searches += 1;
        self.note_hidden_comment(text);
        Some((text, whole.len() - close.len()))
    }

    /// Reads `${…}` after its opening brace, looking for commands in it.
    fn brace_variable(&mut self, quoted: bool) {
        let start = self.position;
        // `${ command; }` and `${| command; }` run what stands in them.
        if self.byte(0).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'|' | b'(')) {
            self.doubt(Doubt::Syntax);
        }
        let mut nested = 0_usize;
        let mut ignored = Building::default();
        loop {
            let plain = self.rest().bytes().take_while(|byte| !b"{}'\"\\$`<>".contains(byte)).count();
            self.advance(plain);
            match self.byte(0) {
                None => {
                    self.doubt(Doubt::Syntax);
                    return;
                }
                Some(b'}') if nested == 0 => {
                    // `${name@P}` expands the value once more.
                    if self.slice(start, self.position).contains("@P") {
                        self.doubt(Doubt::Syntax);
                    }
                    self.advance(1);
                    return;
                }
                Some(b'}') => {
                    nested -= 1;
                    self.advance(1);
                }
                // Shells don't agree on whether this one must be closed.
                Some(b'{') => {
                    self.doubt(Doubt::Syntax);
                    self.advance(1);
                }
                // Within double quotes it mostly means nothing, so what follows is looked at.
                Some(b'\'') if quoted => {
                    self.doubt(Doubt::Syntax);
                    self.advance(1);
                }
                Some(b'\'') => {
                    self.advance(1);
                    // A subscript or an offset is evaluated even when it is quoted.
                    if self.until_quote().contains(['$', '`']) {
                        self.doubt(Doubt::Syntax);
                    }
                }
                Some(b'<' | b'>') => {
                    if !quoted && self.byte(1) == Some(b'(') {
                        self.doubt(Doubt::Syntax);
                    }
                    self.advance(1);
                }
                Some(b'"') => self.double_quoted(&mut ignored),
                Some(b'$') if self.byte(1) == Some(b'{') => {
                    nested += 1;
                    self.advance(2);
                }
                Some(b'$') => self.dollar(&mut ignored, true),
                Some(b'`') => self.backticks(&mut ignored),
                Some(_) => {
                    let escaped = self.rest()[1..].chars().next().map_or(0, char::len_utf8);
                    self.advance(1 + escaped);
                }
            }
        }
    }
}
