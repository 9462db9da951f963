//! What lies deeper than texts and lists: maps and lists in one another, as hooks are written.
//!
//! It becomes JSON in which everything stands on the line where it stood, so that whoever reads the JSON can name
//! mistakes by their lines.

use aqueduct_wire::json::{Json as _, Str};

use super::scalar::{cut_plain, cut_quoted, quoted};
use super::{Mistake, indent_of, is_blank, key_of, without_comment};

/// How deep things may lie in one another.
const DEPTH_LIMIT: usize = 16;

/// The lines below a key, or behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Nested {
    /// The lines.
    pub(super) lines: Vec<String>,
    /// The number of the first one in its file.
    pub(super) first: usize,
}

/// A value, and the line that it begins on.
struct Node {
    line: usize,
    what: What,
}

enum What {
    /// What JSON writes as it is: numbers, truth values, nothing.
    Literal(String),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

type Read<T> = Result<T, Mistake>;

impl Nested {
    /// It as a member of a JSON object, line by line where it stood.
    pub(crate) fn to_json(&self, key: &str) -> Result<String, Mistake> {
        let mut reading = Reading { lines: self.lines.clone(), first: self.first, at: 0 };
        let node = match reading.lines.first().filter(|line| line.trim_start().starts_with('{')).cloned() {
            Some(line) => reading.flow_line(self.first, line.trim())?,
            None => reading.block(0, 0)?,
        };
        reading.nothing_left()?;
        let mut out = Layout { text: String::from("{"), line: 1 };
        out.key(self.first.min(node.line), key);
        out.node(&node);
        out.text.push('}');
        Ok(out.text)
    }
}

struct Reading {
    lines: Vec<String>,
    first: usize,
    at: usize,
}

impl Reading {
    fn number(&self) -> usize {
        self.first + self.at
    }

    fn wrong<T>(&self, what: &str) -> Read<T> {
        Err(Mistake { line: self.number(), what: what.to_owned() })
    }

    fn skip_blank(&mut self) {
        while self.lines.get(self.at).is_some_and(|line| is_blank(line)) {
            self.at += 1;
        }
    }

    fn nothing_left(&mut self) -> Read<()> {
        self.skip_blank();
        match self.at < self.lines.len() {
            true => self.wrong("this line belongs to nothing; its indent fits none above it"),
            false => Ok(()),
        }
    }

    /// The indent of the next line that says something.
    fn next_indent(&mut self) -> Option<usize> {
        self.skip_blank();
        self.lines.get(self.at).map(|line| indent_of(line))
    }

    fn begins_item(&self) -> bool {
        let line = self.lines.get(self.at).map(|line| line.trim_start()).unwrap_or_default();
        line == "-" || line.starts_with("- ")
    }

    /// The value in the lines with an indent of at least `least`.
    fn block(&mut self, least: usize, depth: usize) -> Read<Node> {
        let nothing = Node { line: self.number(), what: What::Literal("null".to_owned()) };
        let Some(indent) = self.next_indent().filter(|indent| *indent >= least) else { return Ok(nothing) };
        if depth > DEPTH_LIMIT {
            return self.wrong("this lies too deep");
        }
        if self.lines[self.at].trim_start_matches(' ').starts_with('\t') {
            return self.wrong("indent with spaces, not with tabs");
        }
        let line = self.number();
        let what = match self.begins_item() {
            true => What::List(self.items(indent, depth)?),
            false => What::Map(self.members(indent, depth)?),
        };
        Ok(Node { line, what })
    }

    fn items(&mut self, indent: usize, depth: usize) -> Read<Vec<Node>> {
        let mut items = Vec::new();
        while self.next_indent() == Some(indent) && self.begins_item() {
            let number = self.number();
            let behind = self.lines[self.at].trim_start()[1..].trim().to_owned();
            let is_map = key_of(&behind).is_some() && !behind.starts_with(['"', '\'', '{', '[']);
            if behind.is_empty() {
                self.at += 1;
                items.push(self.block(indent + 1, depth + 1)?);
            } else if is_map || behind.starts_with("- ") {
                // The rest of the line is the first line of what the item is.
                self.lines[self.at].replace_range(indent..=indent, " ");
                items.push(self.block(indent + 1, depth + 1)?);
            } else {
                items.push(self.scalar(number, &behind, indent)?);
            }
        }
        Ok(items)
    }

    fn members(&mut self, indent: usize, depth: usize) -> Read<Vec<(String, Node)>> {
        let mut members: Vec<(String, Node)> = Vec::new();
        while self.next_indent() == Some(indent) && !self.begins_item() {
            let line = self.lines[self.at].trim().to_owned();
            let Some((key, rest)) = key_of(&line) else { return self.wrong("this line is no `key: value`") };
            if members.iter().any(|(known, _)| known == key) {
                return self.wrong(&format!("{key} stands here once more"));
            }
            let number = self.number();
            let mut node = if rest.is_empty() || rest.starts_with('#') {
                self.at += 1;
                // A list may stand right below its key.
                let is_list = self.next_indent() == Some(indent) && self.begins_item();
                self.block(if is_list { indent } else { indent + 1 }, depth + 1)?
            } else {
                self.scalar(number, rest, indent)?
            };
            // A mistake in a value is looked for at its key.
            node.line = number;
            members.push((key.to_owned(), node));
        }
        Ok(members)
    }

