use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use aqueduct_wire::json::Raw;
use aqueduct_wire::transcript::{Chain, ChainSelection, CustomTitleLine, TranscriptIndex, TranscriptLine};
use aqueduct_wire::usage::Usage;
use jiff::{SignedDuration, Timestamp};

use super::log::{LogChange, TranscriptLog};
use super::slot::{OpenMessage, settled};
use super::stamp::restamped;
use super::tail_notes::{NoteOwner, TailNotes};
use super::{
    AssistantLine, Conversation, LineStamp, Mirror, Project, QueuedLine, SystemLine, TranscriptFileError,
    UserLine, fork,
};

/// A conversation that is being written: one line at a time, each with one write at the file's end, each
/// chained to the one before.
///
/// Others may write to the same file at any time: see [`TranscriptWriter::catch_up`].
#[derive(Debug)]
pub(crate) struct TranscriptWriter {
    stamp: LineStamp,
    pub(super) place: TranscriptTarget,
    /// The line that the next one is chained to.
    pub(super) tip: Option<String>,
    /// The time of the newest line.
    pub(super) latest: Timestamp,
    /// The title, the tag and the last prompt, which must stay near the file's end.
    pub(super) tail_notes: TailNotes,
    /// Where lines go besides.
    mirror: Option<Mirror>,
    /// The message of the model that has not ended yet.
    open: Option<OpenMessage>,
    /// Whether a turn runs.
    is_at_work: bool,
    /// Whether the next line begins a branch: others have continued from further back.
    pub(super) branches: bool,
    /// Whether this process has written a message.
    has_written: bool,
}

/// Where lines go.
#[derive(Debug)]
pub(super) enum TranscriptTarget {
    /// Nowhere: the user wants nothing kept.
    Nowhere,
    /// To a file that the first line makes.
    Planned(PathBuf),
    /// To a file.
    Open(TranscriptLog),
}

/// A place in a transcript that it can be taken back to.
#[derive(Debug)]
pub(crate) struct Savepoint {
    /// The file's length; `None` where there was no file.
    length: Option<u64>,
    tip: Option<String>,
    tail_notes: TailNotes,
}

impl TranscriptWriter {
    /// A new conversation. Its file is made with the first line.
    pub(crate) fn create(project: &Project, stamp: LineStamp) -> Result<Self, TranscriptFileError> {
        let path = project.file(&stamp.session_id)?;
        if path.exists() {
            return Err(TranscriptFileError::AlreadyUsed { session_id: stamp.session_id });
        }
        Ok(TranscriptWriter::new(stamp, TranscriptTarget::Planned(path)))
    }

    /// A new conversation beside a session's, in a file of its own. The file is made with the first line.
    pub(crate) fn beside(path: PathBuf, stamp: LineStamp) -> Self {
        TranscriptWriter::new(stamp, TranscriptTarget::Planned(path))
    }

    /// Continues a conversation beside a session's, from its newest message.
    pub(crate) fn resume_beside(
        path: PathBuf,
        stamp: LineStamp,
    ) -> Result<(Self, Conversation), TranscriptFileError> {
        let read = |error| TranscriptFileError::Read { path: path.clone(), error };
        let mut log = TranscriptLog::open(path.clone())?;
        let index = TranscriptIndex::read(log.file()).map_err(read)?;
        let chain = Chain::of(&index, &ChainSelection { sidechain: true, ..ChainSelection::default() });
        let conversation = Conversation::read(log.file(), &index, &chain).map_err(read)?;
        log.end = index.end;
        let transcript =
            TranscriptWriter::new(stamp, TranscriptTarget::Open(log)).behind(&index, &chain, &conversation);
        Ok((transcript, conversation))
    }

    /// Resumes a conversation from its newest message, or from the message `at`.
    pub(crate) fn resume(
        project: &Project,
        stamp: LineStamp,
        at: Option<&str>,
    ) -> Result<(Self, Conversation), TranscriptFileError> {
        let path = project.existing(&stamp.session_id)?;
        let mut log = TranscriptLog::open(path.clone())?;
        let (index, chain, conversation) = read_conversation(&path, log.file(), &stamp.session_id, at)?;
        log.end = index.end;
        let read = |error| TranscriptFileError::Read { path: path.clone(), error };
        let tail_notes = TailNotes::of(&index, log.file()).map_err(read)?;
        let branches = at.is_some();
        let transcript = TranscriptWriter {
            tail_notes,
            branches,
            ..TranscriptWriter::new(stamp, TranscriptTarget::Open(log))
        };
        Ok((transcript.behind(&index, &chain, &conversation), conversation))
    }

