//! The words of a command's arguments.

use std::iter::Peekable;
use std::str::CharIndices;

/// Arguments as words. They are read as the first command of a shell line: quotes keep a word together, a backslash
/// keeps a letter as it is, and what follows an operator or a comment sign does not count. Nothing is expanded. A text
/// without a word is split at white space.
pub(super) fn words(arguments: &str) -> Vec<String> {
    let mut reader =
        WordReader { text: arguments, letters: arguments.char_indices().peekable(), words: Vec::new() };
    reader.read();
    if reader.words.is_empty() {
        return arguments.split_whitespace().map(str::to_owned).collect();
    }
    reader.words
}

struct WordReader<'t> {
    text: &'t str,
    letters: Peekable<CharIndices<'t>>,
    words: Vec<String>,
}

/// A word that is being read.
#[derive(Default)]
struct ArgumentWord {
    text: String,
    /// Where something of it begins that is in quotes or escaped: such a word counts even if it is empty.
    quoted_from: Option<usize>,
    /// How many expansions it has, such as `$name`.
    expansions: usize,
    /// It has something beside expansions.
    has_more: bool,
    /// It has a command substitution.
    has_command: bool,
}

impl ArgumentWord {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.has_more = true;
    }

    fn quote(&mut self, text: &str) {
        self.quoted_from.get_or_insert(self.text.len());
        self.push(text);
    }

    fn is_quoted(&self) -> bool {
        self.quoted_from.is_some()
    }

    /// It is one expansion and nothing else.
    fn is_expansion(&self) -> bool {
        self.expansions == 1 && !self.has_more
    }

    /// `NAME=…`, which a shell takes for a variable where neither the name nor the sign is quoted.
    fn is_assignment(&self) -> bool {
        let Some((name, _)) = self.text.split_once('=') else { return false };
        self.quoted_from.is_none_or(|quoted| name.len() < quoted)
            && name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    }
}

impl<'t> WordReader<'t> {
    fn read(&mut self) {
        let mut word = ArgumentWord::default();
        while let Some((at, letter)) = self.letters.next() {
            let begins = word.text.is_empty() && !word.is_quoted();
            match letter {
                '\\' => match self.letters.next() {
                    Some((_, '\n')) | None => {
                        if !self.end(&mut word) {
                            return;
                        }
                    }
                    Some((_, escaped)) => word.quote(escaped.encode_utf8(&mut [0; 4])),
                },
                '\'' | '"' => match self.quoted(at, letter) {
                    Some(text) => word.quote(text),
                    None => {
                        // A quote without an end is a letter, and so is all that follows it.
                        word.quote(&self.text[at..]);
                        break;
                    }
                },
                '$' => {
                    if !self.expansion(at, &mut word) {
                        return;
                    }
                }
                '`' => {
                    let Some(text) = self.until(at, '`') else {
                        return;
                    };
                    word.text.push_str(text);
                    word.expansions += 1;
                    word.has_command = true;
                }
                '#' if begins => return,
                '(' if begins && !self.words.is_empty() => {
                    if self.balanced(at, '(', ')').is_none() {
                        return;
                    }
                }
                '\n' | ';' | '|' | '&' | '(' | ')' | '<' | '>' => {
                    if matches!(letter, '<' | '>') && !word.is_quoted() && is_number(&word.text) {
                        // The number of a descriptor.
                        return;
                    }
                    self.end(&mut word);
                    if !self.words.is_empty() || matches!(letter, '<' | '>') {
                        return;
                    }
                }
                _ if letter.is_whitespace() => {
                    if !self.end(&mut word) {
                        return;
                    }
                }
                _ => word.push(letter.encode_utf8(&mut [0; 4])),
            }
        }
        self.end(&mut word);
    }

    /// Ends a word; whether more of them may follow.
    fn end(&mut self, word: &mut ArgumentWord) -> bool {
        let word = std::mem::take(word);
        if word.text.is_empty() && !word.is_quoted() {
            return true;
        }
        if self.words.is_empty() {
            let is_syntax = !word.is_quoted() && matches!(word.text.as_str(), "{" | "!");
            if !is_syntax && !word.is_assignment() {
                self.words.push(word.text);
            }
            return true;
        }
        if word.is_expansion() {
            return !word.has_command;
        }
        self.words.push(word.text);
        true
    }

