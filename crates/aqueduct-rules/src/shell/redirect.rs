//! Redirections of a command.

use std::borrow::Cow;

use super::{ShellWord, Uncertainty, parser::ShellParser};

/// What a redirection does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RedirectKind {
    /// `< file`
    Read,
    /// `> file`, `>> file`, `>| file`, `&> file`
    Write,
    /// `<> file`
    ReadWrite,
    /// `2>&1`, `<&3`, `>&-`: one descriptor becomes another.
    Duplicate,
    /// `<<< word`
    HereString,
    /// `<<WORD`; the text is a document of the script.
    HereDoc,
}

/// A redirection and its target.
#[derive(Debug, Clone)]
pub(crate) struct Redirect<'a> {
    pub(crate) kind: RedirectKind,
    pub(crate) target: ShellWord<'a>,
    /// Which document of the script a here-document means.
    pub(crate) document: Option<usize>,
}

impl Redirect<'_> {
    pub(super) fn into_owned(self, first_document: usize) -> Redirect<'static> {
        let document = self.document.map(|index| index + first_document);
        Redirect { kind: self.kind, target: self.target.into_owned(), document }
    }
}

/// The redirection operators, longest first, with what follows from each.
const OPERATORS: [(&str, RedirectKind); 11] = [
    ("&>>", RedirectKind::Write),
    ("<<<", RedirectKind::HereString),
    ("<<-", RedirectKind::HereDoc),
    ("<<", RedirectKind::HereDoc),
    ("<>", RedirectKind::ReadWrite),
    ("<&", RedirectKind::Duplicate),
    (">&", RedirectKind::Duplicate),
    (">>", RedirectKind::Write),
    (">|", RedirectKind::Write),
    ("&>", RedirectKind::Write),
    ("<", RedirectKind::Read),
];

impl<'a> ShellParser<'a, '_> {
    /// Reads a redirection at the current position, with its descriptor number, if there is one.
    pub(super) fn redirect(&mut self) -> Option<Redirect<'a>> {
        let descriptor = descriptor(self.rest());
        let after = &self.rest()[descriptor..];
        if !after.starts_with(['<', '>', '&']) {
            return None;
        }
        let (operator, kind) = match OPERATORS.iter().find(|(operator, _)| after.starts_with(operator)) {
            Some(&(operator, kind)) => (operator, kind),
            None if after.starts_with('>') => (">", RedirectKind::Write),
            None => return None,
        };
        let is_process = matches!(operator, "<" | ">") && after[1..].starts_with('(');
        if is_process || (descriptor > 0 && operator.starts_with('&')) {
            return None;
        }
        if self.rest().starts_with('{') {
            // It also sets a variable.
            self.uncertainty(Uncertainty::Syntax);
        }
        self.advance(descriptor + operator.len());
        self.skip_blanks();
        if kind == RedirectKind::HereDoc {
            return Some(self.heredoc_start(operator == "<<-"));
        }
        let target = self.word().unwrap_or_else(|| {
            self.uncertainty(Uncertainty::Syntax);
            ShellWord::default()
        });
        Some(self.judged(kind, target))
    }

    /// Sorts out what `>&word` means and notes targets that can't be checked.
    fn judged(&mut self, kind: RedirectKind, target: ShellWord<'a>) -> Redirect<'a> {
        let kind = match kind {
            RedirectKind::Duplicate if !is_descriptor(&target) => RedirectKind::Write,
            other => other,
        };
        match kind {
            RedirectKind::ReadWrite => self.uncertainty(Uncertainty::ReadWriteRedirect),
            RedirectKind::Read | RedirectKind::Write if !target.is_plain() || target.value.is_empty() => {
                self.uncertainty(Uncertainty::RedirectTarget);
            }
            _ => {}
        }
        Redirect { kind, target, document: None }
    }
}

/// How long the descriptor before an operator is: a number, or `{name}` for one that the shell chooses.
fn descriptor(text: &str) -> usize {
    let named = text.strip_prefix('{').and_then(|rest| rest.split_once('}')).filter(|(name, after)| {
        after.starts_with(['<', '>'])
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
    });
    match named {
        Some((name, _)) => name.len() + 2,
        None => text.bytes().take_while(u8::is_ascii_digit).count(),
    }
}

fn is_descriptor(target: &ShellWord<'_>) -> bool {
    let text: &Cow<'_, str> = &target.value;
    target.is_plain()
        && (text == "-"
            || (!text.is_empty() && text.trim_end_matches('-').bytes().all(|b| b.is_ascii_digit())))
}