    /// Forks a conversation: the new one begins with the messages of `from`, up to its newest message or the message
    /// `at`. The old file stays as it is.
    pub(crate) fn fork(
        project: &Project,
        from: &str,
        stamp: LineStamp,
        at: Option<&str>,
    ) -> Result<(Self, Conversation), TranscriptFileError> {
        let source = project.existing(from)?;
        let target = project.file(&stamp.session_id)?;
        if target.exists() {
            return Err(TranscriptFileError::AlreadyUsed { session_id: stamp.session_id });
        }
        let read = |error| TranscriptFileError::Read { path: source.clone(), error };
        let old = File::open(&source).map_err(read)?;
        let (index, chain, conversation) = read_conversation(&source, &old, from, at)?;
        let log = TranscriptLog::copy(target, &stamp.session_id, |out| {
            fork::copy(&old, &index, &chain, &stamp.session_id, out)
        })?;
        let mut transcript =
            TranscriptWriter::new(stamp, TranscriptTarget::Open(log)).behind(&index, &chain, &conversation);
        if let Some(title) = &index.custom_title {
            transcript.name(title)?;
        }
        Ok((transcript, conversation))
    }

    /// A conversation that is not written to disk.
    pub(crate) fn unsaved(stamp: LineStamp) -> Self {
        TranscriptWriter::new(stamp, TranscriptTarget::Nowhere)
    }

    /// Resumes the conversation `from` without writing anything to disk.
    pub(crate) fn resume_unsaved(
        project: &Project,
        from: &str,
        stamp: LineStamp,
        at: Option<&str>,
    ) -> Result<(Self, Conversation), TranscriptFileError> {
        let path = project.existing(from)?;
        let read = |error| TranscriptFileError::Read { path: path.clone(), error };
        let file = File::open(&path).map_err(read)?;
        let (_, _, conversation) = read_conversation(&path, &file, from, at)?;
        Ok((TranscriptWriter::unsaved(stamp), conversation))
    }

    fn new(stamp: LineStamp, place: TranscriptTarget) -> Self {
        TranscriptWriter {
            stamp,
            place,
            tip: None,
            latest: Timestamp::MIN,
            tail_notes: TailNotes::default(),
            mirror: None,
            open: None,
            is_at_work: false,
            branches: false,
            has_written: false,
        }
    }

    fn behind(self, index: &TranscriptIndex, chain: &Chain, conversation: &Conversation) -> Self {
        let tip = chain.tip.map(|tip| index.entries[tip].uuid.to_string());
        TranscriptWriter { tip, latest: latest(conversation), ..self }
    }

    /// Sends lines to a mirror too, from now on; of a file that was made by branching off, the lines that it
    /// began with as well.
    pub(crate) fn mirror_to(
        &mut self,
        mirror: Mirror,
        from_the_start: bool,
    ) -> Result<(), TranscriptFileError> {
        if let TranscriptTarget::Open(log) = &self.place
            && from_the_start
        {
            let read = |error| TranscriptFileError::Read { path: log.path().to_owned(), error };
            let text = std::fs::read_to_string(log.path()).map_err(read)?;
            text.lines().for_each(|line| mirror.note(log.path(), line.to_owned()));
        }
        self.mirror(mirror);
        Ok(())
    }

    /// Sends lines to a mirror too, from now on.
    pub(crate) fn mirror(&mut self, mirror: Mirror) {
        self.mirror = Some(mirror);
    }

    /// The stamp of every line.
    pub(crate) fn stamp(&self) -> &LineStamp {
        &self.stamp
    }

    /// The id of the newest line of the chain.
    pub(crate) fn tip(&self) -> Option<&str> {
        self.tip.as_deref()
    }

    /// The transcript as it is now, to come back to.
    pub(crate) fn savepoint(&self) -> Savepoint {
        let length = match &self.place {
            TranscriptTarget::Open(log) => Some(log.length()),
            TranscriptTarget::Planned(_) | TranscriptTarget::Nowhere => None,
        };
        Savepoint { length, tip: self.tip.clone(), tail_notes: self.tail_notes.clone() }
    }

    /// Removes what was written since the savepoint from the conversation, and from the file where this process
    /// alone has written to it since.
    pub(crate) fn roll_back(&mut self, to: Savepoint) {
        self.tip = to.tip;
        self.tail_notes = to.tail_notes;
        if let Some(mut open) = self.open.take() {
            open.held.clear();
        }
        let TranscriptTarget::Open(log) = &mut self.place else { return };
        log.truncate(to.length.unwrap_or(0));
        if to.length.is_none() && log.length() == 0 {
            log.remove_if_empty();
            self.place = TranscriptTarget::Planned(log.path().to_owned());
        }
    }

