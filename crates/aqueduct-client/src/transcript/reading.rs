use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use aqueduct_wire::transcript::{
    BrokenLine, Chain, ChainEntry, ChainEntryKind, ChainSelection, LineSpan, TranscriptIndex, line_text,
};

use super::TranscriptError;
use super::message::Message;

/// How much of a conversation is wanted.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Only what the model still sees: the messages since the last compaction, with its summary.
    pub since_compaction: bool,
    /// Up to this message, that included.
    pub until: Option<String>,
}

impl ReadOptions {
    /// Only what the model still sees.
    pub fn since_compaction() -> Self {
        ReadOptions { since_compaction: true, until: None }
    }

    /// All up to a message.
    pub fn until(uuid: impl Into<String>) -> Self {
        ReadOptions { since_compaction: false, until: Some(uuid.into()) }
    }
}

/// A stored conversation: the chain of messages that leads to the newest one. The file is looked through once;
/// the content of messages is read on demand.
#[derive(Debug)]
pub struct Transcript {
    file: File,
    path: PathBuf,
    pub(super) index: TranscriptIndex,
    pub(super) chain: Chain,
    /// The entries of the chain that are messages.
    shown: Vec<usize>,
    /// Whether it is less than the whole conversation.
    is_part: bool,
}

impl Transcript {
    /// Looks through a session's file.
    pub(super) fn read(
        file: File,
        path: PathBuf,
        session: &str,
        options: &ReadOptions,
    ) -> Result<Self, TranscriptError> {
        let index = TranscriptIndex::read(&file).map_err(TranscriptError::read(&path))?;
        let until = match &options.until {
            None => None,
            Some(uuid) => {
                let found = index.find(uuid).filter(|&number| !index.entries[number].is_sidechain);
                Some(found.ok_or_else(|| TranscriptError::NoSuchMessage {
                    session: session.to_owned(),
                    uuid: uuid.clone(),
                })?)
            }
        };
        let chain =
            Chain::of(&index, &ChainSelection { until, whole: !options.since_compaction, sidechain: false });
        let is_part = options.since_compaction || options.until.is_some();
        Ok(Transcript { is_part, ..Transcript::along(file, path, index, chain) })
    }

    /// Looks through the file of a subagent.
    pub(super) fn read_subagent(file: File, path: PathBuf) -> Result<Self, TranscriptError> {
        let index = TranscriptIndex::read(&file).map_err(TranscriptError::read(&path))?;
        let mut chain = Chain::of(&index, &ChainSelection { sidechain: true, ..ChainSelection::default() });
        if chain.entries.is_empty() {
            chain = Chain::newest(&index);
        }
        Ok(Transcript::along(file, path, index, chain))
    }

    fn along(file: File, path: PathBuf, index: TranscriptIndex, chain: Chain) -> Self {
        let is_message = |number: &usize| index.entries[*number].kind.is_said();
        let shown = chain.entries.iter().copied().filter(is_message).collect();
        Transcript { file, path, index, chain, shown, is_part: false }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many messages there are. Places where the conversation was compacted count.
    pub fn len(&self) -> usize {
        self.shown.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// Whether only a part of the conversation was asked for.
    pub fn is_part(&self) -> bool {
        self.is_part
    }

    /// A page of messages, oldest first.
    pub fn page(&self, offset: usize, limit: usize) -> Result<Vec<Message>, TranscriptError> {
        let numbers = self.shown.iter().skip(offset).take(limit);
        numbers.map(|&number| self.message(number)).collect()
    }

    /// All messages, oldest first, each read when it is asked for.
    pub fn messages(&self) -> impl ExactSizeIterator<Item = Result<Message, TranscriptError>> {
        self.shown.iter().map(|&number| self.message(number))
    }

    /// How many lines of the file can't be read.
    pub fn broken_lines(&self) -> usize {
        self.index.broken_lines
    }

    /// The first of the lines that can't be read.
    pub fn broken(&self) -> &[BrokenLine] {
        &self.index.broken
    }

    /// How many messages of the main conversation are not on the way to the newest one: the user went back and
    /// took another way, or the program lost the thread. They stay in the file.
    pub fn messages_beside(&self) -> usize {
        let is_main = |entry: &&ChainEntry| {
            !entry.is_sidechain
                && !entry.is_superseded
                && matches!(entry.kind, ChainEntryKind::User | ChainEntryKind::Assistant)
        };
        let on_chain = |&&number: &&usize| is_main(&&self.index.entries[number]);
        self.index.entries.iter().filter(is_main).count() - self.chain.entries.iter().filter(on_chain).count()
    }

    /// The chains of subagents in the same file, as early versions wrote them.
    pub(super) fn sidechains(&self) -> Vec<Vec<usize>> {
        let chains = Chain::sidechains(&self.index);
        chains.into_iter().map(|chain| chain.entries).collect()
    }

    /// The message at an entry of the index.
    pub(super) fn message(&self, number: usize) -> Result<Message, TranscriptError> {
        let entry = &self.index.entries[number];
        Ok(Message::new(&entry.uuid, entry.kind, self.line(entry.place)?))
    }

    /// The text of a line.
    pub(super) fn line(&self, place: LineSpan) -> Result<String, TranscriptError> {
        let read = || -> io::Result<String> {
            let mut bytes = vec![0; usize::try_from(place.length).map_err(io::Error::other)?];
            self.file.read_exact_at(&mut bytes, place.offset)?;
            Ok(line_text(&bytes).map_err(io::Error::other)?.trim_end().to_owned())
        };
        read().map_err(TranscriptError::read(&self.path))
    }
}
