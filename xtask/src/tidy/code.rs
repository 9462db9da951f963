//! Rust source with its comments and the insides of its literals blanked, so that a search for a
//! name finds code and nothing else. Lines stay where they were.

/// The code alone. What is not code becomes spaces; line ends stay.
pub(crate) fn code(source: &str) -> String {
    let mut scan = Scan { rest: source, out: String::with_capacity(source.len()) };
    while let Some(next) = scan.rest.chars().next() {
        match next {
            '/' if scan.rest.starts_with("//") => scan.blank(line_comment(scan.rest)),
            '/' if scan.rest.starts_with("/*") => scan.blank(block_comment(scan.rest)),
            '"' => scan.literal(1, quoted(scan.rest)),
            '\'' => match character(scan.rest) {
                Some(length) => scan.literal(1, length),
                None => scan.keep(1),
            },
            'r' | 'b' | 'c' => match raw(scan.rest) {
                Some(length) => scan.blank(length),
                None => scan.keep(word(scan.rest)),
            },
            c if c == '_' || c.is_alphanumeric() => scan.keep(word(scan.rest)),
            c => scan.keep(c.len_utf8()),
        }
    }
    scan.out
}

/// The code before the tests: what the product is made of.
pub(crate) fn product_code(source: &str) -> String {
    let code = code(source);
    let end = code.find("#[cfg(test)]").unwrap_or(code.len());
    code[..end].to_owned()
}

/// Where a name occurs as a whole word: 1-based line numbers.
pub(crate) fn lines_with(code: &str, name: &str) -> Vec<usize> {
    let hit = |line: &str| {
        line.match_indices(name).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + name.len()..].chars().next();
            ![before, after].into_iter().flatten().any(|c| c == '_' || c.is_alphanumeric())
        })
    };
    code.lines().enumerate().filter(|(_, line)| hit(line)).map(|(index, _)| index + 1).collect()
}

struct Scan<'a> {
    rest: &'a str,
    out: String,
}

impl Scan<'_> {
    fn keep(&mut self, length: usize) {
        self.out.push_str(&self.rest[..length]);
        self.rest = &self.rest[length..];
    }

    fn blank(&mut self, length: usize) {
        self.out.extend(self.rest[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        self.rest = &self.rest[length..];
    }

    /// Keeps the quotes, so that the code still reads as code.
    fn literal(&mut self, quote: usize, length: usize) {
        self.keep(quote);
        self.blank(length.saturating_sub(2 * quote).min(self.rest.len()));
        self.keep(quote.min(self.rest.len()));
    }
}

fn word(rest: &str) -> usize {
    rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len())
}

fn line_comment(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// A string from its opening quote past its closing one.
fn quoted(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// A character literal; `None` for a lifetime.
fn character(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1);
    let (_, first) = chars.next()?;
    if first == '\\' {
        return rest[3..].find('\'').map(|at| at + 4);
    }
    chars.next().filter(|(_, c)| *c == '\'').map(|(at, _)| at + 1)
}

/// A raw string (`r"…"`, `br#"…"#`) as a whole; `None` for a word that only begins like one.
fn raw(rest: &str) -> Option<usize> {
    let after =
        rest.strip_prefix("br").or_else(|| rest.strip_prefix("cr")).or_else(|| rest.strip_prefix('r'))?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let closing = format!("\"{}", "#".repeat(hashes));
    let end = body.find(&closing).map_or(body.len(), |at| at + closing.len());
    Some(rest.len() - body.len() + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_not_code() {
        let source =
            "let a = \"println!(\"; // println!\n/* println! /* nested */ x */ b('\"', r#\"c\"d\"#);";
        let code = code(source);
        assert!(!code.contains("println!"), "{code}");
        assert!(!code.contains("nested"), "{code}");
        assert!(code.ends_with(';'), "{code}");
        assert_eq!(code.lines().count(), 2);
    }

    #[test]
    fn lifetimes_are_not_characters() {
        assert_eq!(code("fn f<'a>(x: &'a str) -> &'a str { x }"), "fn f<'a>(x: &'a str) -> &'a str { x }");
    }

    #[test]
    fn escapes_end_where_they_should() {
        assert_eq!(code(r#"a('\'', "\"b\\", c)"#), r#"a('  ', "     ", c)"#);
    }

    #[test]
    fn a_name_is_found_as_a_word() {
        assert_eq!(lines_with("print!()\neprint!()\nx.print!()", "print!"), [1, 3]);
    }
}
