//! As much of HTTP/1.1 as a Messages API on loopback needs.

use std::io::{self, BufRead, Write};

/// Far above any prompt; a program that sends more is broken.
const LARGEST_BODY: usize = 64 << 20;

pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) body: Vec<u8>,
}

/// The next request on a connection; `None` when the other side has closed it.
pub(super) fn read(from: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if from.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (Some(method), Some(path)) = (words.next(), words.next()) else {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "not an HTTP request"));
    };
    let mut length = 0;
    loop {
        let mut header = String::new();
        from.read_line(&mut header)?;
        let header = header.trim_end();
        if header.is_empty() {
            break;
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length.min(LARGEST_BODY)];
    from.read_exact(&mut body)?;
    Ok(Some(Request { method, path, body }))
}

/// A complete response.
pub(super) fn respond(to: &mut impl Write, status: u16, request_id: &str, body: &str) -> io::Result<()> {
    respond_with(to, status, request_id, &[], body)
}

/// A complete response with more headers.
pub(super) fn respond_with(
    to: &mut impl Write,
    status: u16,
    request_id: &str,
    headers: &[(String, String)],
    body: &str,
) -> io::Result<()> {
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    write!(
        to,
        "HTTP/1.1 {status} {}\r\ncontent-type: application/json\r\nrequest-id: {request_id}\r\n{headers}content-length: {}\r\n\r\n{body}",
        reason(status),
        body.len()
    )?;
    to.flush()
}

/// A response to HEAD: a host that looks whether the server is there.
pub(super) fn present(to: &mut impl Write) -> io::Result<()> {
    to.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")?;
    to.flush()
}

/// A response of events, each sent as it comes.
pub(super) struct EventStream<'a, W> {
    to: &'a mut W,
}

impl<'a, W: Write> EventStream<'a, W> {
    pub(super) fn open(to: &'a mut W, request_id: &str) -> io::Result<Self> {
        // The rate-limit headers make the program under test report limits, which is a frame too.
        write!(
            to,
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nrequest-id: {request_id}\r\n\
             anthropic-ratelimit-unified-status: allowed\r\n\
             anthropic-ratelimit-unified-reset: 1893456000\r\n\
             anthropic-ratelimit-unified-representative-claim: five_hour\r\n\
             transfer-encoding: chunked\r\n\r\n"
        )?;
        to.flush()?;
        Ok(Self { to })
    }

    pub(super) fn send(&mut self, kind: &str, data: &str) -> io::Result<()> {
        self.chunk(&format!("event: {kind}\ndata: {data}\n\n"))
    }

    /// An event that has only data.
    pub(super) fn data(&mut self, data: &str) -> io::Result<()> {
        self.chunk(&format!("data: {data}\n\n"))
    }

    pub(super) fn close(mut self) -> io::Result<()> {
        self.chunk("")
    }

    fn chunk(&mut self, text: &str) -> io::Result<()> {
        write!(self.to, "{:x}\r\n{text}\r\n", text.len())?;
        self.to.flush()
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        413 => "Payload Too Large",
        429 => "Too Many Requests",
        529 => "Overloaded",
        _ => "Error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_follow_each_other_on_one_connection() {
        let bytes = b"POST /v1/messages HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}HEAD / HTTP/1.1\r\n\r\n";
        let mut from = &bytes[..];
        let first = read(&mut from).expect("reads").expect("is there");
        assert_eq!(
            (first.method.as_str(), first.path.as_str(), first.body.as_slice()),
            ("POST", "/v1/messages", &b"{}"[..])
        );
        assert_eq!(read(&mut from).expect("reads").expect("is there").method, "HEAD");
        assert!(read(&mut from).expect("reads").is_none());
    }

    #[test]
    fn events_are_chunks() {
        let mut out = Vec::new();
        let mut stream = EventStream::open(&mut out, "req_1").expect("opens");
        stream.send("ping", "{}").expect("sends");
        stream.close().expect("closes");
        let text = String::from_utf8(out).expect("is text");
        assert!(text.ends_with("\r\n\r\n16\r\nevent: ping\ndata: {}\n\n\r\n0\r\n\r\n"), "{text}");
    }
}
