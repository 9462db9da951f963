//! Any bytes, cut in any way, give the lines that the plainest implementation gives.
//!
//! The first byte is the line limit, the second the number of pieces' sizes, then come the sizes; the rest
//! is the stream.

#![no_main]

use aqueduct_wire::codec::{Line, LineDecoder, LineError};
use libfuzzer_sys::fuzz_target;

/// A line with its number and whether it had a line end, or an error.
type Seen = Result<(String, u64, bool), LineError>;

fuzz_target!(|data: &[u8]| {
    let Some((&[limit, count], rest)) = data.split_first_chunk::<2>() else { return };
    let Some((sizes, stream)) = rest.split_at_checked(usize::from(count % 16)) else { return };
    let limit = usize::from(limit);
    assert_eq!(decode(limit, stream, sizes), reference(limit, stream));
});

fn decode(limit: usize, mut stream: &[u8], sizes: &[u8]) -> Vec<Seen> {
    let mut decoder = LineDecoder::new(limit);
    let mut seen = Vec::new();
    let mut sizes = sizes.iter().cycle();
    while !stream.is_empty() {
        // Without sizes, and for a size of nothing, the piece is all there is.
        let size = sizes.next().map_or(0, |size| usize::from(*size));
        let size = if size == 0 { stream.len() } else { size.min(stream.len()) };
        let (mut piece, after) = stream.split_at(size);
        stream = after;
        while let Some(line) = decoder.next_line(&mut piece) {
            seen.push(line.map(see));
        }
        assert!(piece.is_empty());
        assert!(decoder.capacity() <= limit + 1);
        assert!(decoder.next_line(&mut &[][..]).is_none());
    }
    seen.extend(decoder.finish().map(|line| line.map(see)));
    assert!(decoder.finish().is_none());
    assert_eq!(decoder.pending(), 0);
    seen
}

fn see(line: Line<'_>) -> (String, u64, bool) {
    (line.text.to_owned(), line.number, line.terminated)
}

fn reference(limit: usize, stream: &[u8]) -> Vec<Seen> {
    let stream = stream.strip_prefix(b"\xef\xbb\xbf").unwrap_or(stream);
    let lines: Vec<&[u8]> = stream.split(|byte| *byte == b'\n').collect();
    let mut seen = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let number = index as u64 + 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > limit {
            seen.push(Err(LineError::TooLong { number, bytes: line.len() as u64, limit }));
        } else if line.iter().any(|byte| !b" \t\r".contains(byte)) {
            let terminated = index + 1 < lines.len();
            seen.push(match std::str::from_utf8(line) {
                Ok(text) => Ok((text.to_owned(), number, terminated)),
                Err(error) => Err(LineError::NotUtf8 { number, offset: error.valid_up_to() }),
            });
        }
    }
    seen
}
