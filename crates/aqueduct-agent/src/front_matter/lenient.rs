//! Values that people write without the quotes YAML asks for, such as `description: Use this: it helps`.
//!
//! Only keys that describe are quoted here, and only those whose own lines are not YAML. A key that grants or
//! restricts something is never rewritten. The exception is `tools: *`, which means the same as a missing key.

use super::yaml;
use crate::diagnostic::Diagnostic;

/// Keys that grant and restrict nothing.
const TEXT_KEYS: &[&str] = &[
    "name",
    "description",
    "when_to_use",
    "argument-hint",
    "arguments",
    "license",
    "compatibility",
    "version",
    "author",
    "tags",
    "paths",
    "initialPrompt",
];

/// What a rewrite of the document gives.
pub(super) struct Quoted {
    pub(super) yaml: String,
    /// Values whose quotes were not taken for YAML's.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// The document with quotes around descriptive values that are not YAML. `None` where there are none.
pub(super) fn quote_texts(yaml: &str) -> Option<Quoted> {
    let lines: Vec<&str> = yaml.split_inclusive('\n').collect();
    let mut quoted = Quoted { yaml: String::with_capacity(yaml.len() + 16), diagnostics: Vec::new() };
    let mut is_changed = false;
    let mut at = 0;
    while let Some(first) = lines.get(at) {
        let below = lines[at + 1..].iter().take_while(|line| belongs_above(line)).count();
        let block = &lines[at..=at + below];
        let rewritten = key_of(first).and_then(|(key, value)| quote_block(key, value, block));
        if let Some(text) = rewritten {
            is_changed = true;
            if let Some((key, _)) = key_of(first).filter(|(_, value)| value.starts_with(['"', '\''])) {
                let what = Diagnostic::problem(format!("{key}: the quotes do not enclose the whole value"));
                quoted.diagnostics.push(what.clause("they are part of it").at_line(at + 1));
            }
            quoted.yaml.push_str(&text);
        } else {
            quoted.yaml.extend(block.iter().copied());
        }
        at += block.len();
    }
    is_changed.then_some(quoted)
}

/// Whether a line belongs to the key above it.
fn belongs_above(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with([' ', '\t']) || is_item(line)
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    line.strip_prefix('-').is_some_and(|rest| rest.starts_with([' ', '\t', '\n', '\r']) || rest.is_empty())
}

/// The key at the beginning of a line, and what follows it.
fn key_of(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(':')?;
    let is_key =
        !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || "_-.".contains(letter));
    let value = rest.trim();
    (is_key && (value.is_empty() || rest.starts_with([' ', '\t']))).then_some((key, value))
}

/// A key with its value in quotes, where that is needed and can be done without guessing.
fn quote_block(key: &str, value: &str, block: &[&str]) -> Option<String> {
    let is_all_tools = key == "tools" && value == "*" && block[1..].iter().all(|line| line.trim().is_empty());
    if !(is_all_tools || TEXT_KEYS.contains(&key)) || yaml::parse(&block.concat()).is_ok() {
        return None;
    }
    let used = block.iter().rposition(|line| !line.trim().is_empty())? + 1;
    let (text, blank) = block.split_at(used);
    let text = match value.chars().next() {
        Some('|' | '>') => return None,
        Some(_) => quote_text(key, value, &text[1..])?,
        None => quote_items(text)?,
    };
    Some(text + &blank.concat())
}

/// `key: 'value'`. A line below that looks like a key or an item was meant to be one: nothing is guessed then.
fn quote_text(key: &str, value: &str, below: &[&str]) -> Option<String> {
    let is_other = |line: &&str| {
        is_item(line) || key_of(line.trim_start()).is_some() || line.trim_start().starts_with('#')
    };
    if below.iter().any(is_other) {
        return None;
    }
    let mut text = format!("{key}: '{}", escape(without_comment(value)));
    for line in below {
        text.push_str("\n  ");
        text.push_str(&escape(without_comment(line.trim())));
    }
    text.push_str("'\n");
    Some(text)
}

/// A list with each item in quotes that needs them.
fn quote_items(block: &[&str]) -> Option<String> {
    let mut text = block.first()?.to_string();
    for line in &block[1..] {
        if line.trim().is_empty() || line.trim_start().starts_with('#') || yaml::parse(line).is_ok() {
            text.push_str(line);
            continue;
        }
        let (indent, item) = line.split_once('-').filter(|_| is_item(line))?;
        text.push_str(&format!("{indent}- '{}'\n", escape(without_comment(item.trim()))));
    }
    Some(text)
}

fn escape(text: &str) -> String {
    text.replace('\'', "''")
}

fn without_comment(text: &str) -> &str {
    text.find(" #").map_or(text, |at| &text[..at]).trim_end()
}
