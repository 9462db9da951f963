//! Any bytes, cut in any way, give the events that the plainest implementation gives.
//!
//! The first byte is the size limit, the second the number of pieces' sizes, then come the sizes; the rest is
//! the stream.

#![no_main]

use aqueduct_model::sse::{SseError, SseEvent, SseParser};
use libfuzzer_sys::fuzz_target;

/// Events, and the error that ended them.
type Seen = (Vec<SseEvent>, Option<SseError>);

fuzz_target!(|data: &[u8]| {
    let Some((&[limit, count], rest)) = data.split_first_chunk::<2>() else { return };
    let Some((sizes, stream)) = rest.split_at_checked(usize::from(count % 16)) else { return };
    let limit = usize::from(limit);
    let seen = parse(limit, stream, sizes);
    assert_eq!(seen, parse(limit, stream, &[]));
    if !matches!(seen.1, Some(SseError::TooLong { .. })) {
        assert_eq!(seen, reference(stream));
    }
});

fn parse(limit: usize, mut stream: &[u8], sizes: &[u8]) -> Seen {
    let mut parser = SseParser::new(limit);
    let mut seen = Vec::new();
    let mut sizes = sizes.iter().cycle();
    while !stream.is_empty() {
        // Without sizes, and for a size of nothing, the piece is all there is.
        let size = sizes.next().map_or(0, |size| usize::from(*size));
        let size = if size == 0 { stream.len() } else { size.min(stream.len()) };
        let (mut piece, after) = stream.split_at(size);
        stream = after;
        loop {
            match parser.next(&mut piece) {
                Ok(Some(message)) => {
                    assert!(message.data.len() + message.name.len() <= limit);
                    seen.push(message);
                }
                Ok(None) => break,
                Err(error) => return (seen, Some(error)),
            }
        }
        assert!(piece.is_empty());
    }
    (seen, None)
}

fn reference(stream: &[u8]) -> Seen {
    let stream = stream.strip_prefix(b"\xef\xbb\xbf").unwrap_or(stream);
    let mut seen = Vec::new();
    let (mut name, mut data, mut id) = (Vec::new(), Vec::new(), None);
    for line in complete_lines(stream) {
        if line.is_empty() {
            let (name, mut data) = (std::mem::take(&mut name), std::mem::take(&mut data));
            let id: Option<Vec<u8>> = id.take();
            if data.pop().is_some() {
                let id = id.map(String::from_utf8).transpose();
                let (Ok(name), Ok(data), Ok(id)) = (String::from_utf8(name), String::from_utf8(data), id)
                else {
                    return (seen, Some(SseError::NotUtf8));
                };
                seen.push(SseEvent { name, data, id });
            }
            continue;
        }
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let value = line.get(colon + 1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match &line[..colon] {
            b"data" => data.extend([value, b"\n"].concat()),
            b"event" => name = value.to_vec(),
            b"id" => id = Some(value.to_vec()),
            _ => {}
        }
    }
    (seen, None)
}

/// The lines that have an end.
fn complete_lines(stream: &[u8]) -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    let mut line = Vec::new();
    let mut bytes = stream.iter().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\n' => lines.push(std::mem::take(&mut line)),
            b'\r' => {
                bytes.next_if(|next| **next == b'\n');
                lines.push(std::mem::take(&mut line));
            }
            _ => line.push(*byte),
        }
    }
    lines
}
