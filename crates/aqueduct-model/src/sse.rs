//! Server-sent events: bytes in any pieces to events.
//!
//! The parser follows the format that browsers read: lines end in LF, CR or CRLF; a colon begins a comment; the
//! data lines of an event are joined; an event ends with an empty line; what the end of the stream cuts off is
//! no event.

use std::time::Duration;

use memchr::memchr2;

/// The most bytes that an event of a model's stream may have.
pub const EVENT_LIMIT: usize = 32 * 1024 * 1024;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// An event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SseEvent {
    /// The value of the `event` line; empty if there is none.
    pub name: String,
    /// The data lines, joined with line feeds.
    pub data: String,
    /// The value of the `id` line, by which a stream can be resumed.
    pub id: Option<String>,
}

/// Why a stream can't be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SseError {
    /// An event is larger than the limit.
    #[error("an event of the stream is larger than {limit} bytes")]
    TooLong {
        /// The most bytes that an event may have.
        limit: usize,
    },
    /// An event is not UTF-8.
    #[error("an event of the stream is not UTF-8")]
    NotUtf8,
}

/// Turns bytes into events.
///
/// ```
/// use aqueduct_model::sse::SseParser;
///
/// let mut parser = SseParser::default();
/// let mut piece: &[u8] = b"event: ping\ndata: {\"type\":";
/// assert_eq!(parser.next(&mut piece), Ok(None));
/// let mut piece: &[u8] = b"\"ping\"}\n\n";
/// let message = parser.next(&mut piece)?.ok_or("there is an event")?;
/// assert_eq!((message.name.as_str(), message.data.as_str()), ("ping", r#"{"type":"ping"}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SseParser {
    limit: usize,
    /// The beginning of a line whose end has not come.
    line: Vec<u8>,
    name: Vec<u8>,
    /// The data lines so far, each with a line feed behind it: so an empty data line differs from none.
    data: Vec<u8>,
    id: Option<Vec<u8>>,
    /// What the last `retry` line set.
    retry: Option<Duration>,
    /// The last byte was a CR: an LF that follows belongs to it.
    after_cr: bool,
    /// A line has been read: what looks like a byte order mark is none any more.
    begun: bool,
}

impl Default for SseParser {
    fn default() -> Self {
        SseParser::new(EVENT_LIMIT)
    }
}

impl SseParser {
    /// A parser that takes events of at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        SseParser {
            limit,
            line: Vec::new(),
            name: Vec::new(),
            data: Vec::new(),
            id: None,
            retry: None,
            after_cr: false,
            begun: false,
        }
    }

    /// Takes bytes from the front of `piece` until an event is complete or the piece is used up. After an error
    /// the stream is of no use: where the next event begins is not known.
    pub fn next(&mut self, piece: &mut &[u8]) -> Result<Option<SseEvent>, SseError> {
        while !piece.is_empty() {
            if std::mem::take(&mut self.after_cr) && piece[0] == b'\n' {
                *piece = &piece[1..];
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', piece) else {
                self.fits(piece.len())?;
                self.line.extend_from_slice(piece);
                *piece = &[];
                return Ok(None);
            };
            let (head, rest) = piece.split_at(end);
            self.after_cr = rest[0] == b'\r';
            *piece = &rest[1..];
            self.fits(head.len())?;
            let complete = if self.line.is_empty() {
                self.take_line(head)
            } else {
                let mut line = std::mem::take(&mut self.line);
                line.extend_from_slice(head);
                let complete = self.take_line(&line);
                line.clear();
                self.line = line;
                complete
            };
            if complete && let Some(message) = self.finish_event()? {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }

    /// How long to wait before the stream is opened again, if it has set that.
    pub fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Whether so many more bytes stay within the limit.
    fn fits(&self, more: usize) -> Result<(), SseError> {
        let id = self.id.as_ref().map_or(0, Vec::len);
        if self.line.len() + self.name.len() + self.data.len() + id + more > self.limit {
            return Err(SseError::TooLong { limit: self.limit });
        }
        Ok(())
    }

    /// Reads a line. Returns whether it was the empty one that ends an event.
    fn take_line(&mut self, mut line: &[u8]) -> bool {
        if !std::mem::replace(&mut self.begun, true) {
            line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        }
        if line.is_empty() {
            return true;
        }
        let (field, value) = match memchr::memchr(b':', line) {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                self.data.extend_from_slice(value);
                self.data.push(b'\n');
            }
            b"event" => {
                self.name.clear();
                self.name.extend_from_slice(value);
            }
            b"id" => self.id = Some(value.to_vec()),
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                let text = std::str::from_utf8(value).unwrap_or_default();
                // A number without end is a wait without end.
                self.retry = Some(Duration::from_millis(text.parse().unwrap_or(u64::MAX)));
            }
            // Comments have no field name.
            _ => {}
        }
        false
    }

    /// The event whose lines have been read; without data lines there is none.
    fn finish_event(&mut self) -> Result<Option<SseEvent>, SseError> {
        let name = std::mem::take(&mut self.name);
        let mut data = std::mem::take(&mut self.data);
        let id = self.id.take();
        if data.pop().is_none() {
            return Ok(None);
        }
        let text = |bytes| String::from_utf8(bytes).map_err(|_| SseError::NotUtf8);
        Ok(Some(SseEvent { name: text(name)?, data: text(data)?, id: id.map(text).transpose()? }))
    }
}
