use std::fs::File;
use std::path::{Path, PathBuf};

use aqueduct_wire::json::Raw;
use jiff::{SignedDuration, Timestamp};

use super::conversation::Chain;
use super::index::Index;
use super::log::Log;
use super::stamp::restamped;
use super::{AssistantLine, Conversation, Project, Stamp, SystemLine, TranscriptError, UserLine, fork};

/// A conversation that is being written: one line at a time, each with one write at the file's end, each
/// chained to the one before.
///
/// While it is open the file is locked for others of this program. The lock is the system's: it goes with
/// the process, however that ends.
#[derive(Debug)]
pub(crate) struct Transcript {
    stamp: Stamp,
    place: Place,
    /// The line that the next one is chained to.
    tip: Option<String>,
    /// The time of the newest line.
    latest: Timestamp,
}

/// Where lines go.
#[derive(Debug)]
enum Place {
    /// Nowhere: the user wants nothing kept.
    Nowhere,
    /// To a file that the first line makes.
    Planned(PathBuf),
    /// To a file.
    Open(Log),
}

impl Transcript {
    /// A new conversation. Its file is made with the first line.
    pub(crate) fn create(project: &Project, stamp: Stamp) -> Result<Self, TranscriptError> {
        let path = project.file(&stamp.session_id)?;
        if path.exists() {
            return Err(TranscriptError::AlreadyUsed { session_id: stamp.session_id });
        }
        Ok(Transcript { stamp, place: Place::Planned(path), tip: None, latest: Timestamp::MIN })
    }

    /// Goes on with a conversation: from its newest message, or from the message `at`.
    pub(crate) fn resume(
        project: &Project,
        stamp: Stamp,
        at: Option<&str>,
    ) -> Result<(Self, Conversation), TranscriptError> {
        let path = project.existing(&stamp.session_id)?;
        let read = |error| TranscriptError::Read { path: path.clone(), error };
        let mut log = Log::open(path.clone(), &stamp.session_id)?;
        let index = Index::read(log.file()).map_err(read)?;
        let chain = chain(&path, log.file(), &index, at)?;
        let conversation = Conversation::read(log.file(), &index, &chain).map_err(read)?;
        if conversation.entries.is_empty() {
            return Err(TranscriptError::NotFound { session_id: stamp.session_id });
        }
        log.end = index.end;
        let tip = chain.tip.and_then(|tip| uuid_of(&index, tip));
        let latest = latest(&conversation);
        Ok((Transcript { stamp, place: Place::Open(log), tip, latest }, conversation))
    }

    /// Branches off: a new conversation that begins with what the conversation `from` said, up to its newest
    /// message or the message `at`. The old file stays as it is.
    pub(crate) fn fork(
        project: &Project,
        from: &str,
        stamp: Stamp,
        at: Option<&str>,
    ) -> Result<(Self, Conversation), TranscriptError> {
        let source = project.existing(from)?;
        let target = project.file(&stamp.session_id)?;
        if target.exists() {
            return Err(TranscriptError::AlreadyUsed { session_id: stamp.session_id });
        }
        let read = |error| TranscriptError::Read { path: source.clone(), error };
        let old = File::open(&source).map_err(read)?;
        let index = Index::read(&old).map_err(read)?;
        let chain = chain(&source, &old, &index, at)?;
        let conversation = Conversation::read(&old, &index, &chain).map_err(read)?;
        if conversation.entries.is_empty() {
            return Err(TranscriptError::NotFound { session_id: from.to_owned() });
        }
        let log = Log::copy(target, &stamp.session_id, |out| {
            fork::copy(&old, &index, &chain, &stamp.session_id, out)
        })?;
        let tip = chain.tip.and_then(|tip| uuid_of(&index, tip));
        let latest = latest(&conversation);
        Ok((Transcript { stamp, place: Place::Open(log), tip, latest }, conversation))
    }

    /// A conversation that leaves nothing on the disk.
    pub(crate) fn unsaved(stamp: Stamp) -> Self {
        Transcript { stamp, place: Place::Nowhere, tip: None, latest: Timestamp::MIN }
    }

    /// What every line says.
    pub(crate) fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    /// The file, which may not be there yet; none where nothing is kept.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::Nowhere => None,
            Place::Planned(path) => Some(path),
            Place::Open(log) => Some(log.path()),
        }
    }

    /// The id of the newest line of the chain.
    pub(crate) fn tip(&self) -> Option<&str> {
        self.tip.as_deref()
    }

    /// Appends what the user said, or what a tool gave back.
    pub(crate) fn user(&mut self, line: &UserLine<'_>) -> Result<(), TranscriptError> {
        let now = self.now();
        let text = line.write(self.tip(), &self.stamp, now);
        self.chain(line.uuid, text)
    }

    /// Appends a block of the model's answer.
    pub(crate) fn assistant(&mut self, line: &AssistantLine<'_>) -> Result<(), TranscriptError> {
        let now = self.now();
        let text = line.write(self.tip(), &self.stamp, now);
        self.chain(line.uuid, text)
    }

    /// Appends something that happened to the conversation.
    pub(crate) fn system(&mut self, line: &SystemLine<'_>) -> Result<(), TranscriptError> {
        let now = self.now();
        let text = line.write(self.tip(), &self.stamp, now);
        self.chain(line.uuid, text)
    }

    /// Appends an object beside the chain, such as a title. The session's id is added where it has none.
    pub(crate) fn other(&mut self, object: &Raw<'_>) -> Result<(), TranscriptError> {
        let text = restamped(object.as_str(), &self.stamp.session_id).ok_or(TranscriptError::NotAnObject)?;
        self.append(text)
    }

    /// The time for the next line: later than any before. Older versions of the reference take the line
    /// with the latest time for the newest, so two must never share theirs.
    fn now(&mut self) -> Timestamp {
        let tick = SignedDuration::from_millis(1);
        let after = self.latest.saturating_add(tick).unwrap_or(self.latest);
        self.latest = Timestamp::now().max(after);
        self.latest
    }

    /// A line counts as the chain's newest only once it is written: one that failed is nobody's parent.
    fn chain(&mut self, uuid: &str, text: String) -> Result<(), TranscriptError> {
        self.append(text)?;
        self.tip = Some(uuid.to_owned());
        Ok(())
    }

    fn append(&mut self, text: String) -> Result<(), TranscriptError> {
        if let Place::Planned(path) = &self.place {
            self.place = Place::Open(Log::make(path.clone(), &self.stamp.session_id)?);
        }
        match &mut self.place {
            Place::Open(log) => log.append(text),
            Place::Nowhere | Place::Planned(_) => Ok(()),
        }
    }
}

fn chain(path: &Path, file: &File, index: &Index, at: Option<&str>) -> Result<Chain, TranscriptError> {
    let at = match at {
        None => None,
        Some(uuid) => {
            let found = index.by_uuid.get(uuid).copied().filter(|&number| !index.lines[number].is_sidechain);
            Some(found.ok_or_else(|| TranscriptError::NoSuchMessage { uuid: uuid.to_owned() })?)
        }
    };
    Chain::of(file, index, at).map_err(|error| TranscriptError::Read { path: path.to_owned(), error })
}

fn uuid_of(index: &Index, number: usize) -> Option<String> {
    index.by_uuid.iter().find(|(_, line)| **line == number).map(|(uuid, _)| uuid.to_string())
}

/// The latest time in a conversation.
fn latest(conversation: &Conversation) -> Timestamp {
    let times = conversation.entries.iter().filter_map(|entry| entry.timestamp.as_deref()?.parse().ok());
    times.max().unwrap_or(Timestamp::MIN)
}
