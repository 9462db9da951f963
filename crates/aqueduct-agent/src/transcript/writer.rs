use std::fs::File;
use std::path::{Path, PathBuf};

use aqueduct_wire::json::Raw;
use aqueduct_wire::transcript::{Chain, CustomTitleLine, Index, Route, TranscriptLine};
use jiff::{SignedDuration, Timestamp};

use super::log::Log;
use super::sight::Sight;
use super::stamp::restamped;
use super::{
    AssistantLine, Conversation, Mirror, Project, Stamp, SystemLine, TranscriptError, UserLine, fork,
};

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
    /// The title and the tag, which must stay near the file's end.
    sight: Sight,
    /// Where lines go besides.
    mirror: Option<Mirror>,
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

/// A place in a transcript that it can be taken back to.
#[derive(Debug)]
pub(crate) struct Savepoint {
    /// The file's length; `None` where there was no file.
    length: Option<u64>,
    tip: Option<String>,
    sight: Sight,
}

impl Transcript {
    /// A new conversation. Its file is made with the first line.
    pub(crate) fn create(project: &Project, stamp: Stamp) -> Result<Self, TranscriptError> {
        let path = project.file(&stamp.session_id)?;
        if path.exists() {
            return Err(TranscriptError::AlreadyUsed { session_id: stamp.session_id });
        }
        Ok(Transcript::new(stamp, Place::Planned(path)))
    }

    /// A new conversation beside a session's, in a file of its own. The file is made with the first line.
    pub(crate) fn beside(path: PathBuf, stamp: Stamp) -> Self {
        Transcript::new(stamp, Place::Planned(path))
    }

    /// Continues a conversation beside a session's, from its newest message.
    pub(crate) fn resume_beside(
        path: PathBuf,
        stamp: Stamp,
    ) -> Result<(Self, Conversation), TranscriptError> {
        let read = |error| TranscriptError::Read { path: path.clone(), error };
        let mut log = Log::open(path.clone(), &stamp.session_id)?;
        let index = Index::read(log.file()).map_err(read)?;
        let chain = Chain::of(&index, &Route { sidechain: true, ..Route::default() });
        let conversation = Conversation::read(log.file(), &index, &chain).map_err(read)?;
        log.end = index.end;
        let transcript = Transcript::new(stamp, Place::Open(log)).behind(&index, &chain, &conversation);
        Ok((transcript, conversation))
    }

    /// Goes on with a conversation: from its newest message, or from the message `at`.
    pub(crate) fn resume(
        project: &Project,
        stamp: Stamp,
        at: Option<&str>,
    ) -> Result<(Self, Conversation), TranscriptError> {
        let path = project.existing(&stamp.session_id)?;
        let mut log = Log::open(path.clone(), &stamp.session_id)?;
        let (index, chain, conversation) = said(&path, log.file(), &stamp.session_id, at)?;
        log.end = index.end;
        let read = |error| TranscriptError::Read { path: path.clone(), error };
        let sight = Sight::of(&index, log.file()).map_err(read)?;
        let transcript = Transcript { sight, ..Transcript::new(stamp, Place::Open(log)) };
        Ok((transcript.behind(&index, &chain, &conversation), conversation))
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
        let (index, chain, conversation) = said(&source, &old, from, at)?;
        let log = Log::copy(target, &stamp.session_id, |out| {
            fork::copy(&old, &index, &chain, &stamp.session_id, out)
        })?;
        let mut transcript = Transcript::new(stamp, Place::Open(log)).behind(&index, &chain, &conversation);
        if let Some(title) = &index.custom_title {
            transcript.name(title)?;
        }
        Ok((transcript, conversation))
    }

    /// A conversation that leaves nothing on the disk.
    pub(crate) fn unsaved(stamp: Stamp) -> Self {
        Transcript::new(stamp, Place::Nowhere)
    }

    /// What the conversation `from` said, to go on without leaving anything on the disk.
    pub(crate) fn resume_unsaved(
        project: &Project,
        from: &str,
        stamp: Stamp,
        at: Option<&str>,
    ) -> Result<(Self, Conversation), TranscriptError> {
        let path = project.existing(from)?;
        let read = |error| TranscriptError::Read { path: path.clone(), error };
        let file = File::open(&path).map_err(read)?;
        let (_, _, conversation) = said(&path, &file, from, at)?;
        Ok((Transcript::unsaved(stamp), conversation))
    }

