//! Any bytes, cut in any way, give the same messages of Amazon's event stream, or the same error.
//!
//! The first byte is the number of pieces' sizes, then come the sizes; the rest is the stream.

#![no_main]

use aqueduct_model::event_stream::{EventStreamDecoder, EventStreamError, EventStreamMessage};
use libfuzzer_sys::fuzz_target;

/// Room for messages, and too little for some.
const LIMIT: usize = 4096;

fuzz_target!(|data: &[u8]| {
    let Some((&count, rest)) = data.split_first() else { return };
    let Some((sizes, stream)) = rest.split_at_checked(usize::from(count % 16)) else { return };
    assert_eq!(decode(stream, sizes), decode(stream, &[]));
});

fn decode(mut stream: &[u8], sizes: &[u8]) -> (Vec<EventStreamMessage>, Option<EventStreamError>) {
    let mut decoder = EventStreamDecoder::new(LIMIT);
    let mut seen = Vec::new();
    let mut sizes = sizes.iter().cycle();
    while !stream.is_empty() {
        // Without sizes, and for a size of nothing, the piece is all there is.
        let size = sizes.next().map_or(0, |size| usize::from(*size));
        let size = if size == 0 { stream.len() } else { size.min(stream.len()) };
        let (mut piece, after) = stream.split_at(size);
        stream = after;
        loop {
            match decoder.next(&mut piece) {
                Ok(Some(message)) => {
                    assert!(message.payload.len() <= LIMIT);
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