    /// Appends a prompt of the user or the result of a tool.
    pub(crate) fn user(&mut self, line: &UserLine<'_>) -> Result<(), TranscriptFileError> {
        let now = self.now();
        let text = line.write(self.tip(), &self.stamp, now);
        self.chain(line.uuid, text)
    }

    /// Appends a block of the model's answer. Of a message that has not ended, the line is completed by
    /// [`TranscriptWriter::settle`].
    pub(crate) fn assistant(&mut self, line: &AssistantLine<'_>) -> Result<(), TranscriptFileError> {
        let now = self.now();
        let (text, slot) = line.write(self.tip(), &self.stamp, now);
        if self.open.as_ref().map(|open| open.id.as_str()) != line.open_message {
            self.open = line.open_message.map(|id| OpenMessage::new(id, self.mirror.clone()));
        }
        self.append(text, slot)?;
        self.tip = Some(line.uuid.to_owned());
        Ok(())
    }

    /// Completes the lines of the message that ends: why it did, and what it used. Where that can't be written,
    /// the lines stay as they are.
    pub(crate) fn settle(&mut self, reason: Option<&str>, usage: &Usage<'_>) {
        let (Some(open), TranscriptTarget::Open(log)) = (&mut self.open, &self.place) else { return };
        for (slot, line) in &mut open.slots {
            let Some(text) = settled(reason, usage, slot.text.len()) else { continue };
            let before = slot.text.clone();
            if !log.fill(slot, text).unwrap_or(false) {
                continue;
            }
            if let Some((_, line)) = line.and_then(|line| open.held.get_mut(line)) {
                *line = line.replacen(&before, &slot.text, 1);
            }
        }
        open.release();
    }

    /// Ends the message of the model that has not ended, if there is one: nothing more comes of it.
    pub(crate) fn close_message(&mut self) {
        self.open = None;
    }

    /// Marks the conversation as being worked on, for programs that look whether it is.
    pub(crate) fn begin_work(&mut self) {
        self.is_at_work = true;
        if let TranscriptTarget::Open(log) = &mut self.place {
            log.begin_work();
        }
    }

    /// Removes the mark of [`TranscriptWriter::begin_work`].
    pub(crate) fn end_work(&mut self) {
        self.is_at_work = false;
        self.close_message();
        if let TranscriptTarget::Open(log) = &mut self.place {
            log.end_work();
        }
    }

    /// Appends something that happened to the conversation.
    pub(crate) fn system(&mut self, line: &SystemLine<'_>) -> Result<(), TranscriptFileError> {
        let now = self.now();
        let text = line.write(self.tip(), &self.stamp, now);
        self.chain(line.uuid, text)
    }

    /// Appends a prompt that a turn took in while it ran.
    pub(crate) fn queued(&mut self, line: &QueuedLine<'_>) -> Result<(), TranscriptFileError> {
        let now = self.now();
        let text = line.write(self.tip(), &self.stamp, now);
        self.chain(line.uuid, text)
    }

    /// Gives the conversation a title, for lists of conversations.
    pub(crate) fn name(&mut self, title: &str) -> Result<(), TranscriptFileError> {
        let mut line = CustomTitleLine::new(title);
        line.session_id = Some(self.stamp.session_id.as_str().into());
        self.append(TranscriptLine::CustomTitle(line).to_line(), None)
    }

    /// Records the last prompt of the user, for [`TranscriptWriter::note_prompt`].
    pub(crate) fn prompted(&mut self, prompt: String) {
        self.tail_notes.prompted(prompt);
    }

    /// Writes the last prompt of the user and the newest line of the conversation: a process that resumes it
    /// continues from there, regardless of the branches of other processes.
    pub(crate) fn note_prompt(&mut self) -> Result<(), TranscriptFileError> {
        self.branches = false;
        let of = NoteOwner { session_id: &self.stamp.session_id, tip: self.tip.as_deref() };
        self.append(self.tail_notes.last_prompt(of), None)
    }

    /// Ends the work of this process and makes its newest line the current one, even if other processes wrote since.
    pub(crate) fn end(&mut self) {
        let has_changed = match &self.place {
            TranscriptTarget::Open(log) => matches!(log.change(), Ok(LogChange::Appended { .. })),
            TranscriptTarget::Planned(_) | TranscriptTarget::Nowhere => false,
        };
        if has_changed && self.has_written {
            // If the write fails, the line that another process recorded stays the current one.
            let _ = self.note_prompt();
        }
    }

