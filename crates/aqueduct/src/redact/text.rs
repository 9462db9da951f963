//! Secrets in running text: log lines, commands, headers, settings.

use std::borrow::Cow;
use std::ops::Range;

use super::name::{is_password, is_secret_in_query};
use super::{REDACTED, is_secret, look};

/// Nothing shorter can hold a secret and its sign.
const SHORTEST: usize = 10;

/// Takes the secrets out of a text. The inside of a JSON string, escapes and all, is a text too.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    if text.len() < SHORTEST {
        return Cow::Borrowed(text);
    }
    let mut found = Vec::new();
    look::find(text, &mut found);
    find_assigned(text.as_bytes(), &mut found);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    found.sort_by_key(|range| range.start);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for Range { start, end } in found {
        // Everything that is found begins and ends beside an ASCII character.
        if let Some(before) = text.get(done..start) {
            out.push_str(before);
            out.push_str(REDACTED);
        }
        done = done.max(end);
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(out)
}

/// Finds values that are given to a secret's name: `API_KEY=…`, `x-api-key: …`, `"password": "…"`.
fn find_assigned(text: &[u8], found: &mut Vec<Range<usize>>) {
    for sign in memchr::memchr2_iter(b'=', b':', text) {
        let name = name_before(text, sign);
        let is_query =
            text[sign] == b'=' && is_in_query(text, sign - name.len().min(sign)) && is_secret_in_query(name);
        if !is_secret(name) && !is_query {
            continue;
        }
        let mut start = sign + 1;
        start += spaces_and_quotes(&text[start..]);
        let is_header = [&b"authorization"[..], b"cookie"]
            .iter()
            .any(|header| name.to_ascii_lowercase().as_bytes().ends_with(header));
        // `password=…`, or in quotes: what is behind a blank may be prose, or the type of a variable.
        let is_close = (text[sign] == b'=' && start == sign + 1) || matches!(text[start - 1], b'"' | b'\'');
        let is_password = is_close && (is_password(name) || (is_query && name.eq_ignore_ascii_case("pwd")));
        let end = match (is_header, is_password) {
            (true, _) => header_end(text, start),
            (_, true) => password_end(text, start),
            _ => value_end(text, start),
        };
        let value = &text[start..end];
        let is_named =
            is_variable(name) && text[sign] == b'=' && is_close || is_field(name) && text[sign] == b':';
        let is_long =
            value.len() >= 6 && (is_named || value.iter().any(u8::is_ascii_digit) || value.len() >= 32);
        if (is_header && value.len() >= 6) || (is_password && value.len() >= 4) || is_long {
            found.push(start..end);
        }
    }
}

/// Whether a name is written as that of an environment variable: `API_TOKEN`. Code has other names.
fn is_variable(name: &str) -> bool {
    name.contains('_') && !name.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Whether a name is written as that of a header: `x-api-key`.
fn is_field(name: &str) -> bool {
    name.contains('-') && !name.contains('_')
}

/// Whether a name that begins at `at` is one of an address's query or fragment.
fn is_in_query(text: &[u8], at: usize) -> bool {
    at > 0 && matches!(text[at - 1], b'?' | b'&' | b'#' | b';')
}

/// A password continues to what ends it in a query, in a connection's settings, in a shell and in quotes.
fn password_end(text: &[u8], start: usize) -> usize {
    let is_part = |byte: u8| byte > b' ' && byte != 0x7f && !b"\"'\\`&;,<>(){}[]|".contains(&byte);
    start + text[start..].iter().take_while(|&&byte| is_part(byte)).count()
}

/// The name that ends before `sign`, quotes and a backslash before them left out.
fn name_before(text: &[u8], sign: usize) -> &str {
    let mut end = sign;
    while end > 0 && matches!(text[end - 1], b'"' | b'\'' | b'\\' | b' ') && sign - end < 9 {
        end -= 1;
    }
    let length = text[..end].iter().rev().take(64).take_while(|&&byte| is_name(byte)).count();
    std::str::from_utf8(&text[end - length..end]).unwrap_or_default()
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// The length of the text between the sign and the value: a space, a quote, an escaped quote.
fn spaces_and_quotes(rest: &[u8]) -> usize {
    let length = rest.iter().take(10).take_while(|byte| matches!(byte, b' ' | b'"' | b'\'' | b'\\')).count();
    // Only a quote is an escape that is known here.
    let is_other_escape = length > 0 && rest[length - 1] == b'\\';
    if is_other_escape { length - 1 } else { length }
}

fn value_end(text: &[u8], start: usize) -> usize {
    let is_part =
        |byte: u8| is_name(byte) || matches!(byte, b'.' | b'/' | b'+' | b'=' | b'~' | b'!' | b'@' | b'%');
    start + text[start..].iter().take_while(|&&byte| is_part(byte)).count()
}

/// The value of a header continues to the end of its line or its quotes: a scheme and a credential, or several
/// cookies.
fn header_end(text: &[u8], start: usize) -> usize {
    let length = text[start..].iter().take_while(|&&byte| byte >= b' ' && !b"\"'\\`".contains(&byte)).count();
    start + length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_taken_out() {
        for (given, kept) in [
            ("key sk-ant-api03-abcDEF_123-x and on", "key [redacted] and on"),
            ("curl -H 'Authorization: Basic dXNlcjpwYXNz' u", "curl -H 'Authorization: [redacted]' u"),
            (r#"curl -H \"x-api-key: abc123def\" u"#, r#"curl -H \"x-api-key: [redacted]\" u"#),
            ("export GITHUB_TOKEN=abc123def456", "export GITHUB_TOKEN=[redacted]"),
            (r"a\nghp_0123456789abcdefghij0123456789\n", r"a\n[redacted]\n"),
            ("AKIAIOSFODNN7EXAMPLE is an id", "[redacted] is an id"),
            ("git clone https://me:s3cret@example.org/x", "git clone https://me:[redacted]@example.org/x"),
            ("jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "jwt [redacted]"),
            ("Cookie: a=b; c=d", "Cookie: [redacted]"),
            (
                r"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nafter",
                r"[redacted]\nafter",
            ),
            ("header: Bearer abc.def.123456", "header: [redacted]"),
        ] {
            assert_eq!(text(given), kept);
        }
    }

    #[test]
    fn what_only_sounds_like_a_secret_stays() {
        for kept in [
            "password: String, api_key: Option<String>",
            "input_tokens: 12345678, max_tokens=100000",
            "Bearer authentication is used here",
            "risk-taking-behaviour-in-the-21st-century",
            "let token = self.next_token();",
            "https://example.org:8080/path@x",
            "the secret: is unknown",
        ] {
            assert_eq!(text(kept), kept);
        }
    }
}
