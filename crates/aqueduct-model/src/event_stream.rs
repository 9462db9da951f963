//! Amazon's binary event stream (`application/vnd.amazon.eventstream`): bytes in any pieces to messages.
//!
//! A message is a prelude (its length, the length of its headers, a checksum of both), headers, a payload and a
//! checksum of everything before it. All numbers are big-endian, both checksums are CRC-32.

/// The most bytes that a message may have.
pub const MESSAGE_LIMIT: usize = 32 * 1024 * 1024;

const PRELUDE: usize = 12;
const CHECKSUM: usize = 4;

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventStreamMessage {
    /// The headers whose value is text, in their order. Values of other types are left out.
    pub headers: Vec<(String, String)>,
    /// What the message carries.
    pub payload: Vec<u8>,
}

impl EventStreamMessage {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Why a stream can't be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EventStreamError {
    /// A message is larger than the limit.
    #[error("a message of the stream is larger than {limit} bytes")]
    TooLong {
        /// The most bytes that a message may have.
        limit: usize,
    },
    /// The lengths in a prelude contradict each other.
    #[error("a message of the stream has impossible lengths")]
    Lengths,
    /// A checksum does not fit.
    #[error("a message of the stream is damaged: its checksum does not match")]
    Checksum,
    /// The headers can't be read.
    #[error("the headers of a message of the stream can't be read")]
    Headers,
}

/// Turns bytes into messages.
#[derive(Debug)]
pub struct EventStreamDecoder {
    limit: usize,
    /// The message that is being read, as far as it has come.
    buffer: Vec<u8>,
}

impl Default for EventStreamDecoder {
    fn default() -> Self {
        EventStreamDecoder::new(MESSAGE_LIMIT)
    }
}

impl EventStreamDecoder {
    /// A decoder of messages up to a size.
    pub fn new(limit: usize) -> Self {
        EventStreamDecoder { limit, buffer: Vec::new() }
    }

    /// Reads the next message of a piece, and shortens the piece by what was read. `None` where the piece ends
    /// before the message does. After an error the stream can't be read on.
    pub fn next(&mut self, piece: &mut &[u8]) -> Result<Option<EventStreamMessage>, EventStreamError> {
        if !self.fill(piece, PRELUDE) {
            return Ok(None);
        }
        let length = self.length()?;
        if !self.fill(piece, length) {
            return Ok(None);
        }
        let message = read(&self.buffer);
        self.buffer.clear();
        message.map(Some)
    }

    /// Takes bytes until there are `wanted`. Returns whether there are.
    fn fill(&mut self, piece: &mut &[u8], wanted: usize) -> bool {
        let missing = wanted.saturating_sub(self.buffer.len());
        let (taken, rest) = piece.split_at(missing.min(piece.len()));
        self.buffer.extend_from_slice(taken);
        *piece = rest;
        self.buffer.len() >= wanted
    }

    /// The length of the message that the prelude announces. It is checked before anything is kept.
    fn length(&self) -> Result<usize, EventStreamError> {
        let total = number(&self.buffer, 0)?;
        let headers = number(&self.buffer, 4)?;
        if crc32fast::hash(&self.buffer[..8]) as usize != number(&self.buffer, 8)? {
            return Err(EventStreamError::Checksum);
        }
        if total > self.limit {
            return Err(EventStreamError::TooLong { limit: self.limit });
        }
        match headers.checked_add(PRELUDE + CHECKSUM) {
            Some(least) if least <= total => Ok(total),
            _ => Err(EventStreamError::Lengths),
        }
    }
}

/// Reads a whole message, whose prelude has been checked.
fn read(bytes: &[u8]) -> Result<EventStreamMessage, EventStreamError> {
    let end = bytes.len() - CHECKSUM;
    if crc32fast::hash(&bytes[..end]) as usize != number(bytes, end)? {
        return Err(EventStreamError::Checksum);
    }
    let split = PRELUDE + number(bytes, 4)?;
    let headers = bytes.get(PRELUDE..split).ok_or(EventStreamError::Lengths)?;
    let payload = bytes.get(split..end).ok_or(EventStreamError::Lengths)?;
    Ok(EventStreamMessage {
        headers: read_headers(headers).ok_or(EventStreamError::Headers)?,
        payload: payload.to_vec(),
    })
}

/// Reads headers: a name with its length, the type of the value, the value.
fn read_headers(mut bytes: &[u8]) -> Option<Vec<(String, String)>> {
    let mut headers = Vec::new();
    while let Some((&length, rest)) = bytes.split_first() {
        let (name, rest) = rest.split_at_checked(usize::from(length))?;
        let (&kind, rest) = rest.split_first()?;
        let (size, rest) = match kind {
            0 | 1 => (0, rest),
            2 => (1, rest),
            3 => (2, rest),
            4 => (4, rest),
            5 | 8 => (8, rest),
            6 | 7 => {
                let (size, rest) = rest.split_first_chunk::<2>()?;
                (usize::from(u16::from_be_bytes(*size)), rest)
            }
            9 => (16, rest),
            _ => return None,
        };
        let (value, rest) = rest.split_at_checked(size)?;
        if kind == 7 {
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
            headers.push((text(name)?, text(value)?));
        }
        bytes = rest;
    }
    Some(headers)
}

fn number(bytes: &[u8], at: usize) -> Result<usize, EventStreamError> {
    let four = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()).ok_or(EventStreamError::Lengths)?;
    usize::try_from(u32::from_be_bytes(*four)).map_err(|_| EventStreamError::Lengths)
}
