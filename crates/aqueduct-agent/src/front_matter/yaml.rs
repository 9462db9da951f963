//! YAML as a tree of values with their lines, built from the parser's events within limits.
//!
//! Front matter needs mappings, lists and scalars. Everything that makes one place of a document mean something
//! at another place, or that depends on the reader, is an error: anchors, aliases, merge keys, tags, directives,
//! repeated keys and further documents.

use saphyr_parser::{Event, Parser, ScalarStyle, StrInput};

use crate::diagnostic::Diagnostic;

/// How many bytes of YAML are parsed.
pub(super) const SIZE_LIMIT: usize = 64 * 1024;

/// How deep values may be nested.
pub(super) const DEPTH_LIMIT: usize = 16;

/// How many keys a mapping may have.
const KEYS_LIMIT: usize = 512;

/// A value and the line it begins on, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct YamlNode {
    pub(super) line: usize,
    pub(super) value: YamlValue,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum YamlValue {
    Scalar(Scalar),
    List(Vec<YamlNode>),
    Map(Vec<YamlMember>),
}

/// A scalar: its text as written, and its type in the core schema of YAML 1.2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scalar {
    pub(super) text: String,
    pub(super) kind: ScalarKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ScalarKind {
    Null,
    Bool(bool),
    /// A number, as JSON writes it.
    Number(String),
    Text,
}

/// One key of a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct YamlMember {
    pub(super) key: String,
    pub(super) line: usize,
    pub(super) value: YamlNode,
}

/// Parses one YAML document.
pub(super) fn parse(text: &str) -> Result<YamlNode, Diagnostic> {
    if text.len() > SIZE_LIMIT {
        return Err(wrong(1, format!("the front matter has more than {} KiB", SIZE_LIMIT / 1024)));
    }
    refuse_unseen(text)?;
    let mut reader = YamlReader { parser: Parser::new_from_str(text), line: 1 };
    let mut root = None;
    loop {
        match reader.next()? {
            Event::StreamEnd => break,
            Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => (),
            _ if root.is_some() => {
                return Err(wrong(reader.line, "the front matter must be a single YAML document"));
            }
            event => root = Some(reader.node(event, 0)?),
        }
    }
    let empty = Scalar { text: String::new(), kind: ScalarKind::Null };
    Ok(root.unwrap_or(YamlNode { line: 1, value: YamlValue::Scalar(empty) }))
}

/// A lone carriage return ends a line for YAML but not for most editors, other control characters are invisible, and
/// a tab is no indentation: what a person reads must be what the parser reads.
fn refuse_unseen(text: &str) -> Result<(), Diagnostic> {
    let tabbed = text.lines().position(|line| line.starts_with('\t') && !line.trim().is_empty());
    if let Some(before) = tabbed {
        return Err(wrong(
            before + 1,
            Diagnostic::problem("this line begins with a tab").clause("indent with spaces"),
        ));
    }
    let mut line = 1;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\n' => line += 1,
            '\t' => (),
            '\r' if letters.peek() == Some(&'\n') => (),
            _ if letter.is_control() => {
                return Err(wrong(line, format!("the control character {letter:?} is not allowed here")));
            }
            _ => (),
        }
    }
    Ok(())
}

fn wrong(line: usize, what: impl Into<Diagnostic>) -> Diagnostic {
    what.into().at_line(line.max(1))
}

/// What YAML has and front matter does not: a plain value may look like it.
fn unsupported(message: &str) -> Diagnostic {
    Diagnostic::problem(message).clause("quote the value")
}

struct YamlReader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    /// The line of the latest event.
    line: usize,
}

