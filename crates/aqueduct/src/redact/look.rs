//! Values that look like a secret, whatever their name is.

use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::table::{KINDS, SecretBody, SecretKind};

/// The place where the secret that begins at a place of a text ends.
type SecretEnd = fn(text: &[u8], at: usize) -> Option<usize>;

/// The beginnings of all kinds in the table.
static STARTS: LazyLock<Vec<(Finder<'static>, &'static SecretKind)>> =
    LazyLock::new(|| KINDS.iter().map(|kind| (Finder::new(kind.start), kind)).collect());

/// What has a shape of its own: a part that is always the same, and the place where the whole ends.
static SHAPES: LazyLock<Vec<(Finder<'static>, SecretEnd)>> = LazyLock::new(|| {
    let table: [(&str, SecretEnd); 4] =
        [("eyJ", json_web_token), ("Bearer ", bearer), ("bearer ", bearer), ("-----BEGIN ", private_key)];
    table.into_iter().map(|(start, end)| (Finder::new(start), end)).collect()
});

/// What is known by its middle: how many bytes of which kind come before it, and how many behind it.
const MIDDLES: &[(&str, RangeInclusive<usize>, SecretBody, usize)] = &[
    // Telegram: the number of a bot, and its secret.
    (":AA", 8..=10, SecretBody::Hex, 33),
    // Azure: the secret of an application.
    ("Q~", 4..=4, SecretBody::Dotted, 31),
    // MaxMind: the end of a key.
    ("_mmk", 36..=36, SecretBody::Word, 0),
    // Terraform.
    (".atlasv1.", 14..=14, SecretBody::Alphanumeric, 60),
    // Mailchimp: the key, and where its data is.
    ("-us", 32..=32, SecretBody::Hex, 1),
    // Discord: the id of a bot in base64, a time, a signature.
    (".", 23..=28, SecretBody::Word, 34),
    // Airtable.
    (".", 17..=17, SecretBody::Alphanumeric, 64),
];

/// Finds what looks like a secret. `text` may be the inside of a JSON string, escapes and all: no place that
/// is found cuts an escape in two.
pub(super) fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    for (start, kind) in STARTS.iter() {
        search(bytes, start, found, |at| kind.end(bytes, at));
    }
    for (start, end) in SHAPES.iter() {
        search(bytes, start, found, |at| end(bytes, at));
    }
    for (middle, before, body, behind) in MIDDLES {
        for at in memchr::memmem::find_iter(bytes, middle) {
            found.extend(around(bytes, at, middle, before, *body, *behind));
        }
    }
    find_pairing_codes(bytes, found);
    find_in_addresses(bytes, found);
}

/// Adds every secret that begins with `start`.
fn search(
    text: &[u8],
    start: &Finder<'_>,
    found: &mut Vec<Range<usize>>,
    end: impl Fn(usize) -> Option<usize>,
) {
    let mut from = 0;
    while let Some(at) = start.find(&text[from..]).map(|at| from + at) {
        let end = end(at);
        found.extend(end.map(|end| at..end));
        from = end.unwrap_or(at + 1);
    }
}

impl SecretKind {
    /// Where a secret of this kind ends that begins at `at`.
    fn end(&self, text: &[u8], at: usize) -> Option<usize> {
        let start = at + self.start.len();
        let length = text.get(start..)?.iter().take_while(|&&byte| self.body.fits(byte)).count();
        let end = start + length;
        let is_long = if self.is_exact { length == self.least } else { length >= self.least };
        let is_whole = !self.is_exact || !text.get(end).is_some_and(|&byte| is_word(byte));
        let has_digit = !self.needs_digit || text[start..end].iter().any(u8::is_ascii_digit);
        // An address is part of a longer one.
        let begins = begins_word(text, at) || !is_word(self.start.as_bytes()[0]);
        (is_long && is_whole && has_digit && begins).then_some(end)
    }
}

/// A secret around its middle, with a digit and letters of both cases, or hex: words and file names have less.
fn around(
    text: &[u8],
    at: usize,
    middle: &str,
    before: &RangeInclusive<usize>,
    body: SecretBody,
    behind: usize,
) -> Option<Range<usize>> {
    let most = before.end() + 1;
    let mut length = text[..at].iter().rev().take(most).take_while(|&&byte| body.fits(byte)).count();
    // The letter of an escape belongs to no secret.
    if length > 0 && begins_word(text, at - length + 1) {
        length -= 1;
    }
    let start = at - length;
    // In an address of Telegram a bot's number has a word before it.
    let begins = begins_word(text, start) || text[..start].ends_with(b"bot");
    if !before.contains(&length) || !begins {
        return None;
    }
    let rest = at + middle.len();
    let is_part = |byte: u8| {
        is_word(byte) || (matches!(middle, "." | "Q~") && byte == b'.') || (middle == "Q~" && byte == b'~')
    };
    let end = rest + text[rest..].iter().take_while(|&&byte| is_part(byte)).count();
    let all = &text[start..end];
    let fits = match (middle, body) {
        (":AA", _) => text[start..at].iter().all(u8::is_ascii_digit),
        ("Q~", _) => text[at - 1].is_ascii_digit(),
        ("_mmk", _) => text[start + 6] == b'_' && end == rest,
        ("-us", _) => text[rest..end].iter().all(u8::is_ascii_digit),
        (".", SecretBody::Alphanumeric) => {
            all.starts_with(b"pat") && text[rest..end].iter().all(u8::is_ascii_hexdigit)
        }
        (".", _) => is_bot_token(all),
        _ => true,
    };
    (fits && end - rest >= behind).then_some(start..end)
}

