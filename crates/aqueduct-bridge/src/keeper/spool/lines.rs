use super::{LITERAL, MARK, TOO_LONG};

/// A line of the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpoolLine {
    /// Where it begins in the spool.
    pub offset: u64,
    /// Where the line after it begins: what to acknowledge, and where to attach, when this line is
    /// remembered.
    pub next: u64,
    /// Its content.
    pub content: LineContent,
}

/// The content of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineContent {
    /// The bytes, without the line end. They are never blank.
    Whole(Vec<u8>),
    /// It had this many bytes, more than the keeper keeps. It was skipped.
    TooLong {
        /// The length, line end not counted.
        bytes: u64,
    },
    /// The machine went down before it was on the disk, and these bytes are in its place.
    Damaged(Vec<u8>),
}

/// Puts pieces of the spool together to lines.
///
/// Blank lines are skipped, as the wire codec does.
#[derive(Debug)]
pub struct SpoolLines {
    /// The offset of the next byte to come.
    at: u64,
    /// The beginning of a line that is not complete.
    partial: Vec<u8>,
}

impl SpoolLines {
    /// Lines from this offset on, where one begins.
    pub fn new(from: u64) -> SpoolLines {
        SpoolLines { at: from, partial: Vec::new() }
    }

    /// The offset of the next byte to be added.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// Takes bytes from the front of `input` up to and with the next line end, and gives that line. None when
    /// no line end is left: then all of the input has been taken.
    pub fn next(&mut self, input: &mut &[u8]) -> Option<SpoolLine> {
        loop {
            let Some(end) = memchr::memchr(b'\n', input) else {
                self.at += input.len() as u64;
                self.partial.extend_from_slice(input);
                *input = &[];
                return None;
            };
            let offset = self.at - self.partial.len() as u64;
            let mut bytes = std::mem::take(&mut self.partial);
            bytes.extend_from_slice(&input[..end]);
            *input = &input[end + 1..];
            self.at += end as u64 + 1;
            if let Some(content) = content(bytes) {
                return Some(SpoolLine { offset, next: self.at, content });
            }
        }
    }
}

/// The content of a line of the spool; nothing if it is blank.
fn content(mut bytes: Vec<u8>) -> Option<LineContent> {
    match bytes[..] {
        [MARK, LITERAL, ..] => {
            bytes.remove(1);
        }
        [MARK, TOO_LONG, ref length @ ..] => {
            let length = std::str::from_utf8(length).ok().and_then(|length| length.parse().ok());
            return Some(
                length.map_or_else(|| LineContent::Damaged(bytes), |bytes| LineContent::TooLong { bytes }),
            );
        }
        [MARK, ..] => return Some(LineContent::Damaged(bytes)),
        _ => {}
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    let blank = bytes.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
    (!blank).then_some(LineContent::Whole(bytes))
}
