//! Base64, for the rare line of a recording that is not text.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes as base64 with padding.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let word = (0..3).fold(0, |word, at| word << 8 | u32::from(group.get(at).copied().unwrap_or(0)));
        for at in 0..4 {
            let sextet = word >> (18 - 6 * at) & 63;
            let is_padding = at > group.len();
            text.push(if is_padding { '=' } else { char::from(ALPHABET[sextet as usize]) });
        }
    }
    text
}

/// The bytes that a base64 text encodes; `None` where it is none.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    if !text.len().is_multiple_of(4) || text.len() - digits.len() > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    let (mut word, mut bits) = (0_u32, 0);
    for digit in digits.bytes() {
        let sextet = ALPHABET.iter().position(|&letter| letter == digit)?;
        word = word << 6 | u32::try_from(sextet).ok()?;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits & 0xff) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_restored() {
        for (bytes, text) in [(&b""[..], ""), (b"\xff", "/w=="), (b"\xff\xfe", "//4="), (b"abc", "YWJj")] {
            assert_eq!(encode(bytes), text);
            assert_eq!(decode(text).as_deref(), Some(bytes));
        }
        assert_eq!(decode("a"), None);
        assert_eq!(decode("!!!!"), None);
    }
}
