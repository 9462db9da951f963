use std::collections::HashSet;

use super::index::{ChainEntry, ChainEntryKind, KeptSelection, KeptSpan, TranscriptIndex};
use super::recover;

/// Which conversation of a file is wanted, and how much of it.
#[derive(Debug, Clone, Copy, Default)]
pub struct ChainSelection {
    /// The entry to end with; the newest without it.
    pub until: Option<usize>,
    /// Continue behind compactions, back to the first message. Without it the conversation begins at the last
    /// one, as it does for the model.
    pub whole: bool,
    /// The lines of subagents and not those of the main conversation: for a subagent's own file.
    pub sidechain: bool,
}

/// The lines of a conversation, oldest first, as numbers of entries of an index.
///
/// A file holds more than one conversation where the user went back and took another way. The chain leads from
/// the newest line back through the parents, or from where a process last
/// left the conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Chain {
    /// The entries.
    pub entries: Vec<usize>,
    /// The entry to which the next line is chained.
    pub tip: Option<usize>,
}

impl Chain {
    /// The chain to the newest line of the main conversation, from the last compaction on.
    pub fn newest(index: &TranscriptIndex) -> Self {
        Chain::of(index, &ChainSelection::default())
    }

    /// The chain that a route asks for; empty if the conversation does not exist.
    pub fn of(index: &TranscriptIndex, route: &ChainSelection) -> Self {
        let until = route.until.filter(|&until| until < index.entries.len());
        let Some(leaf) = until.or_else(|| left_at(index, route)).or_else(|| newest(index, route)) else {
            return Chain::default();
        };
        let route = &ChainSelection { until, ..*route };
        let tip = if route.until.is_some() { leaf } else { last_after(index, leaf, route) };
        let mut entries =
            walk(index, tip, route, |entry| !route.whole && entry.kind == ChainEntryKind::Boundary);
        if let Some(kept) = entries.first().and_then(|&first| index.entries[first].kept.as_deref())
            && !route.whole
        {
            entries = with_kept(index, kept, entries, route);
        }
        Chain { entries: recover::parallel_calls(index, entries, route), tip: Some(tip) }
    }

    /// The chains of subagents whose lines are among those of the main conversation, as early versions wrote
    /// them; each from its first message on.
    pub fn sidechains(index: &TranscriptIndex) -> Vec<Self> {
        let is_side = |entry: &ChainEntry| entry.is_sidechain && !entry.is_superseded;
        let parents: HashSet<usize> = (0..index.entries.len())
            .filter(|&at| is_side(&index.entries[at]))
            .filter_map(|at| index.parent(at))
            .collect();
        let is_leaf = |at: &usize| is_side(&index.entries[*at]) && !parents.contains(at);
        let leaves = (0..index.entries.len()).filter(is_leaf);
        leaves
            .map(|leaf| {
                Chain::of(index, &ChainSelection { until: Some(leaf), whole: false, sidechain: true })
            })
            .collect()
    }
}

impl ChainSelection {
    /// Whether a line is of the conversation that is wanted, or of one beside it.
    pub(super) fn is_theirs(&self, entry: &ChainEntry) -> bool {
        entry.is_sidechain == self.sidechain && !entry.is_superseded
    }
}

/// The newest line of the branch that a process last left the conversation at, if it is recorded.
fn left_at(index: &TranscriptIndex, route: &ChainSelection) -> Option<usize> {
    let leaf = index.find(index.leaf.as_deref()?).filter(|_| !route.sidechain)?;
    let newest = index.newest_from(leaf);
    route.is_theirs(&index.entries[newest]).then_some(newest)
}

/// The newest line that counts as a message.
fn newest(index: &TranscriptIndex, route: &ChainSelection) -> Option<usize> {
    index.entries.iter().rposition(|entry| route.is_theirs(entry) && entry.kind.is_said())
}

/// The last of the lines that hang behind `leaf` without being messages, so that the next message is chained
/// to them.
fn last_after(index: &TranscriptIndex, leaf: usize, route: &ChainSelection) -> usize {
    let mut tip = leaf;
    for number in leaf + 1..index.entries.len() {
        if route.is_theirs(&index.entries[number]) && index.parent(number) == Some(tip) {
            tip = number;
        }
    }
    tip
}

/// The lines from `from` back through their parents, oldest first, up to the first or one that ends it.
/// A parent that is not there, because its line is broken, is replaced by the line before: messages
/// before it must not be lost.
fn walk(
    index: &TranscriptIndex,
    from: usize,
    route: &ChainSelection,
    ends: impl Fn(&ChainEntry) -> bool,
) -> Vec<usize> {
    let mut entries = Vec::new();
    let mut seen = HashSet::new();
    let mut next = Some(from);
    while let Some(number) = next.filter(|&number| seen.insert(number)) {
        let entry = &index.entries[number];
        entries.push(number);
        if ends(entry) {
            break;
        }
        let parent = entry.parent.as_deref().or(entry.logical_parent.as_deref());
        next = parent.and_then(|parent| {
            let before = || index.entries[..number].iter().rposition(|before| route.is_theirs(before));
            index.find(parent).or_else(before)
        });
    }
    entries.reverse();
    entries
}

/// Puts the messages that a compaction kept word for word behind its summary, where they belong: in the
/// file they are before the boundary.
fn with_kept(
    index: &TranscriptIndex,
    kept: &KeptSpan,
    chain: Vec<usize>,
    route: &ChainSelection,
) -> Vec<usize> {
    let Some(anchor) = index.find(&kept.anchor) else { return chain };
    let Some(position) = chain.iter().position(|&number| number == anchor) else { return chain };
    let messages: Vec<usize> = match &kept.which {
        KeptSelection::Listed(uuids) => uuids.iter().filter_map(|uuid| index.find(uuid)).collect(),
        KeptSelection::Run { head, tail } => {
            let (Some(head), Some(tail)) = (index.find(head), index.find(tail)) else { return chain };
            let first = index.entries[head].place.offset;
            walk(index, tail, route, |entry| entry.place.offset == first)
        }
    };
    let on_chain: HashSet<usize> = chain.iter().copied().collect();
    let (before, after) = chain.split_at(position + 1);
    let messages = messages.into_iter().filter(|number| !on_chain.contains(number));
    before.iter().copied().chain(messages).chain(after.iter().copied()).collect()
}
