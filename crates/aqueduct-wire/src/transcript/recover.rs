use std::collections::{HashMap, HashSet};

use super::ChainSelection;
use super::index::{ChainEntryKind, TranscriptIndex};

/// Puts back what parallel calls leave off the chain.
///
/// The reference chains the blocks of an answer one after the other, and each tool's result to the block of
/// its call. With several calls the lines fork, and the way back through the parents passes one branch
/// only. The other calls share the answer's message id, and their results name those calls: they belong
/// right behind the answer's last block. Lines after the route's end were written later than what is asked for.
pub(super) fn parallel_calls(
    index: &TranscriptIndex,
    chain: Vec<usize>,
    route: &ChainSelection,
) -> Vec<usize> {
    let on_chain: HashSet<usize> = chain.iter().copied().collect();
    let mut answers: HashMap<&str, AnswerCalls> = HashMap::new();
    for (position, &number) in chain.iter().enumerate() {
        if let Some(id) = message_id(index, number) {
            answers.entry(id).or_default().last = position;
        }
    }
    let end = route.until.map_or(index.entries.len(), |until| until + 1);
    for (number, entry) in index.entries[..end].iter().enumerate() {
        if !route.is_theirs(entry) || on_chain.contains(&number) {
            continue;
        }
        let answer = match entry.kind {
            ChainEntryKind::Assistant => message_id(index, number),
            ChainEntryKind::User if entry.is_tool_result => {
                let call = entry.source.as_deref().or(entry.parent.as_deref());
                call.and_then(|call| index.find(call)).and_then(|call| message_id(index, call))
            }
            _ => None,
        };
        let Some(answer) = answer.and_then(|id| answers.get_mut(id)) else { continue };
        match entry.kind {
            ChainEntryKind::Assistant => answer.calls.push(number),
            _ => answer.results.push(number),
        }
    }
    let mut behind: HashMap<usize, AnswerCalls> =
        answers.into_values().map(|answer| (answer.last, answer)).collect();
    let mut whole = Vec::with_capacity(chain.len());
    for (position, number) in chain.into_iter().enumerate() {
        whole.push(number);
        if let Some(answer) = behind.remove(&position) {
            whole.extend(answer.calls);
            whole.extend(answer.results);
        }
    }
    whole
}

/// An answer of the model with calls in it.
#[derive(Default)]
struct AnswerCalls {
    /// The position of its last block on the chain.
    last: usize,
    /// Its blocks that are off the chain.
    calls: Vec<usize>,
    /// The results that are off the chain.
    results: Vec<usize>,
}

fn message_id(index: &TranscriptIndex, number: usize) -> Option<&str> {
    index.entries[number].message_id.as_deref()
}
