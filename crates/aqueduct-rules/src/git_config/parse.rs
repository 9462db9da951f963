//! The syntax of git's configuration files.

use std::iter::Peekable;
use std::str::Chars;

/// One setting as git reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitSetting {
    /// The section, in lower case.
    pub section: String,
    /// The subsection as written; empty where there is none.
    pub subsection: String,
    /// The name, in lower case.
    pub name: String,
    /// The value; `None` for a name alone, which means true.
    pub value: Option<String>,
}

/// A text that git's syntax does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is not a git setting")]
pub struct SyntaxError {
    /// The line, counted from 1.
    pub line: usize,
}

/// Reads a configuration file. What git refuses is an error, and so is what git versions read differently.
pub fn parse(text: &str) -> Result<Vec<GitSetting>, SyntaxError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = ConfigReader { rest: text.chars().peekable(), line: 1 };
    let (mut section, mut subsection) = (String::new(), String::new());
    let mut settings = Vec::new();
    while let Some(c) = reader.next() {
        match c {
            c if c.is_ascii_whitespace() => {}
            '#' | ';' => reader.skip_line(),
            '[' => (section, subsection) = reader.header()?,
            c if c.is_ascii_alphabetic() && !section.is_empty() => {
                let (name, value) = reader.setting(c)?;
                let (section, subsection) = (section.clone(), subsection.clone());
                settings.push(GitSetting { section, subsection, name, value });
            }
            _ => return Err(reader.error()),
        }
    }
    Ok(settings)
}

struct ConfigReader<'a> {
    rest: Peekable<Chars<'a>>,
    line: usize,
}

impl ConfigReader<'_> {
    /// The next character. A carriage return before a line feed is part of the line's end.
    fn next(&mut self) -> Option<char> {
        let mut c = self.rest.next()?;
        if c == '\r' && self.rest.peek() == Some(&'\n') {
            c = self.rest.next()?;
        }
        self.line += usize::from(c == '\n');
        Some(c)
    }

    fn error(&self) -> SyntaxError {
        SyntaxError { line: self.line }
    }

    fn skip_line(&mut self) {
        while self.next().is_some_and(|c| c != '\n') {}
    }

    /// The section and the subsection, after the opening bracket.
    fn header(&mut self) -> Result<(String, String), SyntaxError> {
        let mut section = String::new();
        loop {
            match self.next() {
                Some(']') if !section.is_empty() => {
                    // The old form `[section.subsection]`.
                    let (section, subsection) = section.split_once('.').unwrap_or((&section, ""));
                    return Ok((section.to_owned(), subsection.to_owned()));
                }
                Some(c @ (' ' | '\t')) if !section.is_empty() => {
                    let mut c = Some(c);
                    while matches!(c, Some(' ' | '\t')) {
                        c = self.next();
                    }
                    return match c {
                        Some('"') => Ok((section, self.subsection()?)),
                        _ => Err(self.error()),
                    };
                }
                Some(c) if c.is_ascii_alphanumeric() || matches!(c, '-' | '.') => {
                    section.push(c.to_ascii_lowercase());
                }
                _ => return Err(self.error()),
            }
        }
    }

    /// A subsection in quotes, up to the closing bracket.
    fn subsection(&mut self) -> Result<String, SyntaxError> {
        let mut name = String::new();
        loop {
            match self.next() {
                Some('"') if self.next() == Some(']') => return Ok(name),
                Some('\\') => match self.next() {
                    Some(c) if c != '\n' => name.push(c),
                    _ => return Err(self.error()),
                },
                Some(c) if c != '\n' && c != '"' => name.push(c),
                _ => return Err(self.error()),
            }
        }
    }

    /// The rest of a name that begins with this letter, and the value.
    fn setting(&mut self, first: char) -> Result<(String, Option<String>), SyntaxError> {
        let mut name = String::from(first.to_ascii_lowercase());
        while let Some(c) = self.rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '-') {
            name.push(c.to_ascii_lowercase());
        }
        loop {
            match self.next() {
                Some(' ' | '\t') => {}
                None | Some('\n') => return Ok((name, None)),
                Some('#' | ';') => {
                    self.skip_line();
                    return Ok((name, None));
                }
                Some('=') => return Ok((name, Some(self.value()?))),
                _ => return Err(self.error()),
            }
        }
    }

    fn value(&mut self) -> Result<String, SyntaxError> {
        let mut value = String::new();
        // Spaces at the end are not part of the value, those in quotes are.
        let mut kept = 0;
        let mut quoted = false;
        loop {
            let Some(c) = self.next() else {
                if quoted {
                    return Err(self.error());
                }
                break;
            };
            match c {
                '\n' if quoted => return Err(self.error()),
                '\n' => break,
                '#' | ';' if !quoted => {
                    self.skip_line();
                    break;
                }
                '"' => {
                    quoted = !quoted;
                    kept = value.len();
                }
                '\\' => {
                    match self.next() {
                        Some('\n') => continue,
                        Some('n') => value.push('\n'),
                        Some('t') => value.push('\t'),
                        Some('b') => value.push('\u{8}'),
                        Some(c @ ('"' | '\\')) => value.push(c),
                        _ => return Err(self.error()),
                    }
                    kept = value.len();
                }
                c if c.is_ascii_whitespace() && !quoted => {
                    if !value.is_empty() {
                        value.push(c);
                    }
                }
                c => {
                    value.push(c);
                    kept = value.len();
                }
            }
        }
        value.truncate(kept);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, Option<String>)> {
        let settings = parse(text).expect("a configuration");
        let name = |setting: &GitSetting| match setting.subsection.as_str() {
            "" => format!("{}.{}", setting.section, setting.name),
            subsection => format!("{}.{subsection}.{}", setting.section, setting.name),
        };
        settings.into_iter().map(|setting| (name(&setting), setting.value)).collect()
    }

    fn pair(name: &str, value: &str) -> (String, Option<String>) {
        (name.to_owned(), Some(value.to_owned()))
    }

    #[test]
    fn settings_are_read_as_git_reads_them() {
        let text = "[Core] bare = false # on the header's line\n\tfsMonitor = \"./a b\" c ; x\n\
            [remote \"Or\\\"igin\"]\r\n url = a\\\n  b\\tc \"  d\" \r\n[old.Style]\nflag\n[x]y=\"#\"\n";
        assert_eq!(
            read(text),
            [
                pair("core.bare", "false"),
                pair("core.fsmonitor", "./a b c"),
                pair("remote.Or\"igin.url", "a  b\tc   d"),
                ("old.style.flag".to_owned(), None),
                pair("x.y", "#"),
            ]
        );
    }

    #[test]
    fn what_git_refuses_is_an_error() {
        for text in
            ["a = b", "[]", "[a", "[a \"b]", "[a b]", "[a]\n=x", "[a]\nb = \"x", "[a]\nb = \\x", "[a]\n1 = 2"]
        {
            assert!(parse(text).is_err(), "{text:?}");
        }
        assert_eq!(parse("[a]\nb\n  c d\n"), Err(SyntaxError { line: 3 }));
    }
}
