//! Expansions in words: variables, substitutions and arithmetic.

use std::borrow::Cow;

use super::quote::without_escapes;
use super::word::WordBuilder;
use super::{Uncertainty, parser::ShellParser};

impl<'a> ShellParser<'a, '_> {
    pub(super) fn backticks(&mut self, word: &mut WordBuilder) {
        self.uncertainty(Uncertainty::Substitution);
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
            self.uncertainty(Uncertainty::Syntax);
        }
        self.advance((inside.len() + 1).min(rest.len()));
        let inside = if inside.contains('\\') { Cow::Owned(without_escapes(inside)) } else { inside.into() };
        self.inner_text(inside, |parser| parser.whole());
    }

    pub(super) fn dollar(&mut self, word: &mut WordBuilder, quoted: bool) {
        match self.byte(1) {
            Some(b'(') if self.literal_arithmetic(word, quoted) => {}
            Some(b'(') => self.dollar_parenthesis(word, quoted),
            Some(b'{') => {
                self.uncertainty(Uncertainty::BraceVariable);
                word.unknown = true;
                word.splits = true;
                self.advance(2);
                self.deeper(|parser| parser.brace_variable(quoted));
            }
            Some(b'[') => {
                // It continues to its own bracket, which is not looked for.
                self.uncertainty(Uncertainty::Syntax);
                self.uncertainty(Uncertainty::Arithmetic);
                word.unknown = true;
                self.advance(2);
            }
            Some(b'\'') if !quoted => {
                self.uncertainty(Uncertainty::AnsiQuote);
                self.advance(2);
                let (text, certain) = self.ansi_quoted();
                word.value.push_str(&text);
                word.unknown |= !certain;
            }
            Some(b'"') if !quoted => {
                self.uncertainty(Uncertainty::LocaleQuote);
                self.advance(1);
                self.double_quoted(word);
            }
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => self.variable(word, quoted),
            Some(byte) if byte.is_ascii_digit() || b"@*#?-$!".contains(&byte) => {
                self.uncertainty(Uncertainty::Variable);
                word.unknown = true;
                word.splits = true;
                self.advance(2);
            }
            _ => {
                if !quoted {
                    self.uncertainty(Uncertainty::Variable);
                }
                word.value.push('$');
                self.advance(1);
            }
        }
    }

    fn variable(&mut self, word: &mut WordBuilder, quoted: bool) {
        let rest = &self.rest()[1..];
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let name = &rest[..length];
        self.advance(1 + length);
        match self.home {
            Some(home) if name == "HOME" && !home.contains([' ', '\t', '\n', '*', '?', '[']) => {
                word.value.push_str(home);
            }
            _ => {
                self.uncertainty(Uncertainty::Variable);
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
    fn literal_arithmetic(&mut self, word: &mut WordBuilder, quoted: bool) -> bool {
        let Some(rest) = self.rest().strip_prefix("$((") else { return false };
        let literal = |byte: &u8| byte.is_ascii_digit() || b" +-*/%".contains(byte);
        let length = rest.bytes().take_while(|byte| literal(byte)).count();
        if length == 0 || !rest[length..].starts_with("))") {
            return false;
        }
        if quoted {
            self.uncertainty(Uncertainty::Arithmetic);
        }
        word.unknown = true;
        self.advance(3 + length + 2);
        true
    }

    fn dollar_parenthesis(&mut self, word: &mut WordBuilder, quoted: bool) {
        if quoted && let Some((text, length)) = self.quoted_document() {
            word.value.push_str(text);
            self.advance(length);
            return;
        }
        let arithmetic = self.byte(2) == Some(b'(');
        self.uncertainty(if arithmetic { Uncertainty::Arithmetic } else { Uncertainty::Substitution });
        word.unknown = true;
        word.splits = true;
        self.advance(2);
        self.arithmetic += usize::from(arithmetic);
        self.substitution();
        self.arithmetic -= usize::from(arithmetic);
    }

    /// `"$(cat <<'END' … END)"` is the common way to write a long message. Nothing in it is expanded, so
    /// it is as good as a quoted text. Returns that text and the length of the whole expression.
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
        // `${ command; }` and `${| command; }` run what is in them.
        if self.byte(0).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'|' | b'(')) {
            self.uncertainty(Uncertainty::Syntax);
        }
        let mut nested = 0_usize;
        let mut ignored = WordBuilder::default();
        loop {
            let plain = self.rest().bytes().take_while(|byte| !b"{}'\"\\$`<>".contains(byte)).count();
            self.advance(plain);
            match self.byte(0) {
                None => {
                    self.uncertainty(Uncertainty::Syntax);
                    return;
                }
                Some(b'}') if nested == 0 => {
                    // `${name@P}` expands the value once more.
                    if self.slice(start, self.position).contains("@P") {
                        self.uncertainty(Uncertainty::Syntax);
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
                    self.uncertainty(Uncertainty::Syntax);
                    self.advance(1);
                }
                // Within double quotes it mostly means nothing, so what follows is looked at.
                Some(b'\'') if quoted => {
                    self.uncertainty(Uncertainty::Syntax);
                    self.advance(1);
                }
                Some(b'\'') => {
                    self.advance(1);
                    // A subscript or an offset is evaluated even when it is quoted.
                    if self.until_quote().contains(['$', '`']) {
                        self.uncertainty(Uncertainty::Syntax);
                    }
                }
                Some(b'<' | b'>') => {
                    if !quoted && self.byte(1) == Some(b'(') {
                        self.uncertainty(Uncertainty::Syntax);
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