    /// The value that begins on a line, whose key or dash has this indent.
    fn scalar(&mut self, number: usize, text: &str, indent: usize) -> Read<Node> {
        if text.starts_with(['{', '[']) {
            return self.flow_line(number, text);
        }
        if text.starts_with(['"', '\'']) {
            let value = quoted(text).map_err(|what| Mistake { line: number, what })?;
            self.at += 1;
            return Ok(Node { line: number, what: What::Text(value) });
        }
        self.at += 1;
        let is_block = text.len() <= 3 && text.starts_with(['|', '>']);
        let mut lines: Vec<String> =
            if is_block { Vec::new() } else { vec![without_comment(text).to_owned()] };
        while self.lines.get(self.at).is_some_and(|line| line.trim().is_empty() || indent_of(line) > indent) {
            lines.push(self.lines[self.at].trim().to_owned());
            self.at += 1;
        }
        let between = if text.starts_with('|') { "\n" } else { " " };
        let value = lines.join(between).trim_end().to_owned();
        let what = if !is_block && is_literal(&value) { What::Literal(value) } else { What::Text(value) };
        Ok(Node { line: number, what })
    }

    fn flow_line(&mut self, number: usize, text: &str) -> Read<Node> {
        let wrong = |what: String| Mistake { line: number, what };
        let (node, rest) = flow(text, number, 0).map_err(wrong)?;
        if !is_blank(rest) {
            return Err(wrong(format!("{:?} stands behind the value", rest.trim())));
        }
        self.at += 1;
        Ok(node)
    }
}

/// A value in braces, brackets or quotes, or a plain one inside of them, and what follows it.
fn flow(text: &str, line: usize, depth: usize) -> Result<(Node, &str), String> {
    const OPEN: &str = "what is opened on a line must be closed on it";
    if depth > DEPTH_LIMIT {
        return Err("this lies too deep".to_owned());
    }
    let text = text.trim_start();
    let node = |what| Node { line, what };
    if let Some(mut rest) = text.strip_prefix('[') {
        let mut items = Vec::new();
        loop {
            rest = rest.trim_start();
            if let Some(behind) = rest.strip_prefix(']') {
                return Ok((node(What::List(items)), behind));
            }
            let (item, behind) = flow(rest, line, depth + 1)?;
            items.push(item);
            rest = behind.trim_start();
            rest = rest.strip_prefix(',').or(rest.starts_with(']').then_some(rest)).ok_or(OPEN)?;
        }
    }
    if let Some(mut rest) = text.strip_prefix('{') {
        let mut members = Vec::new();
        loop {
            rest = rest.trim_start();
            if let Some(behind) = rest.strip_prefix('}') {
                return Ok((node(What::Map(members)), behind));
            }
            let (key, behind) = if rest.starts_with(['"', '\'']) {
                let (key, behind) = cut_quoted(rest)?;
                (key, behind.trim_start().strip_prefix(':').ok_or(OPEN)?)
            } else {
                let (key, behind) = rest.split_once(':').ok_or(OPEN)?;
                (key.trim().to_owned(), behind)
            };
            let (value, behind) = flow(behind, line, depth + 1)?;
            members.push((key, value));
            rest = behind.trim_start();
            rest = rest.strip_prefix(',').or(rest.starts_with('}').then_some(rest)).ok_or(OPEN)?;
        }
    }
    if text.starts_with(['"', '\'']) {
        let (value, rest) = cut_quoted(text)?;
        return Ok((node(What::Text(value)), rest));
    }
    let (value, rest) = cut_plain(text, &[',', ']', '}']).ok_or(OPEN)?;
    let what = if is_literal(&value) { What::Literal(value) } else { What::Text(value) };
    Ok((node(what), rest))
}

/// Whether a plain text is something else in JSON.
fn is_literal(text: &str) -> bool {
    matches!(text, "true" | "false" | "null") || serde_json::from_str::<serde_json::Number>(text).is_ok()
}

/// JSON that is written line by line.
struct Layout {
    text: String,
    line: usize,
}

impl Layout {
    fn key(&mut self, line: usize, key: &str) {
        self.go_to(line);
        Str::from(key).write(&mut self.text);
        self.text.push(':');
    }

    fn go_to(&mut self, line: usize) {
        while self.line < line {
            self.text.push('\n');
            self.line += 1;
        }
    }

    fn node(&mut self, node: &Node) {
        self.go_to(node.line);
        match &node.what {
            What::Literal(text) => self.text.push_str(text),
            What::Text(text) => Str::from(text.as_str()).write(&mut self.text),
            What::List(items) => self.list(('[', ']'), items, |out, item| out.node(item)),
            What::Map(members) => self.list(('{', '}'), members, |out, (key, node)| {
                out.key(node.line, key);
                out.node(node);
            }),
        }
    }

    fn list<T>(&mut self, (open, close): (char, char), items: &[T], write: impl Fn(&mut Self, &T)) {
        self.text.push(open);
        for (index, item) in items.iter().enumerate() {
            self.text.push_str(if index > 0 { "," } else { "" });
            write(self, item);
        }
        self.text.push(close);
    }
}
