use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use aqueduct_wire::json::{IntoOwned, Map, Raw, Str};

use super::index::{Fields, Index, Kind, Line, Place};
use super::recover;

/// What a transcript says: the messages from the newest one back to the first, or to the last compaction.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    /// The messages, oldest first.
    pub(crate) entries: Vec<Entry>,
    /// What people call the conversation.
    pub(crate) title: Option<String>,
    /// How many lines of the file could not be read; they stay in it.
    pub(crate) bad_lines: usize,
    /// The ids of all lines of the file, also of those that are not part of the conversation any more.
    pub(crate) known: HashSet<String>,
    /// The line that last told what was spent.
    pub(crate) cost: Option<Raw<'static>>,
    /// The lists that the model kept when the conversation was last compacted.
    pub(crate) lists: Option<Raw<'static>>,
}

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    /// The line's id.
    pub(crate) uuid: String,
    /// Whose it is.
    pub(crate) role: Role,
    /// The message as it was written.
    pub(crate) message: Raw<'static>,
    /// The model's id of the message. Entries that share one are blocks of one answer.
    pub(crate) message_id: Option<String>,
    /// Not the user's words, but for the model.
    pub(crate) is_meta: bool,
    /// The summary that stands for what was compacted.
    pub(crate) is_compact_summary: bool,
    /// Says why there is no answer of the model; not for the model.
    pub(crate) is_api_error: bool,
    /// The structured result of a tool.
    pub(crate) tool_use_result: Option<Raw<'static>>,
    /// When it was written.
    pub(crate) timestamp: Option<String>,
}

/// Whose a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The user's, or a tool's result.
    User,
    /// The model's.
    Assistant,
}

/// The chain of a conversation's lines, oldest first, as numbers of lines in the index.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Chain {
    pub(super) lines: Vec<usize>,
    /// The line to which the next one is chained.
    pub(super) tip: Option<usize>,
}

impl Conversation {
    /// Reads the messages of a chain.
    pub(super) fn read(file: &File, index: &Index, chain: &Chain) -> io::Result<Self> {
        let mut entries = Vec::new();
        let mut lists = None;
        for line in chain.lines.iter().filter_map(|&number| index.lines.get(number)) {
            let role = match line.kind {
                Kind::User => Role::User,
                Kind::Assistant => Role::Assistant,
                Kind::Boundary => {
                    let bytes = bytes_of(file, line.place)?;
                    lists = Fields::of(&bytes).and_then(|fields| fields.lists.map(IntoOwned::into_owned));
                    continue;
                }
                Kind::Between => continue,
            };
            entries.extend(entry(role, &bytes_of(file, line.place)?));
        }
        let titles = [&index.custom_title, &index.ai_title, &index.summary];
        let title = titles.into_iter().flatten().next().cloned();
        let cost = index.cost.map(|place| bytes_of(file, place)).transpose()?;
        let cost = cost.and_then(|bytes| Some(Raw::parse(str::from_utf8(&bytes).ok()?).ok()?.into_owned()));
        let known = index.by_uuid.keys().map(|uuid| uuid.to_string()).collect();
        Ok(Conversation { entries, title, bad_lines: index.bad_lines, known, cost, lists })
    }
}

impl Chain {
    /// The chain to the newest line of the main conversation, or to the line `at`.
    pub(super) fn of(file: &File, index: &Index, at: Option<usize>) -> io::Result<Self> {
        let Some(leaf) = at.or_else(|| newest(index)) else { return Ok(Chain::default()) };
        let tip = if at.is_some() { leaf } else { last_after(index, leaf) };
        let mut lines = walk(index, tip, |line| line.kind == Kind::Boundary);
        if let Some(boundary) = lines.first().copied() {
            lines = with_preserved(file, index, boundary, lines)?;
        }
        Ok(Chain { lines: recover::parallel_calls(index, lines, at), tip: Some(tip) })
    }
}

/// The bytes of a line.
pub(super) fn bytes_of(file: &File, place: Place) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; place.length];
    file.read_exact_at(&mut bytes, place.offset)?;
    Ok(bytes)
}

