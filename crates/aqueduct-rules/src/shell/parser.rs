//! The parser: its position in a text, and how it parses texts within texts.

use std::borrow::Cow;

use super::{Script, Uncertainty, heredoc::PendingHeredoc, list::ListEnd};

/// Substitutions inside substitutions deeper than this are not followed: they do not occur in practice, and
/// each level uses the stack.
const MAX_DEPTH: usize = 40;

/// Finds every command in a text. `home` is the value of `$HOME`, if known.
pub(crate) fn parse<'a>(text: &'a str, home: Option<&str>) -> Script<'a> {
    let mut script = Script::default();
    let mut parser = ShellParser::new(text, home, &mut script, 0);
    if !text.is_ascii() && text.chars().any(is_invisible) {
        parser.uncertainty(Uncertainty::UnicodeSpace);
    }
    parser.whole();
    script
}

/// Characters that look like a space or like nothing, and are neither to the shell.
fn is_invisible(c: char) -> bool {
    (!c.is_ascii() && c.is_whitespace())
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}' | '\u{200e}'
            | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{e0000}'..='\u{e007f}')
}

pub(super) struct ShellParser<'a, 's> {
    text: &'a str,
    pub(super) position: usize,
    pub(super) home: Option<&'s str>,
    pub(super) script: &'s mut Script<'a>,
    pub(super) pending: Vec<PendingHeredoc>,
    depth: usize,
    in_substitution: usize,
    /// How many arithmetic expressions are open, if that is what they are.
    pub(super) arithmetic: usize,
    /// How often a search for the end of a quoted `cat` document may still fail, to stay linear.
    pub(super) document_searches: u8,
}

impl<'a, 's> ShellParser<'a, 's> {
    pub(super) fn new(
        text: &'a str,
        home: Option<&'s str>,
        script: &'s mut Script<'a>,
        depth: usize,
    ) -> Self {
        Self {
            text,
            position: 0,
            home,
            script,
            pending: Vec::new(),
            depth,
            in_substitution: 0,
            arithmetic: 0,
            document_searches: 8,
        }
    }

    /// Reads the whole text as a list of commands.
    pub(super) fn whole(&mut self) {
        while !self.at_end() {
            self.list(ListEnd::End);
        }
        if !self.pending.is_empty() {
            self.uncertainty(Uncertainty::Syntax);
        }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        &self.text[start..end]
    }

    pub(super) fn at_end(&self) -> bool {
        self.position >= self.text.len()
    }

    pub(super) fn byte(&self, offset: usize) -> Option<u8> {
        self.text.as_bytes().get(self.position + offset).copied()
    }

    pub(super) fn advance(&mut self, bytes: usize) {
        self.position += bytes;
    }

    pub(super) fn is_in_substitution(&self) -> bool {
        self.in_substitution > 0
    }

    pub(super) fn is_nested(&self) -> bool {
        self.depth > 0
    }

    pub(super) fn uncertainty(&mut self, uncertainty: Uncertainty) {
        if !self.script.uncertainties.contains(&uncertainty) {
            self.script.uncertainties.push(uncertainty);
        }
    }

    /// Reads something that can be nested.
    pub(super) fn deeper(&mut self, read: impl FnOnce(&mut Self)) {
        if self.depth >= MAX_DEPTH {
            self.give_up();
            return;
        }
        self.depth += 1;
        read(self);
        self.depth -= 1;
    }

    /// Reads the content of the parentheses of a substitution, whose opening one is already passed.
    pub(super) fn substitution(&mut self) {
        self.deeper(Self::commands_in_parentheses);
    }

    fn commands_in_parentheses(&mut self) {
        self.in_substitution += 1;
        // Documents asked for outside begin after the line that the substitution ends on.
        let outside = std::mem::take(&mut self.pending);
        let start = self.position;
        self.list(ListEnd::Parenthesis);
        let asked = !outside.is_empty() && self.slice(start, self.position).contains('\n');
        if asked || !self.pending.is_empty() {
            self.uncertainty(Uncertainty::Syntax);
        }
        self.pending.splice(..0, outside);
        if self.byte(0) == Some(b')') {
            self.advance(1);
        } else {
            self.uncertainty(Uncertainty::Syntax);
        }
        self.in_substitution -= 1;
    }

    /// Reads another text whose commands belong to this script, such as the inside of backticks.
    pub(super) fn inner_text(&mut self, text: Cow<'a, str>, read: fn(&mut ShellParser<'_, '_>)) {
        if self.depth >= MAX_DEPTH {
            self.give_up();
            return;
        }
        match text {
            Cow::Borrowed(text) => {
                let mut inner = ShellParser::new(text, self.home, self.script, self.depth + 1);
                read(&mut inner);
            }
            Cow::Owned(text) => {
                let mut script = Script::default();
                read(&mut ShellParser::new(&text, self.home, &mut script, self.depth + 1));
                let first = self.script.documents.len();
                let owned = script.documents.into_iter().map(|text| Cow::Owned(text.into_owned()));
                self.script.documents.extend(owned);
                self.script
                    .commands
                    .extend(script.commands.into_iter().map(|command| command.into_owned(first)));
                script.uncertainties.into_iter().for_each(|uncertainty| self.uncertainty(uncertainty));
            }
        }
    }

    fn give_up(&mut self) {
        self.uncertainty(Uncertainty::TooDeep);
        self.position = self.text.len();
    }

    /// Skips blanks and continued lines between words.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.byte(0) {
                Some(b' ' | b'\t') => self.advance(1),
                Some(b'\\') if self.byte(1) == Some(b'\n') => self.advance(2),
                _ => return,
            }
        }
    }

    /// Skips blanks, comments and newlines; the texts of here-documents begin after a newline.
    pub(super) fn skip_lines(&mut self) -> bool {
        let mut newline = false;
        loop {
            self.skip_blanks();
            match self.byte(0) {
                Some(b'#') => {
                    if self.arithmetic > 0 {
                        self.uncertainty(Uncertainty::Syntax);
                    }
                    let line = self.rest().find('\n').unwrap_or(self.rest().len());
                    self.advance(line);
                }
                Some(b'\n') => {
                    self.advance(1);
                    newline = true;
                    if !self.pending.is_empty() {
                        self.read_heredocs();
                    }
                }
                _ => return newline,
            }
        }
    }

    /// Whether the given word is here, unquoted and whole.
    pub(super) fn at_word(&self, word: &str) -> bool {
        let rest = self.rest();
        rest.starts_with(word)
            && rest.as_bytes().get(word.len()).is_none_or(|byte| b" \t\n;&|()<>".contains(byte))
    }
}
