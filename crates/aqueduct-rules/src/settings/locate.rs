//! Where things stand in a settings file, for whoever has a mistake to name.

use super::json::{self, Node, Value};

/// One step on the way to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toward<'p> {
    /// To the member of an object. Of several with this name the last one counts.
    Member(&'p str),
    /// To the item of a list, counted from 0.
    Item(usize),
}

/// The line, from 1, on which a value stands, or the last thing on the way to it that is there.
pub fn line_of(text: &str, path: &[Toward<'_>]) -> usize {
    let Ok(Some(root)) = json::parse(text) else { return 1 };
    let (mut node, mut start) = (&root, root.start);
    for step in path {
        let Some((next, at)) = next(node, *step) else { break };
        (node, start) = (next, at);
    }
    json::position(text, start).0
}

/// What a step leads to, and where that begins: a member at its name.
fn next<'n>(node: &'n Node, step: Toward<'_>) -> Option<(&'n Node, usize)> {
    match (step, &node.value) {
        (Toward::Member(name), Value::Object(members)) => {
            let member = members.iter().rev().find(|member| member.key == name)?;
            Some((&member.value, member.start))
        }
        (Toward::Item(index), Value::Array(items)) => items.get(index).map(|item| (item, item.start)),
        _ => None,
    }
}