    /// What is between quotes, the first of which is at `at`.
    fn quoted(&mut self, at: usize, quote: char) -> Option<&'t str> {
        let mut is_escaped = false;
        let end = self.text[at + 1..].find(|letter: char| {
            let ends = letter == quote && !is_escaped;
            is_escaped = quote == '"' && letter == '\\' && !is_escaped;
            ends
        })?;
        self.skip_to(at + 1 + end + 1);
        Some(&self.text[at + 1..at + 1 + end])
    }

    /// Reads what a dollar sign begins; false, if it has no end.
    fn expansion(&mut self, at: usize, word: &mut ArgumentWord) -> bool {
        let text = match self.letters.peek() {
            Some((open, '(')) => {
                word.has_command = true;
                let open = *open;
                self.balanced(open, '(', ')')
            }
            Some((open, '{')) => {
                let open = *open;
                self.balanced(open, '{', '}')
            }
            Some((_, '"')) => Some(""),
            Some((quote, '\'')) => {
                let quote = *quote;
                self.quoted(quote, '\'').map(|_| "")
            }
            _ => {
                while self
                    .letters
                    .next_if(|(_, letter)| letter.is_ascii_alphanumeric() || *letter == '_')
                    .is_some()
                {}
                Some("")
            }
        };
        if text.is_none() {
            return false;
        }
        let end = self.letters.peek().map_or(self.text.len(), |(end, _)| *end);
        word.text.push_str(&self.text[at..end]);
        word.expansions += 1;
        true
    }

    /// What is between brackets, the first of which is at `at`, with the brackets.
    fn balanced(&mut self, at: usize, open: char, close: char) -> Option<&'t str> {
        let mut depth = 0_usize;
        for (index, letter) in self.text[at..].char_indices() {
            if letter == open {
                depth += 1;
            } else if letter == close {
                depth -= 1;
            }
            if depth == 0 {
                let end = at + index + letter.len_utf8();
                self.skip_to(end);
                return Some(&self.text[at..end]);
            }
        }
        None
    }

    /// From `at` to the next `close`, with both.
    fn until(&mut self, at: usize, close: char) -> Option<&'t str> {
        let end = at + 1 + self.text[at + 1..].find(close)? + close.len_utf8();
        self.skip_to(end);
        Some(&self.text[at..end])
    }

    fn skip_to(&mut self, end: usize) {
        while self.letters.next_if(|(at, _)| *at < end).is_some() {}
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::words;

    #[track_caller]
    fn check(cases: &[(&str, &[&str])]) {
        for (text, expected) in cases {
            assert_eq!(words(text), *expected, "{text:?}");
        }
    }

    #[test]
    fn quotes_and_backslashes_keep_words_together() {
        check(&[
            ("\"a b\" 'c d' e", &["a b", "c d", "e"]),
            ("'a=' b", &["a=", "b"]),
            (r"a\=b c", &["a=b", "c"]),
            ("a='b c' d", &["d"]),
            ("a'b'\"c\"", &["abc"]),
            ("a\"b c\"d", &["ab cd"]),
            ("\"\" '' z", &["", "", "z"]),
            (r#"a\"b c\ d 'e'"f""#, &["a\"b", "c d", "ef"]),
            (r#"x "a\"b" z"#, &["x", r#"a\"b"#, "z"]),
            (r"'c\' d", &[r"c\", "d"]),
            (r"a\\b c", &[r"a\b", "c"]),
            ("\"a\nb\" c", &["a\nb", "c"]),
            ("a \\\n b", &["a", "b"]),
            ("a \\", &["a"]),
            ("\\", &["\\"]),
            ("\"it's\" ok", &["it's", "ok"]),
            ("  spaced   out\t", &["spaced", "out"]),
        ]);
    }

    #[test]
    fn a_quote_without_an_end_takes_the_rest() {
        check(&[
            ("\"unbalanced a b", &["\"unbalanced a b"]),
            ("it's fine today", &["it's fine today"]),
            ("a \"unb", &["a", "\"unb"]),
            ("a 'unb b", &["a", "'unb b"]),
        ]);
    }

    #[test]
    fn only_the_first_command_counts() {
        check(&[
            ("a b; c d", &["a", "b"]),
            ("a | b", &["a"]),
            ("a && b", &["a"]),
            ("a b > c", &["a", "b"]),
            ("a 2>&1 b", &["a"]),
            ("a\nb\tc", &["a"]),
            ("a #b c", &["a"]),
            ("fix bug #123 now", &["fix", "bug"]),
            ("; a", &["a"]),
            ("&& a b", &["a", "b"]),
            ("(a b)", &["a", "b"]),
            ("a (b c) d", &["a", "d"]),
            ("a (", &["a"]),
            ("a )", &["a"]),
            ("{ a b }", &["a", "b", "}"]),
            ("! a b", &["a", "b"]),
            ("a=b c", &["c"]),
            ("x y=z", &["x", "y=z"]),
            ("https://x.y/z?a=b&c=d e", &["https://x.y/z?a=b"]),
        ]);
    }

    #[test]
    fn a_text_without_a_command_is_split_at_spaces() {
        check(&[
            ("#only comment", &["#only", "comment"]),
            ("a=b", &["a=b"]),
            ("> f", &[">", "f"]),
            ("2> x", &["2>", "x"]),
            ("", &[]),
        ]);
    }

    #[test]
    fn expansions_stay_as_they_are() {
        check(&[
            ("$x y", &["$x", "y"]),
            ("a $x b", &["a", "b"]),
            ("a ${x} b", &["a", "b"]),
            ("a $(x) b", &["a"]),
            ("a $x.y b", &["a", "$x.y", "b"]),
            ("a $x$y b", &["a", "$x$y", "b"]),
            ("a \"$x y\" b", &["a", "$x y", "b"]),
            ("$(x y) z", &["$(x y)", "z"]),
            ("$ a", &["$", "a"]),
            ("a $", &["a"]),
            ("$HOME/x y", &["$HOME/x", "y"]),
            (r"a \$b c", &["a", "$b", "c"]),
            ("$'a b' c", &["$'a b'", "c"]),
            ("$\"a b\" c", &["$a b", "c"]),
            ("a $(b", &["a"]),
            ("a `b", &["a"]),
            ("*.rs a?b {a,b} ~/x [b]", &["*.rs", "a?b", "{a,b}", "~/x", "[b]"]),
        ]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_words(text in ".*") {
            words(&text);
        }

        #[test]
        fn syntax_in_any_order_has_words(text in "[ \\n\\\\'\"$(){}`#;|&<>a0=]*") {
            words(&text);
        }

        #[test]
        fn quoted_words_are_kept(expected in proptest::collection::vec("[^']*", 1..5)) {
            let text: Vec<String> = expected.iter().map(|word| format!("'{word}'")).collect();
            proptest::prop_assert_eq!(words(&text.join(" ")), expected);
        }
    }
}
