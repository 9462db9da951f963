//! Simple commands: assignments, words and redirections.

use std::borrow::Cow;

use super::{Assignment, RedirectKind, ShellCommand, ShellWord, Uncertainty, parser::ShellParser};

/// More variables than this are not remembered, so that looking one up stays cheap.
const MAX_VARIABLES: usize = 32;

impl<'a> ShellParser<'a, '_> {
    pub(super) fn push(&mut self, mut command: ShellCommand<'a>) {
        command.nested = self.is_nested();
        if command.words.is_empty() && self.script.variables.len() < MAX_VARIABLES {
            let certain = command.assignments.iter().filter(|assignment| assignment.value.known);
            let pairs =
                certain.map(|set| (set.name.clone().into_owned(), set.value.value.clone().into_owned()));
            self.script.variables.extend(pairs);
        }
        self.script.commands.push(command);
    }

    pub(super) fn simple(&mut self, piped: bool) {
        let mut command = ShellCommand { piped, ..ShellCommand::default() };
        let mut has_document = false;
        loop {
            self.skip_blanks();
            match self.byte(0) {
                None | Some(b'\n' | b';' | b'|' | b')' | b'#') => break,
                Some(b'&') if self.byte(1) != Some(b'>') => break,
                Some(b'(') => {
                    if !self.function_definition(&command) {
                        self.uncertainty(Uncertainty::Syntax);
                    }
                    break;
                }
                _ => {}
            }
            if let Some(redirect) = self.redirect() {
                if has_document && matches!(redirect.kind, RedirectKind::Read | RedirectKind::Write) {
                    self.uncertainty(Uncertainty::RedirectAfterHeredoc);
                }
                has_document |= redirect.kind == RedirectKind::HereDoc;
                command.redirects.push(redirect);
            } else if let Some(word) = self.word() {
                self.word_of(&mut command, word);
            } else {
                self.uncertainty(Uncertainty::Syntax);
                self.advance(1);
            }
        }
        if !command.words.is_empty() || !command.assignments.is_empty() || !command.redirects.is_empty() {
            self.push(command);
        }
    }

    /// Adds a word to a command, as an assignment if it is one.
    fn word_of(&mut self, command: &mut ShellCommand<'a>, word: ShellWord<'a>) {
        let name = if command.words.is_empty() { assigned_name(&word.raw) } else { None };
        let Some((name, value_at)) = name else {
            command.words.push(word);
            return;
        };
        if word.raw.len() == value_at && self.byte(0) == Some(b'(') {
            self.array();
        }
        if word.raw[name.len()..].starts_with('[') {
            self.uncertainty(Uncertainty::Array);
        }
        self.note_evaluated(tail(&word.value, value_at).as_ref());
        let name = Cow::Owned(name.to_owned());
        let value = ShellWord { raw: tail(&word.raw, value_at), value: tail(&word.value, value_at), ..word };
        command.assignments.push(Assignment { name, value, raw: word.raw });
    }

    /// Some variables evaluate what they are set to, and arithmetic evaluates the values of variables: a
    /// subscript in such a text can hold a command.
    pub(super) fn note_evaluated(&mut self, value: &str) {
        if value.contains(['[', '`']) || value.contains("$(") {
            self.uncertainty(Uncertainty::Arithmetic);
        }
    }
}

fn tail<'a>(text: &Cow<'a, str>, from: usize) -> Cow<'a, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(from..).unwrap_or_default()),
        Cow::Owned(text) => Cow::Owned(text.get(from..).unwrap_or_default().to_owned()),
    }
}

/// The name in `NAME=…`, `NAME+=…` or `NAME[…]=…`, and where the value begins.
fn assigned_name(raw: &str) -> Option<(&str, usize)> {
    let equals = raw.find('=')?;
    let left = raw[..equals].strip_suffix('+').unwrap_or(&raw[..equals]);
    let name = match left.find('[') {
        Some(bracket) if left.ends_with(']') => &left[..bracket],
        Some(_) => return None,
        None => left,
    };
    let mut bytes = name.bytes();
    let first = bytes.next()?;
    let named = (first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_');
    named.then_some((name, equals + 1))
}
