use std::ops::Range;

/// How rare bytes are in transcripts, the rarest first. What is not listed is rarer still.
const COMMON: &[u8] = b"qzxjkvwybgphfmucdl0123456789rnsioate";

/// A word to look for, whatever its case.
#[derive(Debug, Clone)]
pub(super) struct Needle {
    /// The word in lower case.
    word: String,
    /// The longest part of it that every JSON writer leaves unescaped: ASCII letters and digits.
    plain: Vec<u8>,
    /// The position of the rarest byte in that.
    rarest: usize,
}

impl Needle {
    /// A word; `None` for nothing.
    pub(super) fn new(word: &str) -> Option<Self> {
        let word: String = word.trim().chars().flat_map(char::to_lowercase).collect();
        if word.is_empty() {
            return None;
        }
        let parts = word.as_bytes().split(|byte| !byte.is_ascii_alphanumeric());
        let plain = parts.max_by_key(|part| part.len()).unwrap_or_default().to_vec();
        let rank = |byte: &u8| COMMON.iter().position(|common| common == byte).map_or(0, |rank| rank + 1);
        let rarest = (0..plain.len()).min_by_key(|&at| rank(&plain[at])).unwrap_or(0);
        Some(Needle { word, plain, rarest })
    }

    /// How good a filter the word is for raw bytes; 0 for none.
    pub(super) fn strength(&self) -> usize {
        self.plain.len()
    }

    /// Where in raw JSON the word may occur next, from `from` on.
    pub(super) fn may_occur(&self, bytes: &[u8], from: usize) -> Option<usize> {
        find_plain(&self.plain, self.rarest, bytes, from)
    }

    /// The position of the word in a text, from `from` on.
    pub(super) fn find(&self, text: &str, from: usize) -> Option<Range<usize>> {
        if self.plain.len() == self.word.len() {
            let start = find_plain(&self.plain, self.rarest, text.as_bytes(), from)?;
            return Some(start..start + self.plain.len());
        }
        text[from..].char_indices().find_map(|(at, _)| {
            let start = from + at;
            begins(&text[start..], &self.word).map(|length| start..start + length)
        })
    }
}

/// Finds ASCII letters and digits in lower case in bytes of any case.
fn find_plain(plain: &[u8], rarest: usize, bytes: &[u8], from: usize) -> Option<usize> {
    let Some(&rare) = plain.get(rarest) else { return (from < bytes.len()).then_some(from) };
    let mut at = from.checked_add(rarest)?;
    loop {
        let rest = bytes.get(at..)?;
        at += memchr::memchr2(rare, rare.to_ascii_uppercase(), rest)?;
        let start = at - rarest;
        if bytes.get(start..start + plain.len()).is_some_and(|found| found.eq_ignore_ascii_case(plain)) {
            return Some(start);
        }
        at += 1;
    }
}

/// How much of a text's beginning is the word, if any of it is.
fn begins(text: &str, word: &str) -> Option<usize> {
    let mut wanted = word.chars();
    let mut next = wanted.next();
    for (at, char) in text.char_indices() {
        for lower in char.to_lowercase() {
            if next != Some(lower) {
                return next.is_none().then_some(at);
            }
            next = wanted.next();
        }
        if next.is_none() {
            return Some(at + char.len_utf8());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn find(word: &str, text: &str) -> Option<Range<usize>> {
        Needle::new(word).unwrap().find(text, 0)
    }

    #[test]
    fn words_are_found_in_any_case() {
        assert_eq!(find("Build", "the BUILD is red"), Some(4..9));
        assert_eq!(find("über", "Das ist Über alles"), Some(8..13));
        assert_eq!(find("a.b", "xA.B"), Some(1..4));
        assert_eq!(find("straße", "STRASSE"), None);
        assert_eq!(find("İ", "xi\u{307}"), Some(1..4));
        assert_eq!(find("x", ""), None);
        assert!(Needle::new("  ").is_none());
    }

    #[test]
    fn raw_bytes_are_looked_through_for_what_is_never_escaped() {
        let needle = Needle::new("naïve-plan").unwrap();
        assert_eq!(needle.plain, b"plan");
        assert_eq!(needle.may_occur(br#"{"a":"na\u00efve-PLAN"}"#, 0), Some(17));
        assert_eq!(Needle::new("日本").unwrap().strength(), 0);
    }

    proptest! {
        #[test]
        fn what_is_found_is_there(word in "[a-zA-Z0-9é.]{1,4}", text in "[a-zA-Z0-9é. ]{0,40}") {
            let needle = Needle::new(&word).unwrap();
            let lower = text.to_lowercase();
            // In these alphabets no letter changes its length with its case.
            let expected = lower.find(&word.to_lowercase());
            prop_assert_eq!(needle.find(&text, 0).map(|range| range.start), expected);
            if expected.is_some() && needle.strength() > 0 {
                prop_assert!(needle.may_occur(text.as_bytes(), 0).is_some());
            }
        }
    }
}
