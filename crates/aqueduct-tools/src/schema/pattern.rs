//! Regular expressions of schemas: those of ECMAScript, with look-around and back-references.
//!
//! A pattern and the text that it is held against may come from strangers. Patterns without look-around and
//! back-references run in linear time. Of the others a match has a limit of steps, and all matches of a check have a
//! limit of time together.

use std::cell::Cell;
use std::time::{Duration, Instant};

use fancy_regex::{Regex, RegexBuilder};

/// How many times a match may try another way.
const BACKTRACK_LIMIT: usize = 200_000;

/// How large the program of a pattern may be, in bytes.
const PROGRAM_LIMIT: usize = 1 << 20;

/// How long all matches of a check may take.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// A regular expression.
#[derive(Debug, Clone)]
pub(super) struct SchemaPattern(Regex);

/// Whether a text matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PatternMatch {
    Matches,
    Differs,
    /// The limit was reached before there was an answer.
    Unknown,
}

/// The time that is left for matches.
#[derive(Debug)]
pub(super) struct MatchTime(Cell<Duration>);

impl MatchTime {
    pub(super) fn new() -> Self {
        MatchTime(Cell::new(TIME_LIMIT))
    }
}

impl SchemaPattern {
    /// Reads a pattern. `None` if it is not one.
    pub(super) fn new(text: &str) -> Option<SchemaPattern> {
        RegexBuilder::new(&translated(text)?)
            .backtrack_limit(BACKTRACK_LIMIT)
            .delegate_size_limit(PROGRAM_LIMIT)
            .delegate_dfa_size_limit(PROGRAM_LIMIT)
            .build()
            .ok()
            .map(SchemaPattern)
    }

    /// Whether the pattern is somewhere in a text.
    pub(super) fn find_in(&self, text: &str, time: &MatchTime) -> PatternMatch {
        let left = time.0.get();
        if left.is_zero() {
            return PatternMatch::Unknown;
        }
        let started = Instant::now();
        let found = self.0.is_match(text);
        time.0.set(left.saturating_sub(started.elapsed()));
        match found {
            Ok(true) => PatternMatch::Matches,
            Ok(false) => PatternMatch::Differs,
            Err(_) => PatternMatch::Unknown,
        }
    }
}

/// What ECMAScript takes for blanks.
const BLANKS: &str =
    r"\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";

/// What ECMAScript takes for letters of words.
const WORD: &str = "A-Za-z0-9_";

/// A pattern of ECMAScript in the syntax of the library. `None` for escapes that ECMAScript does not have.
fn translated(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    let mut is_class = false;
    // Whether a hyphen in a class is a character, and not the middle of a range: at its beginning, and after another.
    let mut is_literal = false;
    while let Some(char) = chars.next() {
        let is_hyphen_literal = std::mem::take(&mut is_literal);
        match char {
            '\\' => escape(&mut chars, is_class, &mut out)?,
            '[' if is_class => out.push_str(r"\["),
            '[' => {
                let is_negated = chars.next_if_eq(&'^').is_some();
                if chars.next_if_eq(&']').is_some() {
                    // `[]` matches nothing, `[^]` everything.
                    out.push_str(if is_negated { r"[\s\S]" } else { r"[^\s\S]" });
                    continue;
                }
                is_class = true;
                is_literal = true;
                out.push_str(if is_negated { "[^" } else { "[" });
            }
            ']' if is_class => {
                is_class = false;
                out.push(']');
            }
            // Doubled, these are operators on classes elsewhere.
            '&' | '~' if is_class => out.extend(['\\', char]),
            '-' if is_class && is_hyphen_literal => out.push_str(r"\-"),
            '-' if is_class => {
                is_literal = true;
                out.push('-');
            }
            '.' if !is_class => out.push_str(r"[^\n\r\u{2028}\u{2029}]"),
            '$' if !is_class => out.push_str(r"\z"),
            char => out.push(char),
        }
    }
    Some(out)
}

