/// How much of a text of a server is shown.
const LIMIT: usize = 200;

/// A text of a server in a message for people: one line, not too long, and without characters that a terminal obeys or
/// that hide others.
pub(super) fn shown(text: &str) -> String {
    let is_plain = |c: char| !c.is_control() && !is_format(c);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().filter(|c| is_plain(*c)).take(LIMIT).collect()
}

/// Whether a character changes the direction of what follows, or has no width.
fn is_format(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn what_a_terminal_would_obey_is_left_out() {
        assert_eq!(shown("no\u{1b}[2J access\n\tfor \u{202e}you\u{7}"), "no[2J access for you");
        assert_eq!(shown(&"x".repeat(1000)).len(), 200);
    }
}
