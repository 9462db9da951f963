//! Positions in a settings file, for error messages.

use std::collections::HashMap;

use super::json::{self, JsonMember, JsonNode, JsonValue};

/// One step on the way to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathStep<'p> {
    /// To the member of an object. Of several with this name the last one counts.
    Member(&'p str),
    /// To the item of a list, counted from 0.
    Item(usize),
}

/// The line, from 1, of a value, or of the last existing item on the way to it.
pub fn line_of(text: &str, path: &[PathStep<'_>]) -> usize {
    let Ok(Some(root)) = json::parse(text) else { return 1 };
    let (mut node, mut start) = (&root, root.start);
    for step in path {
        let Some((next, at)) = next(node, *step) else { break };
        (node, start) = (next, at);
    }
    json::position(text, start).0
}

/// A member that occurs in its object a second time. The last one counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateMember {
    /// The way to it, such as `hooks.PreToolUse` or `a[0].b`.
    pub path: String,
    /// The line of the one that does not count, from 1.
    pub line: usize,
    /// The line of the one that takes its place.
    pub by: usize,
}

/// The members that occur in their objects more than once, in the order of the text.
pub fn repeated(text: &str) -> Vec<DuplicateMember> {
    let mut found = Vec::new();
    if let Ok(Some(root)) = json::parse(text) {
        look_for_repeated(text, &root, "", &mut found);
    }
    found
}

fn look_for_repeated(text: &str, node: &JsonNode, path: &str, found: &mut Vec<DuplicateMember>) {
    match &node.value {
        JsonValue::Object(members) => {
            let mut last = HashMap::new();
            for (index, member) in members.iter().enumerate() {
                last.insert(member.key.as_str(), index);
            }
            for (index, member) in members.iter().enumerate() {
                let dot = if path.is_empty() { "" } else { "." };
                let path = format!("{path}{dot}{}", member.key);
                let last = last.get(member.key.as_str()).copied().unwrap_or(index);
                if last != index {
                    let line = |member: &JsonMember| json::position(text, member.start).0;
                    found.push(DuplicateMember { line: line(member), by: line(&members[last]), path });
                } else {
                    look_for_repeated(text, &member.value, &path, found);
                }
            }
        }
        JsonValue::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                look_for_repeated(text, item, &format!("{path}[{index}]"), found);
            }
        }
        _ => (),
    }
}

/// What a step leads to, and where that begins: a member at its name.
fn next<'n>(node: &'n JsonNode, step: PathStep<'_>) -> Option<(&'n JsonNode, usize)> {
    match (step, &node.value) {
        (PathStep::Member(name), JsonValue::Object(members)) => {
            let member = members.iter().rev().find(|member| member.key == name)?;
            Some((&member.value, member.start))
        }
        (PathStep::Item(index), JsonValue::Array(items)) => items.get(index).map(|item| (item, item.start)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicate_members_are_found_with_both_lines() {
        let text = "{\n\"a\": [{\"b\": 1,\n\"b\": 2}],\n\"c\": {\"a\": 1},\n\"c\": {}\n}";
        let found: Vec<(String, usize, usize)> =
            repeated(text).into_iter().map(|one| (one.path, one.line, one.by)).collect();
        assert_eq!(found, [("a[0].b".to_owned(), 2, 3), ("c".to_owned(), 4, 5)]);
        assert_eq!(repeated("{"), []);
    }
}
