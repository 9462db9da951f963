//! Front matter: the YAML between two `---` lines at the beginning of a Markdown file.
//!
//! The YAML is parsed strictly, within limits, and as a whole: where it is invalid, the file has no front matter
//! that counts, and every key that could have been in it is unread. Values that only describe may lack the quotes
//! that YAML asks for (`lenient`).
//!
//! `file.rs` reads a file, `yaml.rs` builds values from the events of `saphyr-parser` within limits, `lenient.rs` accepts
//! descriptions without quotes, `tool_list.rs` reads lists that grant or restrict, and `json.rs` converts nested values to
//! JSON with their lines, for the reader of hooks.

mod file;
mod json;
mod lenient;
mod tool_list;
mod yaml;

use std::path::Path;

pub(crate) use file::{UnreadableFile, read_file, read_settings};
pub(crate) use tool_list::ListedTool;

use crate::diagnostic::Diagnostic;
use crate::options::split_list;
use yaml::{ScalarKind, YamlNode, YamlValue};

/// The line that opens and closes front matter.
const FENCE: &str = "---";

/// A Markdown file, split into front matter and body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FrontMatter<'t> {
    /// The keys, in their order.
    pub(crate) entries: Vec<FrontMatterEntry>,
    /// The text below the front matter.
    pub(crate) body: &'t str,
    /// What is wrong with it, by line.
    pub(crate) diagnostics: Vec<Diagnostic>,
    state: FrontMatterState,
}

/// Whether the front matter could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrontMatterState {
    Read,
    /// The line that ends it is missing: the file is all body.
    Unclosed,
    Invalid,
}

/// One key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FrontMatterEntry {
    /// The key.
    pub(crate) key: String,
    /// The line of the key, from 1.
    pub(crate) line: usize,
    value: YamlNode,
}

impl<'t> FrontMatter<'t> {
    /// Splits a file and parses its front matter. A file without front matter is all body.
    pub(crate) fn read(text: &'t str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        let state = FrontMatterState::Read;
        let mut matter = FrontMatter { entries: Vec::new(), body: text, diagnostics: Vec::new(), state };
        let Some(mut rest) = after_line(text, |line| line == FENCE) else { return matter };
        let yaml = loop {
            let Some((line, behind)) = next_line(rest) else {
                matter.wrong(
                    1,
                    Diagnostic::problem("the front matter is never closed")
                        .clause("end it with a line `---`"),
                );
                matter.state = FrontMatterState::Unclosed;
                return matter;
            };
            if line == FENCE || line == "..." {
                // The opening fence is part of the document, so that lines are the file's.
                let yaml = &text[..text.len() - rest.len()];
                matter.body = behind;
                break yaml;
            }
            rest = behind;
        };
        match parse(yaml, &mut matter.diagnostics) {
            Ok(entries) => matter.entries = entries,
            Err(diagnostic) => {
                matter.diagnostics.push(diagnostic);
                matter.state = FrontMatterState::Invalid;
            }
        }
        matter
    }

    /// The entry of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&FrontMatterEntry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The text under a key; numbers and truth values count as written. A list or a mapping is an error.
    pub(crate) fn text(&mut self, key: &str) -> Option<String> {
        let entry = self.get(key)?;
        match &entry.value.value {
            YamlValue::Scalar(scalar) if scalar.kind == ScalarKind::Null => None,
            YamlValue::Scalar(scalar) => {
                Some(scalar.text.trim_end().to_owned()).filter(|text| !text.is_empty())
            }
            YamlValue::List(_) | YamlValue::Map(_) => {
                let line = entry.line;
                self.wrong(line, format!("{key} must be a text"));
                None
            }
        }
    }

    /// The text under a key that may look like a list, such as a hint `[file]`.
    pub(crate) fn text_in_brackets(&mut self, key: &str) -> Option<String> {
        match &self.get(key)?.value.value {
            YamlValue::List(items) => Some(in_brackets(items)),
            _ => self.text(key),
        }
    }

