use std::collections::{HashMap, HashSet};
use std::io::{self, Read};
use std::sync::Arc;

use thiserror::Error;

use super::{
    Attachment, Chained, CompactionNote, FileEnd, LineSpan, Link, RawLine, SystemLine, TranscriptLine,
    each_line, line_text,
};
use crate::json::{ParseError, Str};

/// How many broken lines are named; the others are counted.
const NAMED: usize = 100;

/// Where the lines of a transcript are and their links, without their content: a first look that
/// costs little memory whatever the file's size.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct TranscriptIndex {
    /// The lines that hang in a chain, in the order of the file.
    pub entries: Vec<ChainEntry>,
    /// Which line has an id; of several the last.
    pub by_uuid: HashMap<Arc<str>, usize>,
    /// The title that the user gave.
    pub custom_title: Option<String>,
    /// The title that a model gave.
    pub ai_title: Option<String>,
    /// The summary that older versions wrote.
    pub summary: Option<String>,
    /// The user's mark; empty where it was taken away.
    pub tag: Option<String>,
    /// The line that a process last left the conversation at: of several branches, the one to continue.
    pub leaf: Option<String>,
    /// Where the last line with the cost so far is.
    pub cost: Option<LineSpan>,
    /// How many lines could not be read.
    pub broken_lines: usize,
    /// The first of them.
    pub broken: Vec<BrokenLine>,
    /// How the file ends.
    pub end: FileEnd,
}

/// A line that hangs in a chain.
#[derive(Debug)]
#[non_exhaustive]
pub struct ChainEntry {
    /// Where it is.
    pub place: LineSpan,
    /// What it is in the conversation.
    pub kind: ChainEntryKind,
    /// Its id.
    pub uuid: Arc<str>,
    /// The line that it follows.
    pub parent: Option<Box<str>>,
    /// Of a boundary: the line before it.
    pub logical_parent: Option<Box<str>>,
    /// A subagent's, or of a team of agents.
    pub is_sidechain: bool,
    /// Written again later under the same id: that one counts.
    pub is_superseded: bool,
    /// A `user` line with the result of a tool.
    pub is_tool_result: bool,
    /// The assistant line whose call a tool's result answers.
    pub source: Option<Box<str>>,
    /// The model's id of the message, which lines of one answer share.
    pub message_id: Option<Box<str>>,
    /// Of a boundary: what was kept word for word.
    pub(super) kept: Option<Box<KeptSpan>>,
}

/// The messages that a compaction kept word for word.
#[derive(Debug)]
pub(super) struct KeptSpan {
    /// The line behind which they belong.
    pub(super) anchor: Box<str>,
    pub(super) which: KeptSelection,
}

/// Which messages were kept.
#[derive(Debug)]
pub(super) enum KeptSelection {
    /// These.
    Listed(Vec<Box<str>>),
    /// Those from head to tail.
    Run { head: Box<str>, tail: Box<str> },
}

/// What a line is in the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChainEntryKind {
    /// A message of the user, or a tool's result.
    User,
    /// A message of the model.
    Assistant,
    /// An input of the user while the model was at work.
    Queued,
    /// The place where a compaction cut the conversation.
    Boundary,
    /// What a slash command printed. It is not a message, but the model sees it.
    Printed,
    /// Progress of a subagent. Older versions chained it, and sometimes used it as a parent.
    Progress,
    /// Anything else that hangs in the chain without being a message.
    Between,
}

/// A line that can't be read. It stays in its file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {number} can't be read: {fault}")]
pub struct BrokenLine {
    /// The line's number, from 1.
    pub number: u64,
    /// Where it is.
    pub place: LineSpan,
    /// What is wrong with it.
    pub fault: LineFault,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineFault {
    /// It is not a JSON object.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// It is past the wire's limit.
    #[error("it is too long")]
    TooLong,
}

impl TranscriptIndex {
    /// Looks through a file.
    pub fn read(input: impl Read) -> io::Result<Self> {
        let mut index = TranscriptIndex::default();
        let mut last = FileEnd::Closed;
        let is_open = each_line(input, |piece| {
            last = if index.add(piece) { FileEnd::Open } else { FileEnd::Torn { from: piece.place.offset } };
            true
        })?;
        index.end = if is_open { last } else { FileEnd::Closed };
        Ok(index)
    }

    /// The line that an entry's id names.
    pub fn find(&self, uuid: &str) -> Option<usize> {
        self.by_uuid.get(uuid).copied()
    }

    /// The newest line that continues from an entry of the main conversation, over any number of steps and over
    /// compactions; the entry itself where none does. A line whose parent is not in the file continues from the
    /// line before it. Lines of subagents don't count.
    pub fn newest_from(&self, entry: usize) -> usize {
        let mut continued: HashSet<usize> = HashSet::from([entry]);
        let mut newest = entry;
        let mut before = Some(entry);
        for (number, next) in self.entries.iter().enumerate().skip(entry + 1) {
            if next.is_sidechain || next.is_superseded {
                continue;
            }
            let parent = next.parent.as_deref().or(next.logical_parent.as_deref());
            let parent = parent.and_then(|parent| self.find(parent).or(before));
            if parent.is_some_and(|parent| continued.contains(&parent)) {
                continued.insert(number);
                newest = number;
            }
            before = Some(number);
        }
        newest
    }

