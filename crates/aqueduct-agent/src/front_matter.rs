//! Front matter: what stands between two `---` lines at the beginning of a Markdown file.
//!
//! It is YAML, of which people use little here: texts, truth values and lists, one level deep. That much is
//! read, strictly enough to name a mistake with its line, and kindly enough to take what people really write:
//! a text may hold `: ` without quotes. What lies deeper is read by whoever needs it.

mod file;
mod nested;
mod scalar;

pub(crate) use file::{Unreadable, read_file, read_settings};

use nested::Nested;
use scalar::{flow_list, quoted};

/// The line that opens and closes front matter.
const FENCE: &str = "---";

/// A Markdown file, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FrontMatter<'t> {
    /// What the front matter says, in its order.
    pub(crate) entries: Vec<Entry>,
    /// What follows it.
    pub(crate) body: &'t str,
    /// What is wrong with it. What could be read counts.
    pub(crate) mistakes: Vec<Mistake>,
    /// Keys whose values can't be read, which is named already. All, where the end is missing.
    unread: Unread,
}

/// Which keys could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Unread {
    Keys(Vec<String>),
    All,
}

/// One key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The key.
    pub(crate) key: String,
    /// The line it stands on, from 1.
    pub(crate) line: usize,
    /// What it says.
    pub(crate) value: Value,
    /// The lines of the items, where they stand below the key.
    pub(crate) items: Vec<usize>,
}

/// What a key says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// Nothing.
    Nothing,
    /// A text; truth values and numbers are texts, too.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
    /// Something deeper.
    Deeper(Nested),
}

/// Something that is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// Where, from 1.
    pub(crate) line: usize,
    /// What.
    pub(crate) what: String,
}

impl<'t> FrontMatter<'t> {
    /// Takes a file apart. One without front matter is all body.
    pub(crate) fn read(text: &'t str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        let unread = Unread::Keys(Vec::new());
        let mut found = FrontMatter { entries: Vec::new(), body: text, mistakes: Vec::new(), unread };
        let Some(inside) = after_line(text, |line| line == FENCE) else { return found };
        let mut lines = Vec::new();
        let mut rest = inside;
        loop {
            let Some((line, behind)) = next_line(rest) else {
                found.wrong(1, "the front matter is never closed; end it with a line `---`");
                found.unread = Unread::All;
                return found;
            };
            rest = behind;
            if line == FENCE || line == "..." {
                break;
            }
            lines.push(line);
        }
        found.body = rest;
        Lines { lines: &lines, at: 0 }.read(&mut found);
        found
    }