/// Translates what follows a backslash.
fn escape(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    is_class: bool,
    out: &mut String,
) -> Option<()> {
    let char = chars.next()?;
    let mut class = |members: &str, is_negated: bool| match (is_class, is_negated) {
        (true, false) => out.push_str(members),
        (_, true) => out.push_str(&format!("[^{members}]")),
        (false, false) => out.push_str(&format!("[{members}]")),
    };
    match char {
        'd' => class("0-9", false),
        'D' => class("0-9", true),
        'w' => class(WORD, false),
        'W' => class(WORD, true),
        's' => class(BLANKS, false),
        'S' => class(BLANKS, true),
        'b' if is_class => out.push_str(r"\x08"),
        // The words of ECMAScript are in ASCII.
        'b' | 'B' => {
            let (before, after) = (format!("(?<=[{WORD}])"), format!("(?=[{WORD}])"));
            let (not_before, not_after) = (format!("(?<![{WORD}])"), format!("(?![{WORD}])"));
            match char {
                'b' => out.push_str(&format!("(?:{before}{not_after}|{not_before}{after})")),
                _ => out.push_str(&format!("(?:{before}{after}|{not_before}{not_after})")),
            }
        }
        'c' => {
            let letter = chars.next_if(char::is_ascii_alphabetic)?;
            out.push_str(&format!(r"\x{:02X}", u32::from(letter) % 32));
        }
        '0' => out.push_str(r"\x00"),
        'u' if chars.peek() != Some(&'{') => {
            let mut unit = code_unit(chars)?;
            // A character beyond the first 65,536 may be written as two units.
            if (0xd800..0xdc00).contains(&unit) && chars.next() == Some('\\') && chars.next() == Some('u') {
                unit = 0x10000 + ((unit - 0xd800) << 10) + code_unit(chars)?.checked_sub(0xdc00)?;
            }
            char::from_u32(unit)?;
            out.push_str(&format!(r"\u{{{unit:X}}}"));
        }
        'v' => out.push_str(r"\x0B"),
        'f' | 'n' | 'r' | 't' | 'x' | 'u' | 'p' | 'P' | 'k' => out.extend(['\\', char]),
        '1'..='9' if !is_class => out.extend(['\\', char]),
        char if char.is_ascii_punctuation() => out.extend(['\\', char]),
        _ => return None,
    }
    Some(())
}

fn code_unit(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<u32> {
    let digits: String = (0..4).filter_map(|_| chars.next_if(char::is_ascii_hexdigit)).collect();
    if digits.len() == 4 { u32::from_str_radix(&digits, 16).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, matching: &[&str], others: &[&str]) {
        let read = SchemaPattern::new(pattern).unwrap_or_else(|| panic!("{pattern} is refused"));
        for text in matching {
            assert_eq!(read.find_in(text, &MatchTime::new()), PatternMatch::Matches, "{pattern} {text:?}");
        }
        for text in others {
            assert_eq!(read.find_in(text, &MatchTime::new()), PatternMatch::Differs, "{pattern} {text:?}");
        }
    }

    #[test]
    fn patterns_of_zod_are_read() {
        let email = r"^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$";
        check(email, &["ada@example.org"], &[".ada@example.org", "a..b@example.org", "ada"]);
        check(r"^(?=.*\d)(?=.*[a-z]).{8,}$", &["passw0rd"], &["password", "passw0r"]);
        let day = r"^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))$";
        check(day, &["2024-02-29"], &["2023-02-29"]);
        check(r"(?<year>\d{4})-\k<year>", &["2024-2024"], &["2024-2025"]);
        check(r"^(?<!a)b(.)\1$", &["bcc"], &["bcd"]);
    }

    #[test]
    fn the_syntax_is_that_of_ecmascript() {
        check(r"^\d$", &["1"], &["१"]);
        check(r"^\w\W$", &["aé"], &["éa"]);
        check(r"^\s\S$", &["\u{feff}a", "\u{a0}a"], &["\u{85}a"]);
        check(r"^a$", &["a"], &["a\n"]);
        check(r"^.$", &["a", "😀"], &["\n", "\u{2028}"]);
        check(r"^[[]$", &["["], &["]"]);
        check(r"^[a&&b]+$", &["a&b"], &["c"]);
        check(r"^[+--]$", &["+", ",", "-"], &["."]);
        check(r"^[^]$", &["\n"], &[""]);
        check("[]", &[], &["", "a"]);
        check(r"^\cA\/\-$", &["\x01/-"], &[]);
        check(r"^\uD83D\uDC32\u{1F600}[\u0041-\u0043]$", &["🐲😀B"], &[]);
        check(r"\bword\b", &["a word", "éword"], &["words"]);
        check(r"^[\b\d]$", &["\x08", "5"], &["b"]);
        check(r"^\p{Letter}$", &["é"], &["1"]);
        for refused in ["(", r"\Z", r"\a", r"\", r"\uD83D"] {
            assert!(SchemaPattern::new(refused).is_none(), "{refused}");
        }
    }

    #[test]
    fn a_hostile_pattern_comes_to_an_end() {
        let hostile = SchemaPattern::new(r"^(a|aa)+\1c$").unwrap();
        let text = "a".repeat(60);
        let time = MatchTime::new();
        let started = Instant::now();
        let mut unknown = 0;
        for _ in 0..10_000 {
            unknown += usize::from(hostile.find_in(&text, &time) == PatternMatch::Unknown);
        }
        assert_eq!(unknown, 10_000);
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
        let nested = format!("{}a{}", "(?:".repeat(30), "{1,9})".repeat(30));
        assert!(SchemaPattern::new(&nested).is_none(), "the program would be too large");
    }
}