    /// The title of the conversation, unless it follows from its messages.
    pub fn title(&self) -> Option<&str> {
        let titles = [&self.custom_title, &self.ai_title, &self.summary];
        titles.into_iter().flatten().map(String::as_str).find(|title| !title.is_empty())
    }

    /// The line that an entry follows.
    pub(super) fn parent(&self, number: usize) -> Option<usize> {
        self.find(self.entries[number].parent.as_deref()?)
    }

    /// Adds the file's next line: whether it could be read.
    fn add(&mut self, piece: RawLine<'_>) -> bool {
        if piece.bytes.is_some_and(|bytes| bytes.trim_ascii().is_empty()) {
            return true;
        }
        let line = piece
            .bytes
            .ok_or(LineFault::TooLong)
            .and_then(|bytes| Ok(TranscriptLine::parse(line_text(bytes)?)?));
        match line {
            Ok(line) => self.add_line(piece.place, &line),
            Err(fault) => {
                self.broken_lines += 1;
                if self.broken.len() < NAMED {
                    self.broken.push(BrokenLine { number: piece.number, place: piece.place, fault });
                }
                return false;
            }
        }
        true
    }

    fn add_line(&mut self, place: LineSpan, line: &TranscriptLine<'_>) {
        match line {
            TranscriptLine::CustomTitle(note) => self.custom_title = Some(note.custom_title.to_string()),
            TranscriptLine::AiTitle(note) => self.ai_title = Some(note.ai_title.to_string()),
            TranscriptLine::Summary(note) => self.summary = Some(note.summary.to_string()),
            TranscriptLine::Tag(note) => self.tag = Some(note.tag.to_string()),
            TranscriptLine::LastPrompt(note) => {
                self.leaf = note.leaf_uuid.as_ref().map(|leaf| leaf.to_string()).or(self.leaf.take());
            }
            TranscriptLine::CostState(_) => self.cost = Some(place),
            TranscriptLine::Unknown(unknown) => {
                if let Some(link) = unknown.raw.view::<Link<'_>>() {
                    self.add_entry(place, &link, ChainEntryKind::Between);
                }
            }
            _ => {}
        }
        let Some(chained) = line.chained() else { return };
        let Some(entry) = self.add_entry(place, chained, ChainEntryKind::of(line)) else { return };
        match line {
            TranscriptLine::User(line) if line.has_message() => {
                entry.is_tool_result = line.is_tool_result();
                entry.source = line.source_tool_assistant_uuid.as_deref().map(Box::from);
            }
            TranscriptLine::Assistant(line) => {
                entry.message_id = line.message_id().map(|id| id.as_str().into());
            }
            TranscriptLine::System(line) if line.is_boundary() => {
                entry.logical_parent = line.logical_parent_uuid.as_deref().map(Box::from);
                entry.kept = line.compact_metadata.as_deref().and_then(kept).map(Box::new);
            }
            _ => {}
        }
    }

    fn add_entry(
        &mut self,
        place: LineSpan,
        line: &dyn Chained,
        kind: ChainEntryKind,
    ) -> Option<&mut ChainEntry> {
        let uuid: Arc<str> = line.uuid()?.into();
        if let Some(before) = self.by_uuid.insert(uuid.clone(), self.entries.len()) {
            self.entries[before].is_superseded = true;
        }
        self.entries.push(ChainEntry {
            place,
            kind,
            uuid,
            parent: line.parent_uuid().map(Box::from),
            logical_parent: None,
            is_sidechain: line.is_sidechain() || line.team_name().is_some(),
            is_superseded: false,
            is_tool_result: false,
            source: None,
            message_id: None,
            kept: None,
        });
        self.entries.last_mut()
    }
}

impl ChainEntryKind {
    /// Whether it is a message, or represents messages.
    pub fn is_said(self) -> bool {
        !matches!(self, ChainEntryKind::Printed | ChainEntryKind::Progress | ChainEntryKind::Between)
    }

    /// What a line is in the conversation.
    pub fn of(line: &TranscriptLine<'_>) -> Self {
        match line {
            TranscriptLine::User(line) if line.has_message() => ChainEntryKind::User,
            TranscriptLine::Assistant(line) if line.has_message() => ChainEntryKind::Assistant,
            TranscriptLine::System(line) if line.is_boundary() => ChainEntryKind::Boundary,
            TranscriptLine::System(line) if line.subtype == SystemLine::LOCAL_COMMAND => {
                ChainEntryKind::Printed
            }
            TranscriptLine::Attachment(line) if matches!(line.attachment, Attachment::QueuedCommand(_)) => {
                ChainEntryKind::Queued
            }
            TranscriptLine::Progress(_) => ChainEntryKind::Progress,
            _ => ChainEntryKind::Between,
        }
    }
}

fn kept(note: &CompactionNote<'_>) -> Option<KeptSpan> {
    let boxed = |uuid: &Str<'_>| Box::from(uuid.as_str());
    if let Some(messages) = &note.preserved_messages {
        let anchor = boxed(messages.anchor_uuid.as_ref()?);
        return Some(KeptSpan {
            anchor,
            which: KeptSelection::Listed(messages.uuids.iter().flatten().map(boxed).collect()),
        });
    }
    let segment = note.preserved_segment.as_ref()?;
    let which = KeptSelection::Run {
        head: boxed(segment.head_uuid.as_ref()?),
        tail: boxed(segment.tail_uuid.as_ref()?),
    };
    Some(KeptSpan { anchor: boxed(segment.anchor_uuid.as_ref()?), which })
}
