use std::io::{self, BufRead, BufReader, Read};

use crate::codec::DEFAULT_LINE_LIMIT;
use crate::json::ParseError;

/// How much is read at once.
const BUFFER: usize = 256 * 1024;

/// Where a line is in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineSpan {
    /// The first byte.
    pub offset: u64,
    /// How many bytes, the line end not counted.
    pub length: u64,
}

/// A line as it is in its file.
#[derive(Debug, Clone, Copy)]
pub struct RawLine<'b> {
    /// Where.
    pub place: LineSpan,
    /// Its number, from 1.
    pub number: u64,
    /// The bytes without the line end; `None` for a line past the wire's limit, which is not held in memory.
    pub bytes: Option<&'b [u8]>,
}

/// How a file ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FileEnd {
    /// With a line end, as it should.
    #[default]
    Closed,
    /// With a line that is complete but for its end. The next line begins with it.
    Open,
    /// With a line that was broken off, by a crash or a full disk. It can't be read, and some readers
    /// stop there.
    Torn {
        /// Where it begins.
        from: u64,
    },
}

/// Hands every line with its place to `visit`, until that has seen enough. Whether the last line has no end.
pub fn each_line(input: impl Read, mut visit: impl FnMut(RawLine<'_>) -> bool) -> io::Result<bool> {
    let mut input = BufReader::with_capacity(BUFFER, input);
    let mut line = Vec::new();
    let (mut offset, mut number) = (0, 0);
    loop {
        line.clear();
        let limit = DEFAULT_LINE_LIMIT as u64 + 1;
        let mut length = input.by_ref().take(limit).read_until(b'\n', &mut line)? as u64;
        if length == 0 {
            return Ok(false);
        }
        let mut ends = line.ends_with(b"\n");
        let is_whole = ends || length < limit;
        if !is_whole {
            line = Vec::new();
            let (rest, found) = pass_line(&mut input)?;
            length += rest;
            ends = found;
        }
        number += 1;
        let place = LineSpan { offset, length: length - u64::from(ends) };
        let bytes = is_whole.then(|| line.strip_suffix(b"\n").unwrap_or(&line));
        if !visit(RawLine { place, number, bytes }) || !ends {
            return Ok(!ends);
        }
        offset += length;
    }
}

/// The text of a line. A byte-order mark may precede a file's first one; it is not part of it.
pub fn line_text(bytes: &[u8]) -> Result<&str, ParseError> {
    let text = std::str::from_utf8(bytes);
    let text = text.map_err(|error| ParseError::NotUtf8 { offset: error.valid_up_to() })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Passes over the rest of a line: how long it was, and whether it had an end.
fn pass_line(input: &mut impl BufRead) -> io::Result<(u64, bool)> {
    let mut passed = 0;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok((passed, false));
        }
        let end = memchr::memchr(b'\n', buffer);
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        passed += used as u64;
        if end.is_some() {
            return Ok((passed, true));
        }
    }
}
