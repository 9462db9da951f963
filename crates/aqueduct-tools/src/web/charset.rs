//! The character encoding of a page, as browsers determine it: byte-order mark, the server's content type, then what
//! the page declares in its beginning. Labels and decoders are those of the Encoding Standard.

use std::borrow::Cow;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use super::page::PageFormat;

/// How much of a page is searched for a declaration, as the HTML Standard defines it.
const DECLARED_WITHIN: usize = 1024;

/// The text of bytes. What is not valid in the encoding becomes U+FFFD.
///
/// Text without a declared encoding is UTF-8. Text that is valid UTF-8 is read as such also where ISO-8859-1 is
/// declared, because servers do that by default.
pub(super) fn decode(content_type: &str, format: PageFormat, bytes: &[u8]) -> String {
    let (encoding, bytes) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (encoding, &bytes[mark..]),
        None => (declared(content_type, format, bytes).unwrap_or(UTF_8), bytes),
    };
    if encoding == WINDOWS_1252
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return text.to_owned();
    }
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

/// The beginning of a file without a content type, for a look at what it is. `None` if it is not text.
pub(super) fn beginning(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let head = &bytes[..bytes.len().min(DECLARED_WITHIN)];
    match Encoding::for_bom(head) {
        Some((encoding, mark)) => Some(encoding.decode_without_bom_handling(&head[mark..]).0),
        None if head.contains(&0) || head.starts_with(b"%PDF") => None,
        None => Some(String::from_utf8_lossy(head)),
    }
}

fn declared(content_type: &str, format: PageFormat, bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(DECLARED_WITHIN)];
    charset_parameter(content_type.as_bytes())
        .and_then(labelled)
        .or_else(|| xml_declaration(head))
        .or_else(|| if format == PageFormat::Html { Prescan::new(head).find() } else { None })
}

/// The encoding of a label. Encodings that exist only to be refused have none.
fn labelled(label: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label(label).filter(|encoding| *encoding != REPLACEMENT)
}

/// An encoding that a page declares in bytes of ASCII: so it can't be UTF-16.
fn labelled_inside(label: &[u8]) -> Option<&'static Encoding> {
    labelled(label).map(|encoding| match encoding {
        encoding if encoding == UTF_16LE || encoding == UTF_16BE => UTF_8,
        encoding if encoding == X_USER_DEFINED => WINDOWS_1252,
        encoding => encoding,
    })
}

/// The value after `charset=`, in a content type or in the `content` of a `<meta>`.
fn charset_parameter(text: &[u8]) -> Option<&[u8]> {
    let name = b"charset";
    let mut rest = text;
    loop {
        let at = rest.windows(name.len()).position(|part| part.eq_ignore_ascii_case(name))?;
        rest = rest[at + name.len()..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            rest = value.trim_ascii_start();
            break;
        }
    }
    let (is_end, value): (fn(&u8) -> bool, &[u8]) = match rest.first() {
        Some(b'"') => (|byte| *byte == b'"', &rest[1..]),
        Some(b'\'') => (|byte| *byte == b'\'', &rest[1..]),
        _ => (|byte| byte.is_ascii_whitespace() || *byte == b';', rest),
    };
    Some(&value[..value.iter().position(is_end).unwrap_or(value.len())])
}

/// The encoding of `<?xml version="1.0" encoding="…"?>`: of feeds, and of pages in XHTML.
fn xml_declaration(head: &[u8]) -> Option<&'static Encoding> {
    let declaration = head.strip_prefix(b"<?xml")?;
    let end = declaration.iter().position(|byte| *byte == b'>')?;
    let mut scan = Prescan { bytes: &declaration[..end], at: 0 };
    while let Some((name, value)) = scan.attribute() {
        if name == b"encoding" {
            return labelled_inside(&value);
        }
    }
    None
}

