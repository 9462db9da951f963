//! Names as file systems compare them that take different names for the same one.

use std::borrow::Cow;

/// Letters that some file systems take for others: all of them, for comparisons of names without regard to
/// case.
const FOLDS: [(char, &str); 8] =
    [('ſ', "s"), ('ﬀ', "ff"), ('ﬁ', "fi"), ('ﬂ', "fl"), ('ﬃ', "ffi"), ('ﬄ', "ffl"), ('ﬅ', "st"), ('ﬆ', "st")];

/// Whether it is seen at a glance that folding leaves a text as it is, which is true of most paths.
pub(crate) fn is_folded(text: &str) -> bool {
    let mut before = b'/';
    let is_plain = |byte: u8| {
        let ends_name = byte == b'/' && matches!(before, b'.' | b' ');
        before = byte;
        byte.is_ascii() && !byte.is_ascii_uppercase() && byte != b':' && !ends_name
    };
    text.bytes().all(is_plain) && !text.ends_with(['.', ' '])
}

/// A text without the difference between upper and lower case, and without what some file systems leave out
/// of names: invisible characters, dots and spaces at the end, names of streams.
pub(crate) fn folded(text: &str) -> Cow<'_, str> {
    if is_folded(text) {
        return text.into();
    }
    let mut text = Cow::Borrowed(text);
    if text.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
        let mut lower = text.to_lowercase();
        if !lower.is_ascii() {
            FOLDS.iter().for_each(|(letter, plain)| lower = lower.replace(*letter, plain));
            lower.retain(|c| !is_ignored(c));
        }
        text = lower.into();
    }
    let trailing =
        |name: &str| name.ends_with(['.', ' ']) && name.contains(|c| c != '.') || name.contains("::$");
    if text.split('/').any(trailing) {
        let names = text.split('/').map(|name| {
            let name = name.split("::$").next().unwrap_or_default();
            if name.contains(|c| c != '.') { name.trim_end_matches(['.', ' ']) } else { name }
        });
        text = names.collect::<Vec<_>>().join("/").into();
    }
    text
}

/// Characters that some file systems leave out of names.
pub(crate) fn is_ignored(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}