    /// What a key says.
    pub(crate) fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The text under a key. A list or something deeper is a mistake.
    pub(crate) fn text(&mut self, key: &str) -> Option<String> {
        let entry = self.get(key)?;
        match &entry.value {
            Value::Text(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            Value::Nothing => None,
            Value::List(_) | Value::Deeper(_) => {
                let line = entry.line;
                self.wrong(line, &format!("{key} must be a text"));
                None
            }
        }
    }

    /// The text under a key that may look like a list, such as a hint `[file]`.
    pub(crate) fn text_in_brackets(&mut self, key: &str) -> Option<String> {
        match &self.get(key)?.value {
            Value::List(items) => Some(format!("[{}]", items.join(", "))),
            _ => self.text(key),
        }
    }

    /// The truth value under a key.
    pub(crate) fn truth(&mut self, key: &str) -> Option<bool> {
        let entry = self.get(key)?;
        match &entry.value {
            Value::Text(text) if text.eq_ignore_ascii_case("true") => Some(true),
            Value::Text(text) if text.eq_ignore_ascii_case("false") => Some(false),
            _ => {
                let line = entry.line;
                self.wrong(line, &format!("{key} must be true or false"));
                None
            }
        }
    }

    /// The list under a key: a list, or a text with commas, which `split` takes apart.
    pub(crate) fn list(&mut self, key: &str, split: impl Fn(&str) -> Vec<String>) -> Option<Vec<String>> {
        let entry = self.get(key)?;
        match &entry.value {
            Value::Text(text) => Some(split(text)),
            Value::List(items) => Some(items.clone()),
            Value::Nothing => Some(Vec::new()),
            Value::Deeper(_) => {
                let line = entry.line;
                self.wrong(line, &format!("{key} must be a list"));
                None
            }
        }
    }

    /// What lies below a key, as JSON with everything on the line where it stood. A text or a list is a mistake.
    pub(crate) fn nested(&mut self, key: &str) -> Option<String> {
        let entry = self.get(key)?;
        let read = match &entry.value {
            Value::Nothing => return None,
            Value::Deeper(nested) => nested.to_json(key),
            Value::Text(_) | Value::List(_) => {
                Err(Mistake { line: entry.line, what: format!("{key} must have members below it") })
            }
        };
        read.map_err(|mistake| self.mistakes.push(mistake)).ok()
    }

    /// Names the keys that mean nothing.
    pub(crate) fn know(&mut self, keys: &[&str]) {
        let unknown: Vec<(usize, String)> = self
            .entries
            .iter()
            .filter(|entry| !keys.contains(&entry.key.as_str()))
            .map(|entry| (entry.line, format!("{} is not known here and is ignored", entry.key)))
            .collect();
        for (line, what) in unknown {
            self.wrong(line, &what);
        }
    }

    /// The line of a key; the first, where it is not there.
    pub(crate) fn line(&self, key: &str) -> usize {
        self.get(key).map_or(1, |entry| entry.line)
    }

    /// The line of an item of the list under a key.
    pub(crate) fn line_of_item(&self, key: &str, index: usize) -> usize {
        let item = self.get(key).and_then(|entry| entry.items.get(index)).copied();
        item.unwrap_or_else(|| self.line(key))
    }

    /// Whether a key is there and nobody knows what it says. What was meant to forbid must not be taken for nothing.
    pub(crate) fn is_unread(&self, key: &str) -> bool {
        match &self.unread {
            Unread::All => true,
            Unread::Keys(keys) => keys.iter().any(|unread| unread == key),
        }
    }

    /// Notes that a text is missing which must be there, unless that follows from a mistake that is named
    /// already.
    pub(crate) fn lacks(&mut self, key: &str, what: &str) {
        let is_named = self.is_unread(key);
        let is_other =
            self.get(key).is_some_and(|entry| matches!(entry.value, Value::List(_) | Value::Deeper(_)));
        if !is_named && !is_other {
            self.wrong(self.line(key), what);
        }
    }

    /// Notes that a text is none of those that it may be. Gives the text if it is.
    pub(crate) fn one_of(&mut self, key: &str, names: &[&str]) -> Option<String> {
        let text = self.text(key)?;
        if names.contains(&text.as_str()) {
            return Some(text);
        }
        self.wrong(self.line(key), &format!("{key} must be one of {}", names.join(", ")));
        None
    }

    /// Notes a mistake.
    pub(crate) fn wrong(&mut self, line: usize, what: &str) {
        self.mistakes.push(Mistake { line, what: what.to_owned() });
    }
}

/// The line that a text begins with, without its end, and what follows; `None` at the end.
fn next_line(text: &str) -> Option<(&str, &str)> {
    if text.is_empty() {
        return None;
    }
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    Some((line.strip_suffix('\r').unwrap_or(line).trim_end_matches([' ', '\t']), rest))
}

/// What follows the first line, if that fits.
fn after_line(text: &str, fits: impl Fn(&str) -> bool) -> Option<&str> {
    let (line, rest) = next_line(text)?;
    fits(line).then_some(rest)
}

/// The lines of the front matter, one after the other.
struct Lines<'l> {
    lines: &'l [&'l str],
    at: usize,
}

impl<'l> Lines<'l> {
    fn read(mut self, found: &mut FrontMatter<'_>) {
        while let Some(line) = self.peek() {
            // The fence is line 1.
            let number = self.at + 2;
            self.at += 1;
            if is_blank(line) {
                continue;
            }
            if line.starts_with('\t') {
                found.wrong(number, "this line begins with a tab; indent with spaces");
                continue;
            }
            if line.starts_with(' ') || line.starts_with("- ") {
                found
                    .wrong(number, "this line belongs to nothing; a key begins at the beginning of its line");
                continue;
            }
            let Some((key, rest)) = key_of(line) else {
                found.wrong(number, "this line is no `key: value`");
                continue;
            };
            let below = self.at;
            match self.value(rest) {
                Ok(_) if found.get(key).is_some() => {
                    found.wrong(number, &format!("{key} stands here once more; the first one counts"));
                }
                Ok(value) => {
                    let is_item = |line: &&str| line.trim_start().starts_with('-');
                    let lines = self.lines[below..self.at].iter().zip(below + 2..);
                    let items = lines.filter(|(line, _)| is_item(line)).map(|(_, number)| number).collect();
                    found.entries.push(Entry { key: key.to_owned(), line: number, value, items });
                }
                Err(what) => {
                    found.wrong(number, &format!("{key}: {what}"));
                    if let Unread::Keys(keys) = &mut found.unread {
                        keys.push(key.to_owned());
                    }
                }
            }
        }
    }