    /// The truth value under a key.
    pub(crate) fn truth(&mut self, key: &str) -> Option<bool> {
        let entry = self.get(key)?;
        match &entry.value.value {
            YamlValue::Scalar(scalar) if scalar.text.eq_ignore_ascii_case("true") => Some(true),
            YamlValue::Scalar(scalar) if scalar.text.eq_ignore_ascii_case("false") => Some(false),
            _ => {
                let line = entry.line;
                self.wrong(line, format!("{key} must be true or false"));
                None
            }
        }
    }

    /// The list under a key: a list of scalars, or a text with commas. For what grants or restricts there is
    /// [`FrontMatter::tools`].
    pub(crate) fn list(&mut self, key: &str) -> Option<Vec<String>> {
        let entry = self.get(key)?;
        let items: Option<Vec<String>> = match &entry.value.value {
            YamlValue::Scalar(scalar) if scalar.kind == ScalarKind::Null => Some(Vec::new()),
            YamlValue::Scalar(scalar) => Some(split_list(&scalar.text)),
            YamlValue::List(items) => items.iter().map(|item| scalar_text(item).map(str::to_owned)).collect(),
            YamlValue::Map(_) => None,
        };
        if items.is_none() {
            self.wrong(self.line(key), format!("{key} must be a list of texts"));
        }
        Some(items?.into_iter().filter(|item| !item.is_empty()).collect())
    }

