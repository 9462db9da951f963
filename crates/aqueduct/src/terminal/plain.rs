//! Text that can't do anything to a terminal.

/// A text in one line, with everything visible that a terminal would obey.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\n' => out.push_str("\\n"),
            '\t' => out.push(' '),
            _ => push(&mut out, char),
        }
    }
    out
}

/// Appends a character, or what makes it visible. Beside control characters these are the ones that turn the
/// writing direction around, end lines, or tag text invisibly.
fn push(out: &mut String, char: char) {
    match char {
        '\r' => out.push_str("\\r"),
        '\0'..='\x1f' | '\x7f' => out.push_str(&format!("\\x{:02x}", u32::from(char))),
        '\u{80}'..='\u{9f}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}' => out.push_str(&format!("\\u{{{:x}}}", u32::from(char))),
        _ => out.push(char),
    }
}

/// Appends a character of a text that may have several lines: tabs are blanks.
pub(crate) fn push_text(out: &mut String, char: char) {
    match char {
        '\t' => out.push_str("    "),
        _ => push(out, char),
    }
}

/// A line exactly as it is, for the user who decides about it: also what looks like a blank or can't be seen
/// at all is made visible. Returns whether there was any.
pub(crate) fn exact(line: &str) -> (String, bool) {
    let mut out = String::with_capacity(line.len());
    let mut has_hidden = false;
    for char in line.chars() {
        if char != '\t' && is_hidden(char) {
            has_hidden = true;
            match char {
                '\0'..='\x7f' => out.push_str(&format!("\\x{:02x}", u32::from(char))),
                _ => out.push_str(&format!("\\u{{{:x}}}", u32::from(char))),
            }
        } else {
            push_text(&mut out, char);
        }
    }
    (out, has_hidden)
}

/// Whether a character is obeyed by a terminal, can't be seen, or looks like another.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || (char.is_whitespace() && char != ' ')
        || matches!(u32::from(char),
            0xad | 0x34f | 0x61c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f | 0x200b..=0x200f
            | 0x202a..=0x202e | 0x2060..=0x206f | 0x2800 | 0x3164 | 0xfe00..=0xfe0f | 0xfeff | 0xffa0
            | 0xfff0..=0xfffb | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a | 0xe0000..=0xe0fff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal() {
        let hostile = "a\x1b[2Jb\rc\x07\u{9b}31m\u{202e}d\u{2028}\ne\tf\u{7f}é😀";
        assert_eq!(plain(hostile), "a\\x1b[2Jb\\rc\\x07\\u{9b}31m\\u{202e}d\\u{2028}\\ne f\\x7fé😀");
        assert!(!plain(hostile).chars().any(char::is_control));
    }

    #[test]
    fn what_is_decided_about_is_shown_exactly() {
        assert_eq!(exact("echo \thi"), ("echo     hi".to_owned(), false));
        assert_eq!(
            exact("rm\u{a0}-rf\u{200d}\x1b[2J\r"),
            ("rm\\u{a0}-rf\\u{200d}\\x1b[2J\\x0d".to_owned(), true)
        );
        assert!(exact("\u{202e}\u{3164}\u{e0041}").0.is_ascii());
    }
}
