//! Here-documents: text between the line that asks for it and a line that ends it.

use std::borrow::Cow;

use super::{Redirect, RedirectKind, ShellWord, Uncertainty, parser::ShellParser};

/// A here-document whose text begins after the current line.
#[derive(Debug)]
pub(super) struct PendingHeredoc {
    delimiter: String,
    quoted: bool,
    strip_tabs: bool,
    document: usize,
}

impl<'a> ShellParser<'a, '_> {
    /// Notes a here-document; its text is read when the line ends.
    pub(super) fn heredoc_start(&mut self, strip_tabs: bool) -> Redirect<'a> {
        if self.arithmetic > 0 {
            // Here `<<` shifts, if this really is arithmetic.
            self.uncertainty(Uncertainty::Syntax);
        }
        let Some(word) = self.word() else {
            self.uncertainty(Uncertainty::Syntax);
            return Redirect { kind: RedirectKind::HereDoc, target: ShellWord::default(), document: None };
        };
        let quoted = word.raw != word.value;
        if !quoted {
            self.uncertainty(Uncertainty::Heredoc);
        }
        if !word.known {
            self.uncertainty(Uncertainty::Syntax);
        }
        let document = self.script.documents.len();
        self.script.documents.push(Cow::Borrowed(""));
        let delimiter = word.value.clone().into_owned();
        self.pending.push(PendingHeredoc { delimiter, quoted, strip_tabs, document });
        Redirect { kind: RedirectKind::HereDoc, target: word, document: Some(document) }
    }

    /// Reads the texts of all here-documents that begin at the current position, just after a newline.
    pub(super) fn read_heredocs(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            let start = self.position;
            let (end, closed) = self.heredoc_end(&pending);
            if !closed {
                self.uncertainty(Uncertainty::Syntax);
            }
            let text = self.slice(start, end);
            if !pending.quoted {
                self.expansions_of(text);
            }
            self.script.documents[pending.document] = Cow::Borrowed(text);
        }
    }

    /// Moves past the line that ends the document; returns where its text ends and whether that line exists.
    fn heredoc_end(&mut self, pending: &PendingHeredoc) -> (usize, bool) {
        while !self.at_end() {
            let line_start = self.position;
            let line = self.rest().split('\n').next().unwrap_or_default();
            let candidate = if pending.strip_tabs { line.trim_start_matches('\t') } else { line };
            if !pending.quoted && is_continued(line) {
                self.continued_line(pending);
                continue;
            }
            if candidate == pending.delimiter {
                self.advance(line.len() + usize::from(line.len() < self.rest().len()));
                return (line_start, true);
            }
            // Inside a substitution the closing parenthesis may follow the delimiter on its line.
            let rest = candidate.strip_prefix(pending.delimiter.as_str());
            if self.is_in_substitution() && rest.is_some_and(|rest| rest.trim_start().starts_with(')')) {
                self.advance(line.len() - candidate.len() + pending.delimiter.len());
                return (line_start, true);
            }
            if self.is_in_substitution() && rest.is_some_and(|rest| rest.contains(')')) {
                // Some shells continue with the commands right here.
                self.uncertainty(Uncertainty::Syntax);
            }
            self.advance(line.len() + usize::from(line.len() < self.rest().len()));
        }
        (self.position, false)
    }

    /// Moves past lines that a backslash at their ends joins into one. Where they could end the document,
    /// together or one of them alone, it is not known what follows.
    fn continued_line(&mut self, pending: &PendingHeredoc) {
        let mut joined = String::new();
        let mut continued = true;
        while continued && !self.at_end() {
            let line = self.rest().split('\n').next().unwrap_or_default();
            continued = is_continued(line);
            self.advance(line.len() + usize::from(line.len() < self.rest().len()));
            let text = if continued { &line[..line.len() - 1] } else { line };
            joined.push_str(text.trim_start_matches('\t'));
            if line.trim_start_matches('\t').starts_with(&pending.delimiter) {
                self.uncertainty(Uncertainty::Syntax);
            }
        }
        if joined.starts_with(&pending.delimiter) {
            self.uncertainty(Uncertainty::Syntax);
        }
    }
}

/// Whether a line ends with a backslash that is not itself escaped.
fn is_continued(line: &str) -> bool {
    line.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}