/// Three parts of which the first is a number in base64.
fn is_bot_token(text: &[u8]) -> bool {
    let parts: Vec<&[u8]> = text.split(|byte| *byte == b'.').collect();
    matches!(text[0], b'M' | b'N' | b'O')
        && matches!(*parts, [_, time, signature] if (6..=7).contains(&time.len()) && signature.len() >= 27)
        && text.iter().any(u8::is_ascii_digit)
        && text.iter().any(u8::is_ascii_lowercase)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// The end of the run of bytes from `at` on, if there are at least `least` of them.
fn run(text: &[u8], at: usize, least: usize, fits: fn(u8) -> bool) -> Option<usize> {
    let rest = text.get(at..)?;
    let length = rest.iter().take_while(|&&byte| fits(byte)).count();
    (length >= least).then_some(at + length)
}

/// Whether a word begins at `at`. The letter of an escape such as `\n` belongs to no word.
fn begins_word(text: &[u8], at: usize) -> bool {
    match text[..at] {
        [.., b'\\', b'n' | b'r' | b't' | b'b' | b'f'] => true,
        [.., before] => !is_word(before),
        [] => true,
    }
}

fn json_web_token(text: &[u8], at: usize) -> Option<usize> {
    let header = run(text, at, 8, is_word)?;
    let payload = (text.get(header) == Some(&b'.')).then(|| run(text, header + 1, 4, is_word))??;
    match text.get(payload) {
        Some(b'.') => {
            // Encrypted ones have five parts.
            let rest = |byte| is_word(byte) || byte == b'.';
            run(text, payload + 1, 0, rest)
        }
        _ => None,
    }
}

/// The credential after `Bearer`. Prose about bearers has words there, and they are short or have no digit.
fn bearer(text: &[u8], at: usize) -> Option<usize> {
    let end = run(text, at + 7, 8, |byte| is_word(byte) || matches!(byte, b'.' | b'~' | b'+' | b'/' | b'='))?;
    let value = &text[at + 7..end];
    (value.len() >= 24 || value.iter().any(u8::is_ascii_digit)).then_some(end)
}

fn private_key(text: &[u8], at: usize) -> Option<usize> {
    let label = &text[at..text.len().min(at + 64)];
    // OpenPGP calls it a block.
    let is_key = |end: &[u8]| memchr::memmem::find(label, end).is_some();
    (is_key(b"PRIVATE KEY-----") || is_key(b"PRIVATE KEY BLOCK-----")).then_some(())?;
    let close = memchr::memmem::find(&text[at..], b"-----END ").map(|found| at + found + 9);
    let end = close.and_then(|close| Some(close + memchr::memmem::find(&text[close..], b"-----")? + 5));
    // A block that is not closed continues to the end.
    Some(end.unwrap_or(text.len()))
}

/// Codes that pair a device with a bridge: four groups of four capitals and digits.
fn find_pairing_codes(text: &[u8], found: &mut Vec<Range<usize>>) {
    for at in memchr::memchr_iter(b'-', text) {
        let Some(start) = at.checked_sub(4) else { continue };
        let Some(code) = text.get(start..start + 19) else { continue };
        let is_code = code
            .split(|byte| *byte == b'-')
            .all(|group| group.len() == 4 && group.iter().all(|&byte| SecretBody::Upper.fits(byte)));
        let is_whole = begins_word(text, start) && !text.get(start + 19).is_some_and(|&byte| is_word(byte));
        if is_code && is_whole && code.iter().any(u8::is_ascii_digit) {
            found.push(start..start + 19);
        }
    }
}

/// Passwords in addresses: `https://user:password@host`.
fn find_in_addresses(text: &[u8], found: &mut Vec<Range<usize>>) {
    for at in memchr::memmem::find_iter(text, b"://") {
        let start = at + 3;
        let rest = &text[start..];
        let length = rest.iter().take_while(|&&byte| byte > b' ' && !b"/\"'\\<>`?#".contains(&byte)).count();
        let Some(end) = memchr::memrchr(b'@', &rest[..length]) else { continue };
        match memchr::memchr(b':', &rest[..end]) {
            Some(colon) if colon + 1 < end => found.push(start + colon + 1..start + end),
            // A token in place of the user's name.
            None if end >= 20 && rest[..end].iter().any(u8::is_ascii_digit) => found.push(start..start + end),
            _ => {}
        }
    }
}