/// Searches the beginning of a page for a `<meta>` that declares its encoding: the algorithm "prescan a byte stream to
/// determine its encoding" of the HTML Standard.
struct Prescan<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Prescan<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        Prescan { bytes, at: 0 }
    }

    fn find(&mut self) -> Option<&'static Encoding> {
        loop {
            self.at += memchr::memchr(b'<', self.rest())?;
            let rest = self.rest();
            if rest.starts_with(b"<!--") {
                // `<!-->` is a whole comment.
                self.at += 2;
                self.at += memchr::memmem::find(self.rest(), b"-->")? + 3;
            } else if is_meta(rest) {
                self.at += b"<meta".len();
                if let Some(encoding) = self.meta() {
                    return Some(encoding);
                }
            } else if is_tag(rest) {
                self.skip(|byte| !byte.is_ascii_whitespace() && byte != b'>');
                while self.attribute().is_some() {}
            } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
                self.at += memchr::memchr(b'>', rest)?;
            } else {
                self.at += 1;
            }
        }
    }

    /// The encoding that the attributes of a `<meta>` declare.
    fn meta(&mut self) -> Option<&'static Encoding> {
        let mut is_pragma = false;
        let (mut charset, mut content) = (None, None);
        while let Some((name, value)) = self.attribute() {
            match name.as_slice() {
                b"http-equiv" => is_pragma |= value == b"content-type",
                b"charset" => charset = charset.or(Some(value)),
                b"content" => content = content.or(Some(value)),
                _ => {}
            }
        }
        let pragma = || content.as_deref().filter(|_| is_pragma).and_then(charset_parameter);
        labelled_inside(charset.as_deref().or_else(pragma)?)
    }

    /// The next attribute of the tag in lower case: its name and its value.
    fn attribute(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        self.skip(|byte| byte.is_ascii_whitespace() || byte == b'/');
        if self.next()? == b'>' {
            return None;
        }
        let start = self.at;
        // A name may begin with `=`.
        self.at += 1;
        self.skip(|byte| !byte.is_ascii_whitespace() && !b"=/>".contains(&byte));
        let name = self.bytes[start..self.at].to_ascii_lowercase();
        self.skip(|byte| byte.is_ascii_whitespace());
        if self.next() != Some(b'=') {
            return Some((name, Vec::new()));
        }
        self.at += 1;
        self.skip(|byte| byte.is_ascii_whitespace());
        let value = match self.next()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                let start = self.at;
                self.at += memchr::memchr(quote, self.rest())? + 1;
                &self.bytes[start..self.at - 1]
            }
            _ => {
                let start = self.at;
                self.skip(|byte| !byte.is_ascii_whitespace() && byte != b'>');
                &self.bytes[start..self.at]
            }
        };
        Some((name, value.to_ascii_lowercase()))
    }

    fn rest(&self) -> &'b [u8] {
        &self.bytes[self.at..]
    }

    fn next(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) {
        while self.next().is_some_and(&is_skipped) {
            self.at += 1;
        }
    }
}

fn is_meta(text: &[u8]) -> bool {
    let is_name = text.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"<meta"));
    is_name && text.get(5).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'/')
}

