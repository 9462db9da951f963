use std::io;

use grep_matcher::Matcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkFinish, SinkMatch};

use super::options::GrepOptions;
use super::page::GrepPage;
use crate::tool::search::SearchWatch;

/// How much of a line is shown.
const LINE_LIMIT: usize = 500;
/// What is between lines that do not follow each other, where the lines around matches are shown.
pub(super) const SEPARATOR: &str = "--";

/// Counts matches.
pub(super) struct MatchCounter<'a> {
    pub(super) matches: u64,
    /// The file turned out to be no text: what was found counts for nothing.
    pub(super) is_binary: bool,
    /// One match is enough.
    only_first: bool,
    watch: &'a SearchWatch,
}

impl<'a> MatchCounter<'a> {
    pub(super) fn new(only_first: bool, watch: &'a SearchWatch) -> Self {
        MatchCounter { matches: 0, is_binary: false, only_first, watch }
    }
}

impl Sink for MatchCounter<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, _: &SinkMatch<'_>) -> io::Result<bool> {
        self.matches += 1;
        Ok(!self.only_first && !self.watch.is_over())
    }

    fn finish(&mut self, _: &Searcher, finish: &SinkFinish) -> io::Result<()> {
        self.is_binary = finish.binary_byte_offset().is_some();
        Ok(())
    }
}

/// Puts lines on a page.
pub(super) struct LineCollector<'a> {
    page: &'a mut GrepPage,
    options: &'a GrepOptions,
    /// The file, where several are searched.
    name: Option<&'a str>,
    watch: &'a SearchWatch,
    /// The file turned out to be no text: what was found counts for nothing.
    pub(super) is_binary: bool,
}

impl<'a> LineCollector<'a> {
    pub(super) fn new(
        page: &'a mut GrepPage,
        options: &'a GrepOptions,
        name: Option<&'a str>,
        watch: &'a SearchWatch,
    ) -> Self {
        LineCollector { page, options, name, watch, is_binary: false }
    }

    /// Whether another line can change anything.
    fn wants_more(&self) -> bool {
        !self.page.has_more() && !self.watch.is_over()
    }

    fn add(&mut self, number: Option<u64>, mark: char, text: &[u8]) {
        let (name, options) = (self.name, self.options);
        self.page.push(|| {
            let mut line = String::new();
            if let Some(name) = name {
                line.push_str(name);
                line.push(mark);
            }
            if let Some(number) = number.filter(|_| options.line_numbers) {
                line.push_str(&number.to_string());
                line.push(mark);
            }
            line.push_str(&cut(text));
            line
        });
    }
}

impl Sink for LineCollector<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        let first = found.line_number();
        if !self.options.only_matching {
            for (index, line) in found.lines().enumerate() {
                self.add(first.map(|first| first + index as u64), ':', line);
            }
            return Ok(self.wants_more());
        }
        let bytes = found.bytes();
        let mut at = 0;
        let mut number = first;
        self.options
            .matcher
            .find_iter(bytes, |part| {
                let ends = memchr::memchr_iter(b'\n', &bytes[at..part.start()]).count() as u64;
                number = number.map(|number| number + ends);
                at = part.start();
                if !part.is_empty() {
                    for (index, line) in bytes[part].split(|byte| *byte == b'\n').enumerate() {
                        self.add(number.map(|number| number + index as u64), ':', line);
                    }
                }
                true
            })
            .map_err(io::Error::other)?;
        Ok(self.wants_more())
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        self.add(context.line_number(), '-', context.bytes());
        Ok(self.wants_more())
    }

    fn context_break(&mut self, _: &Searcher) -> io::Result<bool> {
        self.page.push(|| SEPARATOR.to_owned());
        Ok(self.wants_more())
    }

    fn finish(&mut self, _: &Searcher, finish: &SinkFinish) -> io::Result<()> {
        self.is_binary = finish.binary_byte_offset().is_some();
        Ok(())
    }
}

/// A line as text, without its end, and cut where it is long.
fn cut(bytes: &[u8]) -> String {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    if bytes.len() <= LINE_LIMIT {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    // A character that the cut goes through is left out.
    let end =
        (LINE_LIMIT - 3..=LINE_LIMIT).rev().find(|&end| bytes[end] & 0xc0 != 0x80).unwrap_or(LINE_LIMIT);
    format!("{} [… {} more bytes]", String::from_utf8_lossy(&bytes[..end]), bytes.len() - end)
}
