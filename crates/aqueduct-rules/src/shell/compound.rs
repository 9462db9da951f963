//! Compound commands: loops, conditionals, functions and the other constructs around simple commands.

use std::borrow::Cow;

use super::{Assignment, ShellCommand, ShellWord, Uncertainty, parser::ShellParser};

impl<'a> ShellParser<'a, '_> {
    /// Whether `time` precedes something other than a simple command.
    pub(super) fn times_compound(&self) -> bool {
        let after = self.rest()["time".len()..].trim_start_matches([' ', '\t']);
        let after = after.strip_prefix("-p").unwrap_or(after).trim_start_matches([' ', '\t']);
        after.starts_with(['(', '{', '!'])
            || ["if", "while", "until", "for", "case", "[["].iter().any(|word| after.starts_with(word))
    }

    pub(super) fn for_header(&mut self, select: bool) {
        self.skip_blanks();
        if select {
            self.uncertainty(Uncertainty::Select);
        }
        if self.rest().starts_with("((") {
            self.uncertainty(Uncertainty::CountingLoop);
            let end = self.rest().find("))").map_or(self.rest().len(), |end| end + 2);
            let header = self.slice(self.position, self.position + end);
            self.advance(end);
            let inside = header[2..].strip_suffix("))").unwrap_or("(");
            if inside.contains(['(', ')', '\'', '"', '\\', '`']) {
                self.uncertainty(Uncertainty::Syntax);
            }
            self.expansions_of(header);
        } else {
            self.loop_variable();
            self.skip_lines();
            if self.at_word("in") {
                self.advance(2);
                self.skip_blanks();
                while self.byte(0) != Some(b'#')
                    && let Some(word) = self.word()
                {
                    self.note_evaluated(&word.value);
                    self.skip_blanks();
                }
            }
        }
        self.skip_blanks();
        if self.byte(0) == Some(b';') && self.byte(1) != Some(b';') {
            self.advance(1);
        }
    }

    /// Reads the name that a loop sets; setting it is judged like any other assignment.
    fn loop_variable(&mut self) {
        let Some(word) = self.header_word() else { return };
        if !word.value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.uncertainty(Uncertainty::Syntax);
        }
        let value = ShellWord { known: true, ..ShellWord::default() };
        let name = Cow::Owned(word.value.into_owned());
        let assignments = vec![Assignment { name, value, raw: word.raw }];
        // What the loop sets it to is not one certain value, so it is not remembered.
        self.script.commands.push(ShellCommand {
            assignments,
            nested: self.is_nested(),
            ..ShellCommand::default()
        });
    }

    /// Reads a word that is required here; a comment is not allowed.
    fn header_word(&mut self) -> Option<ShellWord<'a>> {
        let word = if self.byte(0) == Some(b'#') { None } else { self.word() };
        if word.is_none() {
            self.uncertainty(Uncertainty::Syntax);
        }
        word
    }

    pub(super) fn case_header(&mut self) {
        self.uncertainty(Uncertainty::Case);
        self.skip_blanks();
        self.header_word();
        self.skip_lines();
        if self.at_word("in") {
            self.advance(2);
        } else {
            self.uncertainty(Uncertainty::Syntax);
        }
    }

    /// Reads the patterns of a case branch up to the parenthesis that closes them.
    pub(super) fn case_pattern(&mut self) {
        if self.byte(0) == Some(b'(') {
            self.advance(1);
        }
        loop {
            self.skip_blanks();
            match self.byte(0) {
                Some(b')') => {
                    self.advance(1);
                    return;
                }
                Some(b'|') => self.advance(1),
                _ => {
                    if self.header_word().is_none() {
                        return;
                    }
                }
            }
        }
    }

    pub(super) fn function_name(&mut self) {
        self.skip_blanks();
        self.header_word();
        self.skip_blanks();
        if self.rest().starts_with("()") {
            self.advance(2);
        }
    }

    /// Reads `[[ … ]]`; operators inside it compare and don't redirect.
    pub(super) fn conditional(&mut self) {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            if self.byte(0) == Some(b'#') {
                self.uncertainty(Uncertainty::Syntax);
            }
            self.skip_lines();
            if let Some(word) = self.word() {
                let closes = word.raw == "]]";
                words.push(word);
                if closes {
                    break;
                }
            } else if self.byte(0).is_some_and(|byte| b"&|()<>".contains(&byte)) {
                self.advance(1);
            } else {
                self.uncertainty(Uncertainty::Syntax);
                break;
            }
        }
        self.push(ShellCommand { words, ..ShellCommand::default() });
        self.after_compound();
    }

    /// `name()` begins a function; its body follows as the next command.
    pub(super) fn function_definition(&mut self, command: &ShellCommand<'a>) -> bool {
        let after = self.rest()[1..].trim_start_matches([' ', '\t']);
        if command.words.len() != 1 || !after.starts_with(')') {
            return false;
        }
        self.uncertainty(Uncertainty::Function);
        self.position += self.rest().len() - after.len() + 1;
        self.skip_lines();
        true
    }

    pub(super) fn array(&mut self) {
        self.uncertainty(Uncertainty::Array);
        self.advance(1);
        loop {
            self.skip_lines();
            if self.byte(0) == Some(b')') {
                self.advance(1);
                return;
            }
            if self.word().is_none() {
                self.uncertainty(Uncertainty::Syntax);
                return;
            }
        }
    }
}
