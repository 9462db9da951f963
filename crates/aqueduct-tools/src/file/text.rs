//! Text as a file holds it: encoding, byte-order mark and line ends are kept, the model sees plain lines.

use std::borrow::Cow;

/// How a text is written in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextEncoding {
    /// UTF-8, with a byte-order mark or without.
    Utf8 {
        /// Whether the file begins with a byte-order mark.
        mark: bool,
    },
    /// UTF-16, low byte first, after its byte-order mark.
    Utf16Le,
    /// UTF-16, high byte first, after its byte-order mark.
    Utf16Be,
}

/// A file's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileText {
    /// How it was written.
    pub encoding: TextEncoding,
    /// The text with its line ends as they are, without the byte-order mark.
    pub text: String,
}

/// The largest text that results repeat.
const ORIGINAL_LIMIT: usize = 1 << 20;

const MARK_UTF8: &[u8] = &[0xef, 0xbb, 0xbf];
const MARK_LE: &[u8] = &[0xff, 0xfe];
const MARK_BE: &[u8] = &[0xfe, 0xff];

impl FileText {
    /// Decodes a file. `None` if it is not text of an encoding that can be written back as it was.
    pub(crate) fn decode(bytes: impl Into<Vec<u8>>) -> Option<FileText> {
        let bytes = bytes.into();
        if let Some(rest) = bytes.strip_prefix(MARK_LE) {
            return Some(FileText {
                encoding: TextEncoding::Utf16Le,
                text: utf16(rest, u16::from_le_bytes)?,
            });
        }
        if let Some(rest) = bytes.strip_prefix(MARK_BE) {
            return Some(FileText {
                encoding: TextEncoding::Utf16Be,
                text: utf16(rest, u16::from_be_bytes)?,
            });
        }
        let mark = bytes.starts_with(MARK_UTF8);
        let mut text = String::from_utf8(bytes).ok()?;
        if mark {
            text.remove(0);
        }
        Some(FileText { encoding: TextEncoding::Utf8 { mark }, text })
    }

    /// The bytes of the file.
    pub(crate) fn encode(&self) -> Cow<'_, [u8]> {
        let units = || self.text.encode_utf16();
        match self.encoding {
            TextEncoding::Utf8 { mark: false } => Cow::Borrowed(self.text.as_bytes()),
            TextEncoding::Utf8 { mark: true } => Cow::Owned([MARK_UTF8, self.text.as_bytes()].concat()),
            TextEncoding::Utf16Le => {
                MARK_LE.iter().copied().chain(units().flat_map(u16::to_le_bytes)).collect()
            }
            TextEncoding::Utf16Be => {
                MARK_BE.iter().copied().chain(units().flat_map(u16::to_be_bytes)).collect()
            }
        }
    }

    /// The text for people: line ends as `\n`.
    pub(crate) fn plain(&self) -> Cow<'_, str> {
        plain(&self.text)
    }

    /// The text as hosts are shown it: line ends as `\n`, and the byte-order mark where there is one.
    pub(crate) fn shown(&self) -> Cow<'_, str> {
        match self.encoding {
            TextEncoding::Utf8 { mark: false } => self.plain(),
            _ => Cow::Owned(format!("\u{feff}{}", self.plain())),
        }
    }

    /// The same for a result that contains the previous text of a file. It is omitted for a large file: it would be
    /// held several times over, here and in the host, and the patch contains the changes.
    pub(crate) fn original(&self) -> Option<String> {
        (self.text.len() <= ORIGINAL_LIMIT).then(|| self.shown().into_owned())
    }

    /// Whether most of the lines end with `\r\n`.
    pub(crate) fn ends_with_crlf(&self) -> bool {
        let all = memchr::memchr_iter(b'\n', self.text.as_bytes()).count();
        let crlf = memchr::memmem::find_iter(self.text.as_bytes(), "\r\n").count();
        crlf > 0 && crlf * 2 >= all
    }
}

/// `\r\n` as `\n`.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    char::decode_utf16(pairs.iter().copied().map(unit)).collect::<Result<_, _>>().ok()
}

/// Whether a NUL is among the bytes, which no text of a common encoding has.
pub(crate) fn has_nul(bytes: &[u8]) -> bool {
    memchr::memchr(0, bytes).is_some()
}

/// Whether bytes that are not UTF-8 look like text of an old encoding: no control characters but those of
/// text, and not mostly bytes beyond ASCII that UTF-8 can't explain.
pub(crate) fn mostly_text(bytes: &[u8]) -> bool {
    let control = |byte: &&u8| matches!(byte, 0..=8 | 14..=26 | 28..=31 | 127);
    let broken: usize = bytes.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    !has_nul(bytes) && bytes.iter().filter(control).count() * 50 < bytes.len() && broken * 2 < bytes.len()
}
