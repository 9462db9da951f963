//! Finds a text in a file, whatever the file's line ends and quotes.

use std::borrow::Cow;
use std::ops::Range;

use super::quote;
use crate::file::FileText;

/// The places of a text in a file, and what goes there.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct EditMatches {
    /// In the file's text as it is, line ends and all; never empty.
    places: Vec<Range<usize>>,
    /// With the file's line ends and quotes.
    new: String,
}

impl EditMatches {
    /// Looks for `old`. Line ends of the file and of `old` may differ; where `old` does not occur as it is
    /// written, it may occur with typographic quotes, which `new` then gets, too.
    pub(super) fn search(file: &FileText, old: &str, new: &str) -> Option<EditMatches> {
        let old = old.replace("\r\n", "\n");
        let (plain, returns) = without_returns(&file.text);
        let exact: Vec<Range<usize>> =
            plain.match_indices(old.as_str()).map(|(at, old)| at..at + old.len()).collect();
        let quoted = || quote::find(&plain, &old);
        let (places, curled) = if exact.is_empty() { (quoted(), true) } else { (exact, false) };
        let first = places.first()?.clone();
        let new = if curled { quote::like(&plain[first], new) } else { new.to_owned() };
        let new = match file.ends_with_crlf() {
            true => new.replace("\r\n", "\n").replace('\n', "\r\n"),
            false => new,
        };
        let real = |at: usize| at + returns.partition_point(|position| *position < at);
        let places = places.into_iter().map(|place| real(place.start)..real(place.end)).collect();
        Some(EditMatches { places, new })
    }

    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    /// The text with every place replaced.
    pub(super) fn replaced(&self, text: &str) -> String {
        let mut replaced = String::with_capacity(text.len() + self.new.len());
        let mut done = 0;
        for place in &self.places {
            replaced.push_str(&text[done..place.start]);
            replaced.push_str(&self.new);
            done = place.end;
        }
        replaced.push_str(&text[done..]);
        replaced
    }

    /// The text of the first match, with plain line ends.
    pub(super) fn old(&self, text: &str) -> String {
        self.places.first().map_or_else(String::new, |place| text[place.clone()].replace("\r\n", "\n"))
    }

    /// The first few lines with a match.
    pub(super) fn lines(&self, text: &str) -> String {
        const SHOWN: usize = 5;
        let line = |place: &Range<usize>| 1 + text[..place.start].matches('\n').count();
        let lines: Vec<String> =
            self.places.iter().take(SHOWN).map(|place| line(place).to_string()).collect();
        let more = if self.places.len() > SHOWN { ", …" } else { "" };
        format!("lines {}{more}", lines.join(", "))
    }
}

/// The text with `\n` for `\r\n`, and where in it a `\r` was left out: always before a `\n`.
fn without_returns(text: &str) -> (Cow<'_, str>, Vec<usize>) {
    if memchr::memmem::find(text.as_bytes(), b"\r\n").is_none() {
        return (Cow::Borrowed(text), Vec::new());
    }
    let mut plain = String::with_capacity(text.len());
    let mut returns = Vec::new();
    let mut done = 0;
    for at in memchr::memmem::find_iter(text.as_bytes(), "\r\n") {
        plain.push_str(&text[done..at]);
        returns.push(plain.len());
        done = at + 1;
    }
    plain.push_str(&text[done..]);
    (Cow::Owned(plain), returns)
}

/// What may have gone wrong with a text that is not in the file: a sentence after a space, or nothing.
pub(super) fn hint(file: &str, old: &str) -> String {
    let old = old.replace("\r\n", "\n");
    if old.trim().is_empty() {
        return String::new();
    }
    let wanted: Vec<&str> = old.trim().split('\n').map(str::trim).collect();
    let lines: Vec<&str> = file.split('\n').map(str::trim).collect();
    if let Some(at) = lines.windows(wanted.len()).position(|lines| lines == wanted) {
        return format!(
            " Lines {} to {} differ only in whitespace: copy them exactly, including tabs.",
            at + 1,
            at + wanted.len()
        );
    }
    let first = wanted.first().copied().unwrap_or_default();
    if let Some(at) = lines.iter().position(|line| line.eq_ignore_ascii_case(first)) {
        return format!(
            " Its first line matches line {}, but the following lines differ. Read that part of the file \
             again.",
            at + 1
        );
    }
    let unnumbered: Option<Vec<&str>> = old.split('\n').map(|line| Some(line.split_once('\t')?.1)).collect();
    if unnumbered.is_some_and(|lines| file.contains(&lines.join("\n"))) {
        return " It matches without the line numbers, which are not part of the file.".to_owned();
    }
    String::new()
}
