use super::{Line, LineError};

/// How long a line may be by default: 64 MiB.
pub const DEFAULT_LINE_LIMIT: usize = 64 << 20;

/// The memory that is kept from one line to the next. A single huge line must not be paid for ever after.
const KEPT_CAPACITY: usize = 256 << 10;

/// The smallest allocation worth making.
const FIRST_CAPACITY: usize = 4 << 10;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Cuts a stream of bytes into lines.
///
/// Give it the bytes as they come, in pieces of any size, and take the lines out:
///
/// ```
/// # use aqueduct_wire::codec::LineDecoder;
/// let mut decoder = LineDecoder::default();
/// let mut seen = Vec::new();
/// for piece in ["{\"type\":\"keep_", "alive\"}\r\n\n{}\n{\"ty"] {
///     let mut input = piece.as_bytes();
///     while let Some(line) = decoder.next_line(&mut input) {
///         seen.push(line?.text.to_owned());
///     }
/// }
/// assert_eq!(seen, ["{\"type\":\"keep_alive\"}", "{}"]);
/// let rest = decoder.finish().transpose()?;
/// assert!(rest.is_some_and(|line| line.text == "{\"ty" && !line.terminated));
/// # Ok::<(), aqueduct_wire::codec::LineError>(())
/// ```
///
/// A line ends with `\n` or `\r\n`. Other characters that Unicode calls line ends occur in JSON strings
/// and end nothing. Blank lines are skipped, and so is a byte-order mark at the start of the stream.
///
/// A line that is in one piece is borrowed from it. Only a line that continues in the next piece is
/// copied, once, and each byte is looked at once; so the decoder never holds more than one line, and never
/// more than the limit.
#[derive(Debug)]
pub struct LineDecoder {
    limit: usize,
    /// The beginning of a line whose end has not come yet.
    buffer: Vec<u8>,
    /// Whether the line in the buffer has been handed out. It can't be taken away before the next call.
    spent: bool,
    /// What is known of a line that has become too long to keep.
    skipped: Option<Skipped>,
    /// How many bytes of a byte-order mark have been seen; `None` past the place where one may occur.
    mark: Option<usize>,
    /// How many lines have ended.
    number: u64,
}

#[derive(Debug)]
struct Skipped {
    bytes: u64,
    ends_in_cr: bool,
}

/// Where a line was found.
pub(super) enum LineLocation<'c> {
    /// In the piece of input.
    Whole(&'c [u8]),
    /// In the buffer.
    Gathered,
    /// Nowhere any more.
    TooLong { bytes: u64 },
}

impl Default for LineDecoder {
    fn default() -> Self {
        LineDecoder::new(DEFAULT_LINE_LIMIT)
    }
}

impl LineDecoder {
    /// A decoder at the start of a stream. `limit` is the length of the longest line it gives out, line
    /// end not counted.
    pub fn new(limit: usize) -> Self {
        LineDecoder { limit, buffer: Vec::new(), spent: false, skipped: None, mark: Some(0), number: 0 }
    }

    /// Takes bytes from the front of `input` up to and with the next line end, and gives that line.
    /// `None` when no line end is left: then all of the input has been taken, and the beginning of the
    /// line is kept.
    pub fn next_line<'b, 'c: 'b>(&'b mut self, input: &mut &'c [u8]) -> Option<Result<Line<'b>, LineError>> {
        let found = self.find(input)?;
        Some(self.line(found, true))
    }

