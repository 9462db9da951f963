//! Values that look like a secret, whatever their name is.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

/// The place where the secret that begins at a place of a text ends.
type End = fn(text: &[u8], at: usize) -> Option<usize>;

/// How a kind of secret looks: where it begins, and how it goes on.
struct Look {
    start: Finder<'static>,
    end: End,
}

static LOOKS: LazyLock<Vec<Look>> = LazyLock::new(|| {
    let table: [(&str, End); 18] = [
        ("sk-ant-", |text, at| run(text, at + 7, 8, is_word)),
        ("sk-", api_key),
        ("ghp_", |text, at| run(text, at + 4, 20, is_word)),
        ("gho_", |text, at| run(text, at + 4, 20, is_word)),
        ("ghu_", |text, at| run(text, at + 4, 20, is_word)),
        ("ghs_", |text, at| run(text, at + 4, 20, is_word)),
        ("ghr_", |text, at| run(text, at + 4, 20, is_word)),
        ("github_pat_", |text, at| run(text, at + 11, 20, is_word)),
        ("glpat-", |text, at| run(text, at + 6, 16, is_word)),
        ("npm_", |text, at| run(text, at + 4, 36, is_word)),
        ("xox", slack_token),
        ("AIza", |text, at| run(text, at + 4, 35, is_word)),
        ("AKIA", aws_key_id),
        ("ASIA", aws_key_id),
        ("eyJ", json_web_token),
        ("Bearer ", bearer),
        ("bearer ", bearer),
        ("-----BEGIN ", private_key),
    ];
    table.into_iter().map(|(start, end)| Look { start: Finder::new(start), end }).collect()
});

/// Finds what looks like a secret. `text` may be the inside of a JSON string, escapes and all: no place that
/// is found cuts an escape in two.
pub(super) fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    for look in LOOKS.iter() {
        let mut from = 0;
        while let Some(at) = look.start.find(&bytes[from..]).map(|at| from + at) {
            let end = (look.end)(bytes, at);
            if let Some(end) = end {
                found.push(at..end);
            }
            from = end.unwrap_or(at + 1);
        }
    }
    find_in_addresses(bytes, found);
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

fn api_key(text: &[u8], at: usize) -> Option<usize> {
    let end = run(text, at + 3, 20, is_word)?;
    let is_key = begins_word(text, at) && text[at..end].iter().any(u8::is_ascii_digit);
    is_key.then_some(end)
}

fn slack_token(text: &[u8], at: usize) -> Option<usize> {
    let kind = matches!(text.get(at + 3..at + 5)?, [b'a' | b'b' | b'p' | b'r' | b's', b'-']);
    kind.then(|| run(text, at + 5, 10, is_word))?
}

fn aws_key_id(text: &[u8], at: usize) -> Option<usize> {
    let end = run(text, at, 20, |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())?;
    (end - at == 20 && !text.get(end).is_some_and(|&byte| is_word(byte))).then_some(end)
}

fn json_web_token(text: &[u8], at: usize) -> Option<usize> {
    let header = run(text, at, 8, is_word)?;
    let payload = (text.get(header) == Some(&b'.')).then(|| run(text, header + 1, 4, is_word))??;
    match text.get(payload) {
        Some(b'.') => run(text, payload + 1, 0, is_word),
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
    memchr::memmem::find(label, b"PRIVATE KEY-----")?;
    let close = memchr::memmem::find(&text[at..], b"-----END ").map(|found| at + found + 9);
    let end = close.and_then(|close| Some(close + memchr::memmem::find(&text[close..], b"-----")? + 5));
    // A block that is not closed goes on to the end.
    Some(end.unwrap_or(text.len()))
}

/// Passwords in addresses: `https://user:password@host`.
fn find_in_addresses(text: &[u8], found: &mut Vec<Range<usize>>) {
    for at in memchr::memmem::find_iter(text, b"://") {
        let start = at + 3;
        let rest = &text[start..];
        let length = rest.iter().take_while(|&&byte| byte > b' ' && !b"/\"'\\<>`?#".contains(&byte)).count();
        let Some(end) = memchr::memrchr(b'@', &rest[..length]) else { continue };
        let Some(colon) = memchr::memchr(b':', &rest[..end]) else { continue };
        if colon + 1 < end {
            found.push(start + colon + 1..start + end);
        }
    }
}