    fn peek(&self) -> Option<&'l str> {
        self.lines.get(self.at).copied()
    }

    /// The value that begins with the rest of a line.
    fn value(&mut self, rest: &str) -> Result<Value, String> {
        match rest.chars().next() {
            None => Ok(self.below()),
            Some('|' | '>') if rest.len() <= 3 => Ok(Value::Text(self.block(rest.starts_with('>')))),
            Some('"' | '\'') => quoted(rest).map(Value::Text),
            // `[issue] [priority]` is a text with brackets, as people write hints.
            Some('[') if rest.contains("] [") => Ok(Value::Text(without_comment(rest).to_owned())),
            Some('[') => flow_list(rest).map(Value::List),
            Some('{') => {
                let first = self.at + 1;
                let lines = std::iter::once(rest).chain(self.inside()).map(str::to_owned).collect();
                Ok(Value::Deeper(Nested { lines, first }))
            }
            Some(_) => {
                let mut text = without_comment(rest).to_owned();
                // A tab is no part of a text: it is the next mistake.
                for line in self.continued().into_iter().filter(|line| !is_blank(line)) {
                    text.push(' ');
                    text.push_str(without_comment(line.trim()));
                }
                Ok(Value::Text(text))
            }
        }
    }

    /// What stands below a key that has nothing beside it.
    fn below(&mut self) -> Value {
        let next = self.lines[self.at..].iter().find(|line| !is_blank(line)).map(|line| line.trim_start());
        if !next.is_some_and(|line| line == "-" || line.starts_with("- ")) {
            let start = self.at;
            let is_deeper = self.inside().iter().any(|line| !is_blank(line));
            return if is_deeper { self.since(start) } else { Value::Nothing };
        }
        let start = self.at;
        let mut items = Vec::new();
        while let Some(line) = self.peek() {
            let inside = line.trim_start();
            if !is_blank(line) {
                let Some(item) = inside.strip_prefix('-') else { break };
                let item = item.trim();
                // What can't be read as a text is deeper than a list of texts.
                match item.chars().next() {
                    Some('"' | '\'') => match quoted(item) {
                        Ok(text) => items.push(text),
                        Err(_) => return self.give_up(start),
                    },
                    Some('{' | '[') => return self.give_up(start),
                    _ if key_of(item).is_some_and(|(key, _)| !key.contains('(')) => {
                        return self.give_up(start);
                    }
                    _ => items.push(without_comment(item).to_owned()),
                }
            }
            self.at += 1;
        }
        Value::List(items.into_iter().filter(|item| !item.is_empty()).collect())
    }

    /// Passes over what is deeper than this, which began at `start`.
    fn give_up(&mut self, start: usize) -> Value {
        while self.peek().is_some_and(|line| is_blank(line) || line.starts_with([' ', '\t', '-'])) {
            self.at += 1;
        }
        self.since(start)
    }

    /// The lines since `start`, for whoever can read them.
    fn since(&self, start: usize) -> Value {
        let lines = self.lines[start..self.at].iter().map(|line| (*line).to_owned()).collect();
        // The fence is line 1.
        Value::Deeper(Nested { lines, first: start + 2 })
    }

    /// The lines that belong to a key because they are indented.
    fn inside(&mut self) -> Vec<&'l str> {
        let start = self.at;
        while self.peek().is_some_and(|line| line.starts_with([' ', '\t']) || line.is_empty()) {
            self.at += 1;
        }
        self.lines[start..self.at].to_vec()
    }

    /// The lines that go on with a text.
    fn continued(&mut self) -> Vec<&'l str> {
        let start = self.at;
        while self.peek().is_some_and(|line| line.starts_with(' ') || line.is_empty()) {
            self.at += 1;
        }
        self.lines[start..self.at].to_vec()
    }

    /// A text of several lines; `folded` makes one line of those that follow one another.
    fn block(&mut self, folded: bool) -> String {
        let lines = self.inside();
        let indent =
            lines.iter().filter(|line| !is_blank(line)).map(|line| indent_of(line)).min().unwrap_or(0);
        let lines: Vec<&str> = lines.iter().map(|line| line.get(indent..).unwrap_or_default()).collect();
        let text = if folded {
            let paragraphs = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
            paragraphs.map(|lines| lines.join(" ")).collect::<Vec<String>>().join("\n")
        } else {
            lines.join("\n")
        };
        text.trim_end().to_owned()
    }
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Whether a line says nothing.
fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// The key of a line, and what follows it.
fn key_of(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(':')?;
    let is_key =
        !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || "_-. ".contains(letter));
    (is_key && (rest.is_empty() || rest.starts_with([' ', '\t']))).then(|| (key.trim(), rest.trim()))
}

/// A text without the comment behind it.
fn without_comment(text: &str) -> &str {
    text.find(" #").map_or(text, |at| &text[..at]).trim_end()
}

#[cfg(test)]
mod tests;
