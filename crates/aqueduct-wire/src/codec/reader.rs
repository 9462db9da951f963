use std::io::{self, BufRead, ErrorKind};

use super::lines::LineLocation;
use super::{DEFAULT_LINE_LIMIT, Line, LineDecoder, LineError};

/// The lines of a reader, as [`LineDecoder`] finds them: with the same limit, and a bad line is an error for that line
/// only.
///
/// ```
/// # use aqueduct_wire::codec::LineReader;
/// # use aqueduct_wire::FromAgent;
/// let output = "{\"type\":\"keep_alive\"}\n\n{\"type\":\"result\"}".as_bytes();
/// let mut lines = LineReader::new(output);
/// let mut kinds = Vec::new();
/// while let Some(line) = lines.next_line()? {
///     kinds.push(FromAgent::parse(line?.text)?.tag().to_owned());
/// }
/// assert_eq!(kinds, ["keep_alive", "result"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A line that is in the reader's buffer as a whole is borrowed from it.
#[derive(Debug)]
pub struct LineReader<R> {
    from: R,
    decoder: LineDecoder,
    /// How many bytes of the reader's buffer belong to the line that was handed out last.
    taken: usize,
}

/// Where a line is, without a borrow.
enum FoundLine {
    /// In the reader's buffer, from here to there.
    Whole(usize, usize),
    Gathered,
    TooLong(u64),
}

impl<R: BufRead> LineReader<R> {
    /// The lines of `from`, none longer than [`DEFAULT_LINE_LIMIT`].
    pub fn new(from: R) -> Self {
        LineReader::with_limit(from, DEFAULT_LINE_LIMIT)
    }

    /// The lines of `from`, with a limit of their own.
    pub fn with_limit(from: R, limit: usize) -> Self {
        LineReader { from, decoder: LineDecoder::new(limit), taken: 0 }
    }

    /// The next line that is not blank; `None` at the end of the input. The outer error is the reader's, the inner one
    /// that of a line; the lines after it can be read.
    pub fn next_line(&mut self) -> io::Result<Option<Result<Line<'_>, LineError>>> {
        self.from.consume(std::mem::take(&mut self.taken));
        let found = loop {
            let buffer = match self.from.fill_buf() {
                Ok([]) => return Ok(self.decoder.finish()),
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let mut rest = buffer;
            let found = self.decoder.find(&mut rest);
            let taken = buffer.len() - rest.len();
            match found {
                None => self.from.consume(taken),
                Some(found) => {
                    self.taken = taken;
                    break FoundLine::new(&found, &buffer[..taken]);
                }
            }
        };
        // The buffer is not empty, so that this reads nothing: it borrows the buffer again, for as long as the line.
        let location = match found {
            FoundLine::Whole(start, end) => {
                LineLocation::Whole(self.from.fill_buf()?.get(start..end).unwrap_or_default())
            }
            FoundLine::Gathered => LineLocation::Gathered,
            FoundLine::TooLong(bytes) => LineLocation::TooLong { bytes },
        };
        Ok(Some(self.decoder.line(location, true)))
    }
}

impl FoundLine {
    /// `taken` ends with the line and its line end.
    fn new(found: &LineLocation<'_>, taken: &[u8]) -> Self {
        match found {
            LineLocation::Whole(line) => {
                let line_end = if taken.ends_with(b"\r\n") { 2 } else { 1 };
                let end = taken.len() - line_end;
                FoundLine::Whole(end - line.len(), end)
            }
            LineLocation::Gathered => FoundLine::Gathered,
            LineLocation::TooLong { bytes } => FoundLine::TooLong(*bytes),
        }
    }
}
