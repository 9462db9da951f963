use std::fmt::Write as _;

use jiff::Timestamp;
use tracing::Level;

/// How long a value may be in a line, in characters. What is longer is cut.
const VALUE_LIMIT: usize = 2048;

/// How lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LogFormat {
    /// For people: time, level, event, message, then fields as `key=value`.
    #[default]
    Text,
    /// For programs: an object with `time`, `level`, `event`, `target`, `message`, and the fields.
    Json,
}

/// The formats, by name.
const FORMATS: &[(&str, LogFormat)] = &[("text", LogFormat::Text), ("json", LogFormat::Json)];

impl LogFormat {
    /// Reads the name of a format.
    pub fn parse(text: &str) -> Option<Self> {
        FORMATS.iter().find(|(name, _)| *name == text).map(|(_, format)| *format)
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        FORMATS.iter().find(|(_, format)| *format == self).map_or("text", |(name, _)| name)
    }
}

/// The members that each object has. A field with such a name, which only other libraries have, gets another.
const MEMBERS: &[&str] = &["time", "level", "event", "target", "message", "spans"];

/// A value of a field.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FieldValue {
    /// Text, which is escaped.
    Text(String),
    /// A number or a truth value, as JSON has it.
    Plain(String),
}

/// An event on its way to be a line.
#[derive(Debug)]
pub(crate) struct LogLine<'a> {
    pub(crate) time: Timestamp,
    pub(crate) level: Level,
    /// The event's name; its target, if it has none of its own.
    pub(crate) event: &'a str,
    pub(crate) target: &'a str,
    pub(crate) message: String,
    /// The event's fields, then those of its spans.
    pub(crate) fields: Vec<(&'static str, FieldValue)>,
    /// The spans that it is in, the outermost first.
    pub(crate) spans: Vec<&'static str>,
}

impl LogLine<'_> {
    /// The line with its end.
    pub(crate) fn written(&self, format: LogFormat) -> String {
        // Writing to a string does not fail.
        let mut line = String::with_capacity(256);
        match format {
            LogFormat::Text => self.write_text(&mut line),
            LogFormat::Json => self.write_json(&mut line),
        }
        line.push('\n');
        line
    }

    fn write_text(&self, line: &mut String) {
        let _ = write!(line, "{:.3} {:<5} {}: ", self.time, self.level.as_str(), self.event);
        escape(line, &self.message);
        for (name, value) in &self.fields {
            let _ = write!(line, " {name}=");
            match value {
                FieldValue::Plain(value) => line.push_str(value),
                FieldValue::Text(text) if is_simple(text) => escape(line, text),
                FieldValue::Text(text) => quote(line, text, escape_for_text),
            }
        }
        if !self.spans.is_empty() {
            let _ = write!(line, " in={}", self.spans.join("/"));
        }
    }

    fn write_json(&self, line: &mut String) {
        let _ = write!(line, "{{\"time\":\"{:.3}\",\"level\":", self.time);
        quote(line, &self.level.as_str().to_ascii_lowercase(), escape_for_json);
        for (name, text) in [("event", self.event), ("target", self.target), ("message", &self.message)] {
            let _ = write!(line, ",\"{name}\":");
            quote(line, text, escape_for_json);
        }
        for (name, value) in &self.fields {
            line.push(',');
            match MEMBERS.contains(name) {
                true => quote(line, &format!("field_{name}"), escape_for_json),
                false => quote(line, name, escape_for_json),
            }
            line.push(':');
            match value {
                FieldValue::Plain(value) => line.push_str(value),
                FieldValue::Text(text) => quote(line, text, escape_for_json),
            }
        }
        if !self.spans.is_empty() {
            let _ = write!(line, ",\"spans\":[\"{}\"]", self.spans.join("\",\""));
        }
        line.push('}');
    }
}

/// Whether a text needs no quotes.
fn is_simple(text: &str) -> bool {
    let is_plain = |c: char| !c.is_whitespace() && !matches!(c, '"' | '\\' | '=') && !is_hidden(c);
    !text.is_empty() && text.chars().all(is_plain)
}

/// Whether a character would change how a terminal or a reader shows the rest of a line.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A text in one line.
fn escape(line: &mut String, text: &str) {
    for c in text.chars().take(VALUE_LIMIT) {
        match is_hidden(c) {
            true => line.extend(c.escape_default()),
            false => line.push(c),
        }
    }
    if text.chars().nth(VALUE_LIMIT).is_some() {
        line.push('…');
    }
}

fn quote(line: &mut String, text: &str, escape: fn(&mut String, char)) {
    line.push('"');
    text.chars().take(VALUE_LIMIT).for_each(|c| escape(line, c));
    if text.chars().nth(VALUE_LIMIT).is_some() {
        line.push('…');
    }
    line.push('"');
}

fn escape_for_text(line: &mut String, c: char) {
    match c {
        '"' | '\\' => line.extend(['\\', c]),
        c if is_hidden(c) => line.extend(c.escape_default()),
        c => line.push(c),
    }
}

fn escape_for_json(line: &mut String, c: char) {
    match c {
        '"' | '\\' => line.extend(['\\', c]),
        '\n' => line.push_str("\\n"),
        '\t' => line.push_str("\\t"),
        c if is_hidden(c) => {
            // All of them are in the basic plane.
            let _ = write!(line, "\\u{:04x}", u32::from(c));
        }
        c => line.push(c),
    }
}
