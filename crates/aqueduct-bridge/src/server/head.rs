use hyper::Uri;
use memchr::memchr;
use thiserror::Error;

/// The largest head of a request, in bytes.
pub(super) const HEAD_BYTES: usize = 32 * 1024;

/// The most header lines of a request.
pub(super) const HEAD_LINES: usize = 100;

/// What is wrong with a request's head. A proxy that parses such a head differently may see another
/// request, or two: that is how requests are smuggled past a proxy. So nothing is guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum HeadFault {
    /// The request line is not `METHOD /path HTTP/1.1`.
    #[error("the request line is not `METHOD /path HTTP/1.1`")]
    RequestLine,
    /// A line ends without a carriage return, or has one elsewhere.
    #[error("lines of a request's head end with CR LF, and have neither elsewhere")]
    LineEnd,
    /// A line begins with a space: it would belong to the one before.
    #[error("a header may not continue in the next line")]
    Folded,
    /// A line is not a header.
    #[error("a header line is not `name: value`")]
    Field,
    /// `Content-Length` is not a number.
    #[error("Content-Length is not a number")]
    Length,
    /// There are two lengths.
    #[error("Content-Length is there twice")]
    TwoLengths,
    /// The body has a coding besides `chunked`, or two.
    #[error("of codings for a body only `Transfer-Encoding: chunked` is known, once, in HTTP/1.1")]
    Coding,
    /// There are a length and a coding.
    #[error("Content-Length and Transfer-Encoding contradict each other")]
    LengthAndCoding,
    /// It is too large.
    #[error("the request's head is larger than 32 KiB, or has more than 100 lines")]
    TooLarge,
}

/// Where a connection is, as seen from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// No byte of a request has come.
    Idle,
    /// A head has begun.
    Head,
    /// A body of known length comes, or what comes is not watched any more.
    Body,
}

/// Watches what a client sends, ahead of the HTTP parser, and knows heads from bodies.
///
/// The parser takes what is usual in the wild: lines that end with LF alone, a length beside a coding. This does
/// not. It understands lengths; behind a head with a coding or an upgrade it watches nothing, so the connection has
/// to end with that request.
#[derive(Debug, Default)]
pub struct HeadWatch {
    state: HeadState,
    /// The line that has begun.
    line: Vec<u8>,
    head: Head,
}

#[derive(Debug, Default)]
enum HeadState {
    #[default]
    Head,
    Body(u64),
    Unwatched,
}

/// What is known of the head so far.
#[derive(Debug, Default)]
struct Head {
    bytes: usize,
    lines: usize,
    has_begun: bool,
    is_http_10: bool,
    length: Option<u64>,
    is_chunked: bool,
    upgrades: bool,
}

impl HeadWatch {
    /// Looks at the bytes that come next.
    pub fn feed(&mut self, mut bytes: &[u8]) -> Result<(), HeadFault> {
        while !bytes.is_empty() {
            match &mut self.state {
                HeadState::Unwatched => return Ok(()),
                HeadState::Body(left) => {
                    let here = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len());
                    *left -= here as u64;
                    bytes = &bytes[here..];
                    if *left == 0 {
                        self.state = HeadState::Head;
                    }
                }
                HeadState::Head => {
                    let (part, is_whole) = match memchr(b'\n', bytes) {
                        Some(end) => (&bytes[..=end], true),
                        None => (bytes, false),
                    };
                    bytes = &bytes[part.len()..];
                    self.head.bytes += part.len();
                    if self.head.bytes > HEAD_BYTES {
                        return Err(HeadFault::TooLarge);
                    }
                    self.line.extend_from_slice(part);
                    if is_whole {
                        let line = std::mem::take(&mut self.line);
                        self.state = self.head.take(&line)?;
                        // The room is kept for the next line.
                        self.line = line;
                        self.line.clear();
                    }
                }
            }
        }
        Ok(())
    }

    /// Where the connection is.
    pub fn phase(&self) -> Phase {
        match self.state {
            HeadState::Head if self.head.bytes == 0 => Phase::Idle,
            HeadState::Head => Phase::Head,
            HeadState::Body(_) | HeadState::Unwatched => Phase::Body,
        }
    }
}

impl Head {
    /// Takes a line with its end, and returns what follows it.
    fn take(&mut self, line: &[u8]) -> Result<HeadState, HeadFault> {
        let line = line.strip_suffix(b"\r\n").ok_or(HeadFault::LineEnd)?;
        if line.iter().any(|byte| matches!(byte, b'\r' | b'\n' | 0)) {
            return Err(HeadFault::LineEnd);
        }
        if line.is_empty() && !self.has_begun {
            // An empty line before a request is skipped, as HTTP wants it.
            return Ok(HeadState::Head);
        }
        if line.is_empty() {
            return self.end();
        }
        self.lines += 1;
        if self.lines > HEAD_LINES + 1 {
            return Err(HeadFault::TooLarge);
        }
        match self.has_begun {
            true => self.field(line)?,
            false => self.request_line(line)?,
        }
        Ok(HeadState::Head)
    }

    fn request_line(&mut self, line: &[u8]) -> Result<(), HeadFault> {
        let mut parts = line.split(|byte| *byte == b' ');
        let (Some(method), Some(target), Some(version), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(HeadFault::RequestLine);
        };
        self.is_http_10 = match version {
            b"HTTP/1.1" => false,
            b"HTTP/1.0" => true,
            _ => return Err(HeadFault::RequestLine),
        };
        if !is_token(method) || Uri::try_from(target).is_err() {
            return Err(HeadFault::RequestLine);
        }
        self.has_begun = true;
        Ok(())
    }

    fn field(&mut self, line: &[u8]) -> Result<(), HeadFault> {
        if matches!(line.first(), Some(b' ' | b'\t')) {
            return Err(HeadFault::Folded);
        }
        let colon = memchr(b':', line).ok_or(HeadFault::Field)?;
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        let is_text = value.iter().all(|byte| *byte == b'\t' || (*byte >= b' ' && *byte != 0x7f));
        if !is_token(name) || !is_text {
            return Err(HeadFault::Field);
        }
        if name.eq_ignore_ascii_case(b"content-length") {
            let digits =
                std::str::from_utf8(value).ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
            let length =
                digits.and_then(|digits| digits.parse::<i64>().ok()).ok_or(HeadFault::Length)?.unsigned_abs();
            if self.length.replace(length).is_some() {
                return Err(HeadFault::TwoLengths);
            }
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            if self.is_chunked || self.is_http_10 || !value.eq_ignore_ascii_case(b"chunked") {
                return Err(HeadFault::Coding);
            }
            self.is_chunked = true;
        } else if name.eq_ignore_ascii_case(b"upgrade") {
            self.upgrades = true;
        }
        Ok(())
    }

    fn end(&mut self) -> Result<HeadState, HeadFault> {
        let head = std::mem::take(self);
        match head.length {
            Some(_) if head.is_chunked => Err(HeadFault::LengthAndCoding),
            _ if head.is_chunked || head.upgrades => Ok(HeadState::Unwatched),
            Some(length) if length > 0 => Ok(HeadState::Body(length)),
            _ => Ok(HeadState::Head),
        }
    }
}

fn is_token(text: &[u8]) -> bool {
    !text.is_empty()
        && text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte))
}
