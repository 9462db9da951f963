//! Any bytes at a keeper's socket, cut in any way, are the same messages or the same refusal; and what is
//! understood is written as what it was read from.
//!
//! The first byte is the number of pieces' sizes, then come the sizes; the rest is the stream, for both directions.

#![no_main]
// Only the protocol is built: the rest of the bridge would take minutes to instrument.
#![allow(dead_code, unreachable_pub, unused_imports)]

use std::fmt::Debug;

use keeper::{FromKeeper, Malformed, Messages, ProtocolMessage, ToKeeper};
use libfuzzer_sys::fuzz_target;

#[path = "../../crates/aqueduct-bridge/src/keeper/protocol/mod.rs"]
mod keeper;

fuzz_target!(|data: &[u8]| {
    let Some((count, rest)) = data.split_first() else { return };
    let Some((sizes, stream)) = rest.split_at_checked(usize::from(count % 16)) else { return };
    let to_keeper = check::<ToKeeper>(stream, sizes);
    // A bridge's messages have one form each.
    assert!(stream.starts_with(&written(&to_keeper)));
    check::<FromKeeper>(stream, sizes);
});

fn check<M: ProtocolMessage + Debug + PartialEq>(stream: &[u8], sizes: &[u8]) -> Vec<M> {
    let seen = read::<M>(stream, sizes);
    assert_eq!(seen, read::<M>(stream, &[]));
    let (messages, _) = seen;
    let (again, refusal) = read::<M>(&written(&messages), sizes);
    assert_eq!((&again, refusal), (&messages, None));
    messages
}

/// Messages, and the refusal that ended them.
fn read<M: ProtocolMessage>(mut stream: &[u8], sizes: &[u8]) -> (Vec<M>, Option<Malformed>) {
    let mut messages = Messages::default();
    let mut seen = Vec::new();
    let mut sizes = sizes.iter().cycle();
    while !stream.is_empty() {
        // Without sizes, and for a size of nothing, the piece is all there is.
        let size = sizes.next().map_or(0, |size| usize::from(*size));
        let size = if size == 0 { stream.len() } else { size.min(stream.len()) };
        let (mut piece, after) = stream.split_at(size);
        stream = after;
        loop {
            match messages.next(&mut piece) {
                Ok(Some(message)) => seen.push(message),
                Ok(None) => break,
                Err(refusal) => return (seen, Some(refusal)),
            }
        }
        assert!(piece.is_empty());
    }
    (seen, None)
}

fn written<M: ProtocolMessage>(messages: &[M]) -> Vec<u8> {
    let mut stream = Vec::new();
    for message in messages {
        message.encode(&mut stream);
    }
    stream
}
