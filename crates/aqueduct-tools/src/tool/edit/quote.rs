//! Quotes: models write straight ones where a file has typographic ones.

use std::ops::Range;

/// The straight form of a quote.
fn straight(quote: char) -> char {
    match quote {
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201c}' | '\u{201d}' => '"',
        other => other,
    }
}

/// Where `old` occurs in `text` if all quotes were straight. Matches don't overlap.
pub(super) fn find(text: &str, old: &str) -> Vec<Range<usize>> {
    let is_curled = |text: &str| text.chars().any(|char| straight(char) != char);
    if old.is_empty() || !(is_curled(text) || is_curled(old)) {
        return Vec::new();
    }
    let old: String = old.chars().map(straight).collect();
    let plain: String = text.chars().map(straight).collect();
    // What lies between two places has the same characters in both texts.
    let mut places = Vec::new();
    let (mut plain_done, mut text_done) = (0, 0);
    for (at, matched) in plain.match_indices(&old) {
        let start = text_done + width(&text[text_done..], plain[plain_done..at].chars().count());
        let end = start + width(&text[start..], matched.chars().count());
        places.push(start..end);
        (plain_done, text_done) = (at + matched.len(), end);
    }
    places
}

/// How many bytes the first `count` characters have.
fn width(text: &str, count: usize) -> usize {
    text.char_indices().nth(count).map_or(text.len(), |(at, _)| at)
}

/// `new` with typographic quotes of those kinds that `old` has.
pub(super) fn like(old: &str, new: &str) -> String {
    let has = |quotes: [char; 2]| old.contains(quotes);
    let (single, double) = (has(['\u{2018}', '\u{2019}']), has(['\u{201c}', '\u{201d}']));
    let mut before = None;
    new.chars()
        .map(|char| {
            let opens = before
                .is_none_or(|before: char| before.is_whitespace() || "([{\u{2014}\u{2013}".contains(before));
            before = Some(char);
            match (char, opens) {
                ('"', true) if double => '\u{201c}',
                ('"', false) if double => '\u{201d}',
                ('\'', true) if single => '\u{2018}',
                ('\'', false) if single => '\u{2019}',
                (other, _) => other,
            }
        })
        .collect()
}
