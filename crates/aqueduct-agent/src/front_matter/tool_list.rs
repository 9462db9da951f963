//! Lists of tools and of permission rules: what grants or restricts.
//!
//! | value | means |
//! |---|---|
//! | nothing, `~`, `[]` | an empty list |
//! | `Read, Bash(git log:*)` | the text split at commas and spaces outside parentheses |
//! | a list | each item split in the same way; empty items are skipped |
//! | a number, a truth value, a mapping, a list in the list | unreadable |
//! | an entry that begins with `#`, has parentheses that do not match, or is no tool's name | the whole list is unreadable |
//!
//! An unreadable list grants nothing, and its reader must treat it as a restriction that is not known.

use super::yaml::{ScalarKind, YamlNode, YamlValue};
use super::{FrontMatter, split_list};

/// A tool or a rule in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedTool {
    pub(crate) text: String,
    /// The line of its item, from 1.
    pub(crate) line: usize,
}

impl FrontMatter<'_> {
    /// The tools or rules under a key. `None` where the key is missing, or where the list is unreadable, which is
    /// reported.
    pub(crate) fn tools(&mut self, key: &str) -> Option<Vec<ListedTool>> {
        let entry = self.get(key)?;
        let read = match &entry.value.value {
            YamlValue::List(items) => items
                .iter()
                .map(|item| entries_of(item, item.line))
                .collect::<Result<Vec<_>, _>>()
                .map(|entries| entries.concat()),
            _ => entries_of(&entry.value, entry.line),
        };
        let found = read.and_then(|entries| {
            let unreadable = entries.iter().find_map(|entry| Some((entry.line, problem(&entry.text)?)));
            unreadable.map_or(Ok(entries), Err)
        });
        found.map_err(|(line, what)| self.wrong(line, format!("{key} {what}"))).ok()
    }
}

fn entries_of(node: &YamlNode, line: usize) -> Result<Vec<ListedTool>, (usize, String)> {
    match &node.value {
        YamlValue::Scalar(scalar) if scalar.kind == ScalarKind::Null => Ok(Vec::new()),
        YamlValue::Scalar(scalar) if scalar.kind == ScalarKind::Text => {
            Ok(split_list(&scalar.text).into_iter().map(|text| ListedTool { text, line }).collect())
        }
        _ => Err((line, "must be a list of tools, or a text with tools and commas".to_owned())),
    }
}

/// Why an entry can't be what its author meant.
fn problem(entry: &str) -> Option<String> {
    let (name, content) = entry.split_once('(').map_or((entry, None), |(name, rest)| (name, Some(rest)));
    if entry.starts_with('#') {
        return Some(
            "has a `#` that begins no comment inside this value; remove it and what follows".to_owned(),
        );
    }
    if content.map_or(name.contains(')'), |rest| !rest.ends_with(')')) {
        let what = "has parentheses that do not match; quote an item that contains a comma";
        return Some(format!("{what}: {entry:?}"));
    }
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-.*/:@".contains(letter);
    (name.is_empty() || !name.chars().all(is_plain)).then(|| format!("names no tool with {entry:?}"))
}