fn is_tag(text: &[u8]) -> bool {
    let name = if text.get(1) == Some(&b'/') { text.get(2) } else { text.get(1) };
    name.is_some_and(u8::is_ascii_alphabetic)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Greetings in the encodings of pages that are still met.
    const GREETINGS: &[(&str, &[u8], &str)] = &[
        ("Shift_JIS", b"\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd", "こんにちは"),
        ("EUC-JP", b"\xa4\xb3\xa4\xf3\xa4\xcb\xa4\xc1\xa4\xcf", "こんにちは"),
        ("ISO-2022-JP", b"\x1b$B$3$s$K$A$O\x1b(B", "こんにちは"),
        ("GBK", b"\xc4\xe3\xba\xc3", "你好"),
        ("gb2312", b"\xc4\xe3\xba\xc3", "你好"),
        ("Big5", b"\xa7A\xa6n", "你好"),
        ("EUC-KR", b"\xbe\xc8\xb3\xe7", "안녕"),
        ("windows-1251", b"\xcf\xf0\xe8\xe2\xe5\xf2", "Привет"),
        ("KOI8-R", b"\xf0\xd2\xc9\xd7\xc5\xd4", "Привет"),
        ("ISO-8859-1", b"caf\xe9 \x80", "café €"),
        ("ISO-8859-2", b"\xb1\xe6", "ąć"),
        ("iso-8859-15", b"\xa4", "€"),
    ];

    #[test]
    fn the_content_type_decides() {
        for (label, bytes, text) in GREETINGS {
            let content_type = format!("text/plain; charset={label}");
            assert_eq!(decode(&content_type, PageFormat::Text, bytes), *text, "{label}");
            let content_type = format!("text/plain; x=1;CHARSET = \"{label}\" ; y");
            assert_eq!(decode(&content_type, PageFormat::Text, bytes), *text, "{label}");
        }
    }

    #[test]
    fn a_page_declares_its_encoding() {
        for (label, bytes, text) in GREETINGS {
            for declaration in [
                format!("<meta charset={label}>"),
                format!("<!-- <meta charset=utf-8> --><META a='>' CharSet = '{label}'/>"),
                format!("<meta http-equiv=Content-Type content='text/html; charset={label}'>"),
                format!(
                    "<title a=\"<meta charset=utf-8>\">x</title><meta content=\"charset={label}\" http-equiv='content-type'>"
                ),
                format!("<?xml version='1.0' encoding='{label}'?>"),
            ] {
                let page = [declaration.as_bytes(), bytes].concat();
                let decoded = decode("text/html", PageFormat::Html, &page);
                assert_eq!(decoded.strip_prefix(&declaration), Some(*text), "{declaration}");
            }
        }
        let late = [b" ".repeat(1024).as_slice(), b"<meta charset=gbk>\xc4\xe3"].concat();
        assert!(decode("text/html", PageFormat::Html, &late).ends_with("\u{fffd}\u{fffd}"), "too late");
        let no_pragma = b"<meta name=x content='charset=gbk'>\xc4\xe3";
        assert!(decode("text/html", PageFormat::Html, no_pragma).ends_with("\u{fffd}\u{fffd}"));
        let plain = b"<meta charset=gbk>\xc4\xe3";
        assert!(decode("text/plain", PageFormat::Text, plain).ends_with("\u{fffd}\u{fffd}"), "no HTML");
        let feed = b"<?xml version='1.0' encoding='windows-1251'?><a>\xcf</a>";
        assert!(decode("application/rss+xml", PageFormat::Text, feed).ends_with("<a>П</a>"));
    }

    #[test]
    fn a_mark_decides_before_anything_else() {
        let marked = |mark: &[u8], bytes: &[u8]| {
            decode("text/html; charset=gbk", PageFormat::Html, &[mark, bytes].concat())
        };
        assert_eq!(marked(b"\xef\xbb\xbf", "é".as_bytes()), "é");
        assert_eq!(marked(b"\xff\xfe", b"h\0i\0"), "hi");
        assert_eq!(marked(b"\xfe\xff", b"\0h\0i"), "hi");
        assert_eq!(beginning(b"\xff\xfe<\0h\0").as_deref(), Some("<h"));
        assert_eq!(beginning(b"\0\x01"), None);
    }

    #[test]
    fn what_is_declared_wrongly_or_not_at_all_is_utf_8() {
        assert_eq!(decode("text/html; charset=iso-8859-1", PageFormat::Html, "é".as_bytes()), "é");
        assert_eq!(decode("text/html; charset=nonsense", PageFormat::Html, "é".as_bytes()), "é");
        assert_eq!(decode("text/html; charset=", PageFormat::Html, "é".as_bytes()), "é");
        assert_eq!(
            decode("text/html", PageFormat::Html, "<meta charset=utf-16>é".as_bytes()),
            "<meta charset=utf-16>é"
        );
        assert_eq!(
            decode("text/html; charset=iso-2022-kr", PageFormat::Html, b"hi"),
            "hi",
            "not replaced as a whole"
        );
        assert_eq!(decode("text/html", PageFormat::Html, b"caf\xe9"), "caf\u{fffd}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_decoded(head in "(<meta|<!--|-->|<a|charset=|gbk|'|\"|>|=| |/|\u{e9}){0,40}", bytes: Vec<u8>) {
            let page = [head.as_bytes(), &bytes].concat();
            decode("", PageFormat::Html, &page);
            decode(&head, PageFormat::Text, &page);
        }
    }
}