impl<'t> YamlReader<'t> {
    fn next(&mut self) -> Result<Event<'t>, Diagnostic> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                self.line = span.start.line();
                Ok(event)
            }
            Some(Err(error)) => {
                let what = Diagnostic::problem(format!("not valid YAML: {}", error.info()))
                    .clause("quote values that contain `: ` or ` #`, or that begin with a special character");
                Err(wrong(error.marker().line(), what))
            }
            None => Ok(Event::StreamEnd),
        }
    }

    fn node(&mut self, event: Event<'t>, depth: usize) -> Result<YamlNode, Diagnostic> {
        let line = self.line;
        if depth > DEPTH_LIMIT {
            return Err(wrong(line, format!("values are nested more than {DEPTH_LIMIT} levels deep")));
        }
        let value = match event {
            Event::Scalar(text, style, anchor, tag) => {
                refuse_properties(line, anchor, tag.is_some())?;
                let kind = if style == ScalarStyle::Plain { ScalarKind::of(&text) } else { ScalarKind::Text };
                YamlValue::Scalar(Scalar { text: text.into_owned(), kind })
            }
            Event::SequenceStart(anchor, tag) => {
                refuse_properties(line, anchor, tag.is_some())?;
                YamlValue::List(self.list(depth)?)
            }
            Event::MappingStart(anchor, tag) => {
                refuse_properties(line, anchor, tag.is_some())?;
                YamlValue::Map(self.map(depth)?)
            }
            Event::Alias(_) => {
                return Err(wrong(line, unsupported("aliases (`*name`) are not supported")));
            }
            _ => return Err(wrong(line, "not valid YAML: a value is missing")),
        };
        Ok(YamlNode { line, value })
    }

    fn list(&mut self, depth: usize) -> Result<Vec<YamlNode>, Diagnostic> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                Event::SequenceEnd => return Ok(items),
                event => items.push(self.node(event, depth + 1)?),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Vec<YamlMember>, Diagnostic> {
        let mut members: Vec<YamlMember> = Vec::new();
        loop {
            let event = match self.next()? {
                Event::MappingEnd => return Ok(members),
                event => event,
            };
            let is_quoted = matches!(&event, Event::Scalar(_, style, ..) if *style != ScalarStyle::Plain);
            let YamlNode { line, value } = self.node(event, depth + 1)?;
            let key = match value {
                YamlValue::Scalar(scalar) if scalar.kind != ScalarKind::Null => scalar.text,
                _ => return Err(wrong(line, "a key must be a text")),
            };
            if key == "<<" && !is_quoted {
                return Err(wrong(line, "merge keys (`<<`) are not supported"));
            }
            if members.len() == KEYS_LIMIT {
                return Err(wrong(line, format!("the mapping has more than {KEYS_LIMIT} keys")));
            }
            if let Some(known) = members.iter().find(|member| member.key == key) {
                return Err(wrong(
                    line,
                    Diagnostic::problem(format!("duplicate key {key:?}"))
                        .clause(format!("it is on line {} already", known.line)),
                ));
            }
            let event = self.next()?;
            let value = self.node(event, depth + 1)?;
            members.push(YamlMember { key, line, value });
        }
    }
}

fn refuse_properties(line: usize, anchor: usize, is_tagged: bool) -> Result<(), Diagnostic> {
    match (anchor, is_tagged) {
        (0, false) => Ok(()),
        (_, true) => Err(wrong(line, unsupported("tags (`!name`) are not supported"))),
        _ => Err(wrong(line, unsupported("anchors (`&name`) are not supported"))),
    }
}

impl ScalarKind {
    /// The type of a plain scalar.
    fn of(text: &str) -> Self {
        match text {
            "" | "~" | "null" | "Null" | "NULL" => ScalarKind::Null,
            "true" | "True" | "TRUE" => ScalarKind::Bool(true),
            "false" | "False" | "FALSE" => ScalarKind::Bool(false),
            _ => json_number(text).map_or(ScalarKind::Text, ScalarKind::Number),
        }
    }
}

/// A number as JSON writes it: YAML also has hexadecimal, octal, leading zeros, plus signs and bare points.
fn json_number(text: &str) -> Option<String> {
    if !text.starts_with(|letter: char| letter.is_ascii_digit() || "+-.".contains(letter)) {
        return None;
    }
    if serde_json::from_str::<serde_json::Number>(text).is_ok() {
        return Some(text.to_owned());
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        let digits = text.strip_prefix(prefix).filter(|digits| !digits.starts_with(['+', '-']));
        if let Some(digits) = digits {
            return u64::from_str_radix(digits, radix).ok().map(|number| number.to_string());
        }
    }
    if let Ok(number) = text.parse::<i64>() {
        return Some(number.to_string());
    }
    if !text.chars().all(|letter| letter.is_ascii_digit() || "+-.eE".contains(letter)) {
        return None;
    }
    serde_json::Number::from_f64(text.parse().ok()?).map(|number| number.to_string())
}
