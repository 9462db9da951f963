//! Amazon's binary event stream.

use aqueduct_model::event_stream::{EventStreamDecoder, EventStreamError, EventStreamMessage};
use proptest::collection::vec;
use proptest::prelude::*;

/// Writes a message, independently of what reads it.
pub(crate) fn encode(headers: &[(&str, &str)], payload: &[u8]) -> Vec<u8> {
    let mut head = Vec::new();
    for (name, value) in headers {
        head.push(u8::try_from(name.len()).unwrap());
        head.extend(name.as_bytes());
        head.push(7);
        head.extend(u16::try_from(value.len()).unwrap().to_be_bytes());
        head.extend(value.as_bytes());
    }
    let mut bytes = u32::try_from(16 + head.len() + payload.len()).unwrap().to_be_bytes().to_vec();
    bytes.extend(u32::try_from(head.len()).unwrap().to_be_bytes());
    bytes.extend(crc(&bytes).to_be_bytes());
    bytes.extend(head);
    bytes.extend(payload);
    bytes.extend(crc(&bytes).to_be_bytes());
    bytes
}

/// CRC-32, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |mut sum, byte| {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 };
        }
        sum
    })
}

fn decode(limit: usize, bytes: &[u8], size: usize) -> Result<Vec<EventStreamMessage>, EventStreamError> {
    let mut decoder = EventStreamDecoder::new(limit);
    let mut seen = Vec::new();
    for mut piece in bytes.chunks(size.max(1)) {
        while let Some(message) = decoder.next(&mut piece)? {
            seen.push(message);
        }
        assert!(piece.is_empty());
    }
    Ok(seen)
}

proptest! {
    #[test]
    fn messages_survive_in_any_pieces(
        messages in vec((vec(("[a-z:-]{1,20}", "[ -~]{0,40}"), 0..4), vec(any::<u8>(), 0..200)), 0..4),
        size in 1..64usize,
    ) {
        let mut bytes = Vec::new();
        let mut expected = Vec::new();
        for (headers, payload) in &messages {
            let borrowed: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (&**name, &**value)).collect();
            bytes.extend(encode(&borrowed, payload));
            expected.push(EventStreamMessage { headers: headers.clone(), payload: payload.clone() });
        }
        prop_assert_eq!(decode(1 << 20, &bytes, size), Ok(expected));
    }

    #[test]
    fn a_changed_byte_is_noticed(payload in vec(any::<u8>(), 0..64), at in any::<prop::sample::Index>(), bit in 0..8u8) {
        let mut bytes = encode(&[(":message-type", "event")], &payload);
        let at = at.index(bytes.len());
        bytes[at] ^= 1u8 << bit;
        prop_assert!(decode(1 << 20, &bytes, 7).is_err());
    }

    #[test]
    fn any_bytes_end_in_messages_or_an_error(bytes in vec(any::<u8>(), 0..200), size in 1..32usize) {
        let _ = decode(1 << 10, &bytes, size);
    }
}

#[test]
fn a_message_beyond_the_limit_is_refused_before_it_is_kept() {
    let bytes = encode(&[], &[0; 2000]);
    assert_eq!(decode(1000, &bytes[..12], 12), Err(EventStreamError::TooLong { limit: 1000 }));
}