    /// Ends the input and returns what follows the last line end. Bytes that are passed to the
    /// decoder later begins a new line.
    pub fn finish(&mut self) -> Option<Result<Line<'_>, LineError>> {
        self.release();
        self.leave_mark();
        let found = self.end_gathered()?;
        self.number += 1;
        Some(self.line(found, false))
    }

    /// How many bytes of an unfinished line have come so far. More than the limit means that the line will
    /// be an error when its end comes.
    pub fn pending(&self) -> u64 {
        match &self.skipped {
            Some(skipped) => skipped.bytes,
            None if self.spent => 0,
            None => self.buffer.len() as u64,
        }
    }

    /// How many bytes of memory the decoder holds: never more than the limit and one line end.
    pub fn capacity(&self) -> usize {
        self.buffer.capacity()
    }

    pub(super) fn find<'c>(&mut self, input: &mut &'c [u8]) -> Option<LineLocation<'c>> {
        self.release();
        self.pass_mark(input);
        loop {
            let Some(at) = memchr::memchr(b'\n', input) else {
                self.keep(input);
                *input = &[];
                return None;
            };
            let piece = &input[..at];
            *input = &input[at + 1..];
            self.number += 1;
            if self.buffer.is_empty() && self.skipped.is_none() {
                let line = without_cr(piece);
                if line.len() > self.limit {
                    return Some(LineLocation::TooLong { bytes: line.len() as u64 });
                }
                if !is_blank(line) {
                    return Some(LineLocation::Whole(line));
                }
                continue;
            }
            self.keep(piece);
            if let Some(found) = self.end_gathered() {
                return Some(found);
            }
        }
    }

    /// Ends the line that was gathered over several pieces; `None` if it is blank.
    fn end_gathered(&mut self) -> Option<LineLocation<'static>> {
        if let Some(skipped) = self.skipped.take() {
            return Some(LineLocation::TooLong { bytes: skipped.bytes - u64::from(skipped.ends_in_cr) });
        }
        if is_blank(&self.buffer) {
            self.buffer.clear();
            return None;
        }
        self.spent = true;
        Some(LineLocation::Gathered)
    }

    pub(super) fn line<'b>(
        &'b self,
        found: LineLocation<'b>,
        terminated: bool,
    ) -> Result<Line<'b>, LineError> {
        let number = self.number;
        let bytes = match found {
            LineLocation::Whole(bytes) => bytes,
            LineLocation::Gathered => without_cr(&self.buffer),
            LineLocation::TooLong { bytes } => {
                return Err(LineError::TooLong { number, bytes, limit: self.limit });
            }
        };
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Line { text, number, terminated }),
            Err(error) => Err(LineError::NotUtf8 { number, offset: error.valid_up_to() }),
        }
    }

    /// Keeps a piece of a line, as long as the line is not too long.
    fn keep(&mut self, piece: &[u8]) {
        let Some(last) = piece.last() else { return };
        let ends_in_cr = *last == b'\r';
        if let Some(skipped) = &mut self.skipped {
            *skipped = Skipped { bytes: skipped.bytes + piece.len() as u64, ends_in_cr };
            return;
        }
        let length = self.buffer.len() + piece.len();
        // A carriage return at the very end may turn out to be half of the line end.
        if length - usize::from(ends_in_cr) > self.limit {
            self.skipped = Some(Skipped { bytes: length as u64, ends_in_cr });
            self.buffer = Vec::new();
            return;
        }
        self.grow(length);
        self.buffer.extend_from_slice(piece);
    }

    /// Makes room for a line of `length`. The room doubles, but not past the limit: `Vec` alone would take
    /// up to twice of it.
    fn grow(&mut self, length: usize) {
        let capacity = self.buffer.capacity();
        if capacity < length {
            let longest = self.limit.saturating_add(1);
            let wanted = capacity.saturating_mul(2).max(FIRST_CAPACITY).min(longest).max(length);
            self.buffer.reserve_exact(wanted - self.buffer.len());
        }
    }

    /// Takes back the line that was handed out last.
    fn release(&mut self) {
        if self.spent {
            self.spent = false;
            self.buffer.clear();
            self.buffer.shrink_to(KEPT_CAPACITY);
        }
    }

    /// Passes over the byte-order mark, which may come byte by byte.
    fn pass_mark(&mut self, input: &mut &[u8]) {
        while let Some(seen) = self.mark {
            let Some((first, rest)) = input.split_first() else { return };
            if BYTE_ORDER_MARK.get(seen) != Some(first) {
                return self.leave_mark();
            }
            *input = rest;
            self.mark = (seen + 1 < BYTE_ORDER_MARK.len()).then_some(seen + 1);
        }
    }

    /// What looked like a byte-order mark was the beginning of a line.
    fn leave_mark(&mut self) {
        if let Some(seen) = self.mark.take() {
            self.keep(&BYTE_ORDER_MARK[..seen]);
        }
    }
}

fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}
