//! What lies deeper in front matter, as JSON.

use serde_json::Value;

use super::scalar::quoted;
use super::{Mistake, is_blank, key_of, without_comment};

/// How deep it may lie.
const DEPTH_LIMIT: usize = 16;

/// The lines below a key as the JSON text of an object with that key. Every member and item stands on the line that
/// it has in the file, so whoever finds a mistake in the text knows its line. `first` is the line of the key.
pub(super) fn to_json(key: &str, first: usize, below: &str) -> Result<String, Mistake> {
    let lines = below.lines().zip(first + 1..).filter(|(line, _)| !is_blank(line));
    let lines = lines.map(|(line, number)| Line { number, indent: indent_of(line), text: line.trim() });
    let mut writing = Writing { lines: lines.collect(), at: 0, out: String::from("{"), line: 1 };
    if let Some(line) =
        below.lines().zip(first + 1..).find(|(line, _)| line.trim_start_matches(' ').starts_with('\t'))
    {
        return Err(wrong(line.1, "this line begins with a tab; indent with spaces"));
    }
    writing.go_to(first);
    writing.out.push_str(&Value::from(key).to_string());
    writing.out.push(':');
    match writing.lines.first().map(|line| line.indent) {
        Some(indent) => writing.block(indent, 0)?,
        None => writing.out.push_str("null"),
    }
    if let Some(line) = writing.lines.get(writing.at) {
        return Err(wrong(line.number, "this line is indented otherwise than what it belongs to"));
    }
    writing.out.push('}');
    Ok(writing.out)
}

fn wrong(line: usize, what: &str) -> Mistake {
    Mistake { line, what: what.to_owned() }
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn is_item(text: &str) -> bool {
    text == "-" || text.starts_with("- ")
}

/// A line that says something.
#[derive(Clone, Copy)]
struct Line<'l> {
    number: usize,
    indent: usize,
    text: &'l str,
}

struct Writing<'l> {
    lines: Vec<Line<'l>>,
    at: usize,
    out: String,
    /// The line that the text is on.
    line: usize,
}

impl<'l> Writing<'l> {
    fn peek(&self) -> Option<Line<'l>> {
        self.lines.get(self.at).copied()
    }

    fn go_to(&mut self, line: usize) {
        while self.line < line {
            self.out.push('\n');
            self.line += 1;
        }
    }

    /// What begins on the next line, at this depth.
    fn block(&mut self, indent: usize, depth: usize) -> Result<(), Mistake> {
        match self.peek() {
            Some(line) if depth > DEPTH_LIMIT => Err(wrong(line.number, "this lies too deep")),
            Some(line) if is_item(line.text) => self.items(indent, depth),
            _ => self.members(indent, depth),
        }
    }

    fn items(&mut self, indent: usize, depth: usize) -> Result<(), Mistake> {
        let mut is_first = true;
        self.out.push('[');
        while let Some(line) = self.peek().filter(|line| line.indent == indent && is_item(line.text)) {
            if !std::mem::take(&mut is_first) {
                self.out.push(',');
            }
            self.go_to(line.number);
            let rest = line.text[1..].trim_start();
            let inner = indent + line.text.len() - rest.len();
            if !rest.is_empty() && key_of(rest).is_some() {
                // The first member stands beside the dash.
                self.lines[self.at] = Line { indent: inner, text: rest, ..line };
                self.members(inner, depth + 1)?;
            } else {
                self.at += 1;
                self.value(line.number, indent, rest, depth)?;
            }
        }
        self.out.push(']');
        Ok(())
    }

    fn members(&mut self, indent: usize, depth: usize) -> Result<(), Mistake> {
        let mut is_first = true;
        self.out.push('{');
        while let Some(line) = self.peek().filter(|line| line.indent == indent && !is_item(line.text)) {
            let Some((key, rest)) = key_of(line.text) else {
                return Err(wrong(line.number, "this line is no `key: value`"));
            };
            if !std::mem::take(&mut is_first) {
                self.out.push(',');
            }
            self.go_to(line.number);
            self.out.push_str(&Value::from(key).to_string());
            self.out.push(':');
            self.at += 1;
            self.value(line.number, indent, rest, depth)?;
        }
        self.out.push('}');
        Ok(())
    }

    /// A value that begins beside its key or dash, or below it.
    fn value(&mut self, number: usize, indent: usize, rest: &str, depth: usize) -> Result<(), Mistake> {
        let value = match rest.chars().next() {
            None => {
                let below = self
                    .peek()
                    .filter(|line| line.indent > indent || line.indent == indent && is_item(line.text));
                match below {
                    Some(line) => return self.block(line.indent, depth + 1),
                    None => Value::Null,
                }
            }
            Some('#') => Value::Null,
            Some('|' | '>') if rest.len() <= 2 => Value::from(self.text(indent, rest.starts_with('>'))),
            Some('"' | '\'') => Value::from(quoted(rest).map_err(|what| wrong(number, &what))?),
            Some('[' | '{') => {
                let problem = "this must be written as JSON, or line by line";
                serde_json::from_str(without_comment(rest)).map_err(|_| wrong(number, problem))?
            }
            Some(_) => plain(without_comment(rest)),
        };
        self.out.push_str(&value.to_string());
        Ok(())
    }

    /// A text of several lines.
    fn text(&mut self, indent: usize, folded: bool) -> String {
        let mut lines = Vec::new();
        while let Some(line) = self.peek().filter(|line| line.indent > indent) {
            lines.push(line.text);
            self.at += 1;
        }
        lines.join(if folded { " " } else { "\n" })
    }
}

/// A value without quotes.
fn plain(text: &str) -> Value {
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "null" | "~" => Value::Null,
        _ => match serde_json::from_str::<Value>(text) {
            Ok(number @ Value::Number(_)) => number,
            _ => Value::from(text),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_becomes_json_on_the_same_lines() {
        let below = "  PreToolUse:\n    - matcher: Bash|Edit\n      # why\n      hooks:\n        - type: command\n          command: \"echo \\\"a\\\" # b\" # c\n          timeout: 1.5\n        -\n          type: command\n          command: >\n            one\n            two\n          async: true\n  Stop:\n  - hooks: []\n";
        let text = to_json("hooks", 3, below).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            value,
            serde_json::json!({ "hooks": {
                "PreToolUse": [{ "matcher": "Bash|Edit", "hooks": [
                    { "type": "command", "command": "echo \"a\" # b", "timeout": 1.5 },
                    { "type": "command", "command": "one two", "async": true },
                ] }],
                "Stop": [{ "hooks": [] }],
            } })
        );
        let line = |part: &str| text[..text.find(part).unwrap()].matches('\n').count() + 1;
        assert_eq!(
            (line("\"hooks\""), line("\"matcher\""), line("\"async\""), line("\"Stop\"")),
            (3, 5, 16, 17)
        );
    }

    #[test]
    fn mistakes_have_their_lines() {
        let wrong = |below: &str| to_json("hooks", 1, below).unwrap_err().line;
        assert_eq!(wrong("  Stop:\n    what\n"), 3);
        assert_eq!(wrong("  Stop:\n      - a: b\n    - c: d\n"), 4);
        assert_eq!(wrong("  Stop:\n  \t- a\n"), 3);
        assert_eq!(wrong("  Stop: {a: b}\n"), 2);
        assert_eq!(wrong("  Stop: \"open\n"), 2);
    }
}