    fn new(stamp: Stamp, place: Place) -> Self {
        Transcript { stamp, place, tip: None, latest: Timestamp::MIN, sight: Sight::default(), mirror: None }
    }

    fn behind(self, index: &Index, chain: &Chain, conversation: &Conversation) -> Self {
        let tip = chain.tip.map(|tip| index.entries[tip].uuid.to_string());
        Transcript { tip, latest: latest(conversation), ..self }
    }

    /// Sends lines to a mirror too, from now on; of a file that was made by branching off, the lines that it
    /// began with as well.
    pub(crate) fn mirror_to(&mut self, mirror: Mirror, from_the_start: bool) -> Result<(), TranscriptError> {
        if let Place::Open(log) = &self.place
            && from_the_start
        {
            let read = |error| TranscriptError::Read { path: log.path().to_owned(), error };
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

    /// What every line says.
    pub(crate) fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    /// The id of the newest line of the chain.
    pub(crate) fn tip(&self) -> Option<&str> {
        self.tip.as_deref()
    }

    /// The transcript as it is now, to come back to.
    pub(crate) fn savepoint(&self) -> Savepoint {
        let length = match &self.place {
            Place::Open(log) => Some(log.length()),
            Place::Planned(_) | Place::Nowhere => None,
        };
        Savepoint { length, tip: self.tip.clone(), sight: self.sight.clone() }
    }

    /// Removes what was written since the savepoint from the conversation, and from the file where this process
    /// alone has written to it since.
    pub(crate) fn roll_back(&mut self, to: Savepoint) {
        self.tip = to.tip;
        self.sight = to.sight;
        let Place::Open(log) = &mut self.place else { return };
        log.truncate(to.length.unwrap_or(0));
        if to.length.is_none() && log.length() == 0 {
            log.remove_if_empty();
            self.place = Place::Planned(log.path().to_owned());
        }
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

    /// Gives the conversation a title, for lists of conversations.
    pub(crate) fn name(&mut self, title: &str) -> Result<(), TranscriptError> {
        let mut line = CustomTitleLine::new(title);
        line.session_id = Some(self.stamp.session_id.as_str().into());
        self.append(TranscriptLine::CustomTitle(line).to_line())
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
        let Place::Open(log) = &mut self.place else { return Ok(()) };
        let length = text.len();
        write(log, self.mirror.as_ref(), text)?;
        let again = self.sight.after(log.file(), length, &self.stamp.session_id);
        let again = again.map_err(|error| TranscriptError::Read { path: log.path().to_owned(), error })?;
        again.into_iter().try_for_each(|note| write(log, self.mirror.as_ref(), note))
    }
}

/// Appends a line, and tells the mirror.
fn write(log: &mut Log, mirror: Option<&Mirror>, text: String) -> Result<(), TranscriptError> {
    let Some(mirror) = mirror else { return log.append(text) };
    log.append(text.clone())?;
    mirror.note(log.path(), text);
    Ok(())
}

/// What a file says, up to its newest message or the message `at`.
fn said(
    path: &Path,
    file: &File,
    session_id: &str,
    at: Option<&str>,
) -> Result<(Index, Chain, Conversation), TranscriptError> {
    let read = |error| TranscriptError::Read { path: path.to_owned(), error };
    let index = Index::read(file).map_err(read)?;
    let chain = chain(&index, at)?;
    let conversation = Conversation::read(file, &index, &chain).map_err(read)?;
    if conversation.entries.is_empty() {
        return Err(TranscriptError::NotFound { session_id: session_id.to_owned() });
    }
    Ok((index, chain, conversation))
}

fn chain(index: &Index, at: Option<&str>) -> Result<Chain, TranscriptError> {
    let until = match at {
        None => None,
        Some(uuid) => {
            let found = index.find(uuid).filter(|&number| !index.entries[number].is_sidechain);
            Some(found.ok_or_else(|| TranscriptError::NoSuchMessage { uuid: uuid.to_owned() })?)
        }
    };
    Ok(Chain::of(index, &Route { until, ..Route::default() }))
}

/// The latest time in a conversation.
fn latest(conversation: &Conversation) -> Timestamp {
    let times = conversation.entries.iter().filter_map(|entry| entry.timestamp.as_deref()?.parse().ok());
    times.max().unwrap_or(Timestamp::MIN)
}
