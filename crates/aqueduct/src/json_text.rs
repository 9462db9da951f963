//! Places in JSON text that is known to be valid.

/// The place of the quote that closes a string of valid JSON. `at` is behind the opening one.
#[inline]
pub(crate) fn string_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = quote_or_backslash(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return at,
            Some(_) => at += 2,
            None => return bytes.len(),
        }
    }
}

/// The next quote or backslash. Most strings are short, and for those a search by whole vectors costs more
/// than it saves; so the first bytes are looked at by the word.
#[inline]
fn quote_or_backslash(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::MAX / 0xff;
    for _ in 0..6 {
        let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) else { break };
        let word = u64::from_le_bytes(*chunk);
        // A byte that is wanted becomes 0, and taking 1 from it sets its high bit. The lowest mark is exact.
        let zero = |word: u64| word.wrapping_sub(ONES) & !word & (ONES << 7);
        let marks = zero(word ^ (ONES * b'"' as u64)) | zero(word ^ (ONES * b'\\' as u64));
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    memchr::memchr2(b'"', b'\\', rest).map_or(bytes.len(), |found| at + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_end_at_their_quote() {
        for length in 0..80 {
            let text = format!("{}\\\"{}\" \"\\", "x".repeat(length), "é".repeat(length));
            assert_eq!(string_end(text.as_bytes(), 0), length + 2 + 2 * length);
            assert_eq!(string_end(&text.as_bytes()[..length + 2], 0), length + 2);
        }
    }
}