fn entry(role: Role, bytes: &[u8]) -> Option<Entry> {
    let fields = Fields::of(bytes)?;
    let message_id = fields.message_id().map(Str::into_string);
    Some(Entry {
        uuid: fields.uuid?.into_string(),
        role,
        message: fields.message?.into_owned(),
        message_id,
        is_meta: fields.is_meta,
        is_compact_summary: fields.is_compact_summary,
        is_api_error: fields.is_api_error,
        tool_use_result: fields.tool_use_result.map(IntoOwned::into_owned),
        timestamp: fields.timestamp.map(Str::into_string),
    })
}

/// The newest line of the main conversation that counts as said.
fn newest(index: &Index) -> Option<usize> {
    index.lines.iter().rposition(|line| !line.is_sidechain && line.kind != Kind::Between)
}

/// The last of the lines that hang behind `leaf` without being messages, so that the next message is chained
/// to them.
fn last_after(index: &Index, leaf: usize) -> usize {
    let mut tip = leaf;
    for number in leaf + 1..index.lines.len() {
        if !index.lines[number].is_sidechain && parent(index, number) == Some(tip) {
            tip = number;
        }
    }
    tip
}

/// The lines from `from` back through their parents, oldest first, up to the first or one that ends it.
/// A parent that is not there, because its line is broken, is replaced by the line before: what was said
/// earlier must not be lost for it.
fn walk(index: &Index, from: usize, ends: impl Fn(&Line) -> bool) -> Vec<usize> {
    let mut lines = Vec::new();
    let mut seen = HashSet::new();
    let mut next = Some(from);
    while let Some(number) = next.filter(|&number| seen.insert(number)) {
        let line = &index.lines[number];
        lines.push(number);
        if ends(line) {
            break;
        }
        next = match &line.parent {
            None => None,
            Some(_) => parent(index, number)
                .or_else(|| index.lines[..number].iter().rposition(|before| !before.is_sidechain)),
        };
    }
    lines.reverse();
    lines
}

fn parent(index: &Index, number: usize) -> Option<usize> {
    index.by_uuid.get(index.lines[number].parent.as_deref()?).copied()
}

/// Puts the messages that a compaction kept word for word behind its summary, where they belong: in the
/// file they stand before the boundary.
fn with_preserved(file: &File, index: &Index, boundary: usize, chain: Vec<usize>) -> io::Result<Vec<usize>> {
    let line = &index.lines[boundary];
    if line.kind != Kind::Boundary {
        return Ok(chain);
    }
    let bytes = bytes_of(file, line.place)?;
    let metadata = Fields::of(&bytes).and_then(|fields| fields.compact_metadata.map(IntoOwned::into_owned));
    let Some((anchor, kept)) = metadata.and_then(|metadata| preserved(index, &metadata)) else {
        return Ok(chain);
    };
    let Some(position) = chain.iter().position(|&number| number == anchor) else { return Ok(chain) };
    let (before, after) = chain.split_at(position + 1);
    let kept = kept.into_iter().filter(|number| !chain.contains(number));
    Ok(before.iter().copied().chain(kept).chain(after.iter().copied()).collect())
}

/// The line behind which preserved messages belong, and those messages.
fn preserved(index: &Index, metadata: &Raw<'_>) -> Option<(usize, Vec<usize>)> {
    let metadata: Map<'_, Raw<'_>> = metadata.view()?;
    let number = |uuid: &str| index.by_uuid.get(uuid).copied();
    let text = |value: &Raw<'_>| value.view::<Str<'_>>().map(|text| text.to_string());
    if let Some(messages) = metadata.get("preservedMessages") {
        let messages: Map<'_, Raw<'_>> = messages.view()?;
        let uuids: Vec<Str<'_>> = messages.get("uuids")?.view()?;
        let anchor = number(&text(messages.get("anchorUuid")?)?)?;
        return Some((anchor, uuids.iter().filter_map(|uuid| number(uuid)).collect()));
    }
    let segment: Map<'_, Raw<'_>> = metadata.get("preservedSegment")?.view()?;
    let line = |key| number(&text(segment.get(key)?)?);
    let (head, anchor, tail) = (line("headUuid")?, line("anchorUuid")?, line("tailUuid")?);
    let first = index.lines[head].place.offset;
    Some((anchor, walk(index, tail, |line| line.place.offset == first)))
}
