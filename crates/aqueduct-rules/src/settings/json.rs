//! JSON with comments, as a tree with the position of everything in the text.

use aqueduct_wire::hint::Hint;

/// Deeper documents are refused; they do not occur in practice, and each level uses the stack.
const MAX_DEPTH: usize = 64;

/// A value and its position.
#[derive(Debug, Clone)]
pub(super) struct JsonNode {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) value: JsonValue,
}

/// A value, as far as settings need it.
#[derive(Debug, Clone)]
pub(super) enum JsonValue {
    Object(Vec<JsonMember>),
    Array(Vec<JsonNode>),
    Text(String),
    Bool(bool),
    /// Numbers and null, which settings of this crate never are.
    Other,
}

/// A member of an object.
#[derive(Debug, Clone)]
pub(super) struct JsonMember {
    pub(super) key: String,
    pub(super) start: usize,
    pub(super) value: JsonNode,
}

/// What is wrong with a document, and where.
#[derive(Debug, Clone)]
pub(super) struct JsonFault {
    pub(super) at: usize,
    pub(super) problem: &'static str,
    remedy: Option<&'static str>,
}

impl JsonFault {
    /// What to do about it.
    pub(super) fn hint(&self) -> Option<Hint> {
        self.remedy.map(Hint::clause)
    }

    fn remedied(self, remedy: &'static str) -> Self {
        JsonFault { remedy: Some(remedy), ..self }
    }
}

/// Reads a document. `None` for one that holds nothing but blanks and comments.
pub(super) fn parse(text: &str) -> Result<Option<JsonNode>, JsonFault> {
    let mut reader =
        JsonReader { text, at: usize::from(text.starts_with('\u{feff}')) * '\u{feff}'.len_utf8() };
    reader.blanks()?;
    if reader.at == text.len() {
        return Ok(None);
    }
    let node = reader.node(0)?;
    reader.blanks()?;
    if reader.at < text.len() {
        return Err(reader.fault("something follows the end of the settings").remedied("remove it"));
    }
    Ok(Some(node))
}

/// The line and column of a place in a text, both from 1.
pub(super) fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

/// Where blanks and comments that begin at `at` end.
pub(super) fn skip_blanks(text: &str, at: usize) -> usize {
    let mut reader = JsonReader { text, at };
    // An unclosed comment was refused when the document was read.
    let _ = reader.blanks();
    reader.at
}

struct JsonReader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> JsonReader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn fault(&self, problem: &'static str) -> JsonFault {
        JsonFault { at: self.at, problem, remedy: None }
    }

    fn blanks(&mut self) -> Result<(), JsonFault> {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
            self.at += blank;
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/*") {
                match comment.find("*/") {
                    Some(end) => self.at += end + 4,
                    None => return Err(self.fault("this comment is never closed").remedied("add `*/`")),
                }
            } else {
                return Ok(());
            }
        }
    }

    fn node(&mut self, depth: usize) -> Result<JsonNode, JsonFault> {
        if depth > MAX_DEPTH {
            return Err(self.fault("this is nested too deeply"));
        }
        let start = self.at;
        let value = match self.rest().bytes().next() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => JsonValue::Text(self.string()?),
            Some(_) => self.word()?,
            None => return Err(self.fault("the settings end too early; a value is missing")),
        };
        Ok(JsonNode { start, end: self.at, value })
    }

    fn word(&mut self) -> Result<JsonValue, JsonFault> {
        let length = self
            .rest()
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
            .count();
        let word = &self.rest()[..length];
        let value = match word {
            "true" => JsonValue::Bool(true),
            "false" => JsonValue::Bool(false),
            "null" => JsonValue::Other,
            number if number.parse::<f64>().is_ok() && !number.starts_with(['i', 'n', 'N', 'I']) => {
                JsonValue::Other
            }
            _ => return Err(self.fault("this is not a value; strings are in double quotes")),
        };
        self.at += length;
        Ok(value)
    }

    fn string(&mut self) -> Result<String, JsonFault> {
        let start = self.at;
        let mut escaped = false;
        for (offset, c) in self.rest().char_indices().skip(1) {
            match c {
                '"' if !escaped => {
                    let end = start + offset + 1;
                    let text = serde_json::from_str(&self.text[start..end]);
                    return match text {
                        Ok(text) => {
                            self.at = end;
                            Ok(text)
                        }
                        Err(_) => Err(self.fault("this string has an escape that JSON doesn't know")),
                    };
                }
                '\n' => break,
                _ => escaped = c == '\\' && !escaped,
            }
        }
        Err(self.fault("this string is never closed").remedied("add `\"`"))
    }

    fn object(&mut self, depth: usize) -> Result<JsonValue, JsonFault> {
        let mut members = Vec::new();
        self.at += 1;
        loop {
            self.blanks()?;
            match self.rest().bytes().next() {
                Some(b'}') => {
                    self.at += 1;
                    return Ok(JsonValue::Object(members));
                }
                Some(b'"') => {}
                _ => return Err(self.fault("a key in double quotes or `}` is missing here")),
            }
            let start = self.at;
            let key = self.string()?;
            self.blanks()?;
            if !self.rest().starts_with(':') {
                return Err(self.fault("`:` is missing after the key"));
            }
            self.at += 1;
            self.blanks()?;
            members.push(JsonMember { key, start, value: self.node(depth + 1)? });
            self.separator('}', "`,` or `}` is missing here")?;
        }
    }

    fn array(&mut self, depth: usize) -> Result<JsonValue, JsonFault> {
        let mut items = Vec::new();
        self.at += 1;
        loop {
            self.blanks()?;
            if self.rest().starts_with(']') {
                self.at += 1;
                return Ok(JsonValue::Array(items));
            }
            items.push(self.node(depth + 1)?);
            self.separator(']', "`,` or `]` is missing here")?;
        }
    }

    /// Passes a comma; the closing bracket is left where it is.
    fn separator(&mut self, close: char, problem: &'static str) -> Result<(), JsonFault> {
        self.blanks()?;
        if self.rest().starts_with(',') {
            self.at += 1;
            return Ok(());
        }
        if self.rest().starts_with(close) { Ok(()) } else { Err(self.fault(problem)) }
    }
}