    /// Names: a list of them, or a text with spaces between them. What is none is left out.
    pub(crate) fn names(&mut self, key: &str) -> Vec<String> {
        let is_name = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
        match self.get(key).map(|entry| &entry.value.value) {
            Some(YamlValue::List(items)) => {
                let names = items.iter().filter_map(scalar_text).map(str::trim);
                names.filter(|name| is_name(name)).map(str::to_owned).collect()
            }
            Some(YamlValue::Scalar(scalar)) if scalar.kind != ScalarKind::Null => {
                scalar.text.split_whitespace().map(str::to_owned).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The mapping under a key, as JSON with every item on its line of the file. A scalar or a list is an error.
    pub(crate) fn nested(&mut self, key: &str) -> Option<String> {
        let entry = self.get(key)?;
        match &entry.value.value {
            YamlValue::Scalar(scalar) if scalar.kind == ScalarKind::Null => None,
            YamlValue::Map(_) => Some(json::laid_out(key, entry.line, &entry.value)),
            YamlValue::Scalar(_) | YamlValue::List(_) => {
                let line = entry.line;
                self.wrong(line, format!("{key} must have members below it"));
                None
            }
        }
    }

    /// The value under a key as JSON, whatever it is; nothing where it is empty.
    pub(crate) fn json(&self, key: &str) -> Option<serde_json::Value> {
        let entry = self.get(key)?;
        // It was written as JSON.
        let mut object: serde_json::Value =
            serde_json::from_str(&json::laid_out(key, entry.line, &entry.value)).ok()?;
        Some(object.get_mut(key)?.take()).filter(|value| !value.is_null())
    }

    /// Reports the keys that have no meaning.
    pub(crate) fn know(&mut self, keys: &[&str]) {
        let unknown: Vec<(usize, String)> = self
            .entries
            .iter()
            .filter(|entry| !keys.contains(&entry.key.as_str()))
            .map(|entry| (entry.line, format!("{} is not known here and is ignored", entry.key)))
            .collect();
        for (line, what) in unknown {
            self.wrong(line, what);
        }
    }

    /// The line of a key; the first, where it is missing.
    pub(crate) fn line(&self, key: &str) -> usize {
        self.get(key).map_or(1, |entry| entry.line)
    }

    /// Whether the keys of the file are unknown. An unread restriction must not count as a missing one.
    pub(crate) fn is_unread(&self) -> bool {
        self.state != FrontMatterState::Read
    }

    /// Whether there is front matter, and it is not valid.
    pub(crate) fn is_invalid(&self) -> bool {
        self.state == FrontMatterState::Invalid
    }

    /// Whether a list or a mapping is under a key.
    pub(crate) fn is_other_than_text(&self, key: &str) -> bool {
        self.get(key).is_some_and(|entry| matches!(entry.value.value, YamlValue::List(_) | YamlValue::Map(_)))
    }

    /// Whether a key is missing, or has no value.
    pub(crate) fn is_empty(&self, key: &str) -> bool {
        let is_null = |entry: &FrontMatterEntry| matches!(&entry.value.value, YamlValue::Scalar(scalar) if scalar.kind == ScalarKind::Null);
        self.get(key).is_none_or(is_null)
    }

    /// Whether a key is there in another spelling, such as `disallowed-tools` or `hook`, which is reported. Ignored,
    /// it would restrict nothing.
    pub(crate) fn is_misspelt(&mut self, meant: &str) -> bool {
        let Some(entry) = self.entries.iter().find(|entry| is_other_spelling(&entry.key, meant)) else {
            return false;
        };
        let (line, what) = (entry.line, format!("{} must be written {meant}", entry.key));
        self.wrong(line, what);
        true
    }

    /// Reports that a required text is missing, unless that follows from an error that is already reported.
    pub(crate) fn lacks(&mut self, key: &str, what: impl Into<Diagnostic>) {
        if !self.is_unread() && !self.is_other_than_text(key) {
            self.wrong(self.line(key), what);
        }
    }

    /// The text under a key that must be one of `names`; any other text is an error.
    pub(crate) fn one_of(&mut self, key: &str, names: &[&str]) -> Option<String> {
        let text = self.text(key)?;
        if names.contains(&text.as_str()) {
            return Some(text);
        }
        self.wrong(self.line(key), format!("{key} must be one of {}", names.join(", ")));
        None
    }

    /// Reports an error.
    pub(crate) fn wrong(&mut self, line: usize, what: impl Into<Diagnostic>) {
        self.diagnostics.push(what.into().at_line(line));
    }

    /// Takes what is wrong, in the order of the lines, with the file that it is wrong with.
    pub(crate) fn take_diagnostics(&mut self, path: &Path) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(Diagnostic::line);
        self.diagnostics.drain(..).map(|diagnostic| diagnostic.in_file(path)).collect()
    }
}

/// Whether a key differs from the one that is meant in case, separators or a plural only.
pub(crate) fn is_other_spelling(key: &str, meant: &str) -> bool {
    let letters = |text: &str| {
        let letters = text.replace(['-', '_', ' '], "").to_ascii_lowercase();
        letters.strip_suffix('s').map(str::to_owned).unwrap_or(letters)
    };
    key != meant && letters(key) == letters(meant)
}

/// The keys of a YAML document, with missing quotes of descriptive values added.
fn parse(yaml: &str, diagnostics: &mut Vec<Diagnostic>) -> Result<Vec<FrontMatterEntry>, Diagnostic> {
    let root = yaml::parse(yaml).or_else(|error| {
        let quoted = lenient::quote_texts(yaml).ok_or_else(|| error.clone())?;
        // Without the rewrite the error is about what the author wrote.
        let root = yaml::parse(&quoted.yaml).map_err(|_| error)?;
        diagnostics.extend(quoted.diagnostics);
        Ok::<_, Diagnostic>(root)
    })?;
    match root.value {
        YamlValue::Map(members) => Ok(members
            .into_iter()
            .map(|member| FrontMatterEntry { key: member.key, line: member.line, value: member.value })
            .collect()),
        YamlValue::Scalar(scalar) if scalar.kind == ScalarKind::Null => Ok(Vec::new()),
        _ => Err(Diagnostic::problem("front matter must be lines of `key: value`").at_line(root.line)),
    }
}

fn scalar_text(node: &YamlNode) -> Option<&str> {
    match &node.value {
        YamlValue::Scalar(scalar) => Some(&scalar.text),
        YamlValue::List(_) | YamlValue::Map(_) => None,
    }
}

/// A list as people write it.
fn in_brackets(items: &[YamlNode]) -> String {
    let written = |item: &YamlNode| match &item.value {
        YamlValue::Scalar(scalar) => scalar.text.clone(),
        YamlValue::List(items) => in_brackets(items),
        YamlValue::Map(members) => {
            let texts = members
                .iter()
                .map(|member| format!("{}: {}", member.key, scalar_text(&member.value).unwrap_or_default()));
            texts.collect::<Vec<_>>().join(", ")
        }
    };
    format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", "))
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

#[cfg(test)]
mod tests;