    /// Appends an object beside the chain, such as a title. The session's id is added where it has none.
    pub(crate) fn other(&mut self, object: &Raw<'_>) -> Result<(), TranscriptFileError> {
        let text =
            restamped(object.as_str(), &self.stamp.session_id).ok_or(TranscriptFileError::NotAnObject)?;
        self.append(text, None)
    }

    /// The time for the next line: later than any before. Older versions of the reference take the line
    /// with the latest time for the newest, so two must never share theirs.
    fn now(&mut self) -> Timestamp {
        let tick = SignedDuration::from_millis(1);
        let after = self.latest.saturating_add(tick).unwrap_or(self.latest);
        self.latest = Timestamp::now().max(after);
        self.latest
    }

    /// A line becomes the newest of the chain only once it is written: a failed line is never a parent.
    fn chain(&mut self, uuid: &str, text: String) -> Result<(), TranscriptFileError> {
        self.append(text, None)?;
        self.tip = Some(uuid.to_owned());
        self.has_written = true;
        match self.branches {
            true => self.note_prompt(),
            false => Ok(()),
        }
    }

    fn append(&mut self, text: String, slot: Option<Range<usize>>) -> Result<(), TranscriptFileError> {
        if let TranscriptTarget::Planned(path) = &self.place {
            let mut log = TranscriptLog::make(path.clone(), &self.stamp.session_id)?;
            if self.is_at_work {
                log.begin_work();
            }
            self.place = TranscriptTarget::Open(log);
        }
        if matches!(self.place, TranscriptTarget::Nowhere) {
            return Ok(());
        }
        let length = text.len();
        self.write(text, slot)?;
        let TranscriptTarget::Open(log) = &self.place else { return Ok(()) };
        let of = NoteOwner { session_id: &self.stamp.session_id, tip: self.tip.as_deref() };
        let again = self.tail_notes.after(log.file(), length, of);
        let again =
            again.map_err(|error| TranscriptFileError::Read { path: log.path().to_owned(), error })?;
        again.into_iter().try_for_each(|note| self.write(note, None))
    }

    /// Appends a line, and sends it to the mirror once it is complete.
    fn write(&mut self, text: String, slot: Option<Range<usize>>) -> Result<(), TranscriptFileError> {
        let TranscriptTarget::Open(log) = &mut self.place else { return Ok(()) };
        let copy = self.mirror.as_ref().map(|_| text.clone());
        let slot = log.append(text, slot)?;
        match (&mut self.open, copy) {
            (Some(open), copy) if slot.is_some() || !open.held.is_empty() => {
                let line = copy.map(|copy| {
                    open.held.push((log.path().to_owned(), copy));
                    open.held.len() - 1
                });
                open.slots.extend(slot.map(|slot| (slot, line)));
            }
            (_, Some(copy)) => {
                if let Some(mirror) = &self.mirror {
                    mirror.note(log.path(), copy);
                }
            }
            _ => (),
        }
        Ok(())
    }
}

/// The contents of a file, up to its newest message or the message `at`.
fn read_conversation(
    path: &Path,
    file: &File,
    session_id: &str,
    at: Option<&str>,
) -> Result<(TranscriptIndex, Chain, Conversation), TranscriptFileError> {
    let read = |error| TranscriptFileError::Read { path: path.to_owned(), error };
    let index = TranscriptIndex::read(file).map_err(read)?;
    let chain = chain(&index, at)?;
    let conversation = Conversation::read(file, &index, &chain).map_err(read)?;
    if conversation.entries.is_empty() {
        return Err(TranscriptFileError::NotFound { session_id: session_id.to_owned() });
    }
    Ok((index, chain, conversation))
}

fn chain(index: &TranscriptIndex, at: Option<&str>) -> Result<Chain, TranscriptFileError> {
    let until = match at {
        None => None,
        Some(uuid) => {
            let found = index.find(uuid).filter(|&number| !index.entries[number].is_sidechain);
            Some(found.ok_or_else(|| TranscriptFileError::NoSuchMessage { uuid: uuid.to_owned() })?)
        }
    };
    Ok(Chain::of(index, &ChainSelection { until, ..ChainSelection::default() }))
}

/// The latest time in a conversation.
pub(super) fn latest(conversation: &Conversation) -> Timestamp {
    let times = conversation.entries.iter().filter_map(|entry| entry.timestamp.as_deref()?.parse().ok());
    times.max().unwrap_or(Timestamp::MIN)
}
