use std::io::{self, Read};
use std::path::PathBuf;
use std::time::SystemTime;

use aqueduct_wire::json::{Json, Map, Raw, Reader, Str};
use aqueduct_wire::transcript::{ChainEntryKind, Chained, PromptText, TranscriptLine, line_text, prompt};
use jiff::Timestamp;

use super::TranscriptError;
use super::folder::TranscriptFolder;
use super::glimpse::Glimpse;
use super::list::Candidate;
use super::store::ENDING;

/// A title beside the transcript, as the reference keeps one for long sessions.
const TITLE_FILE: &str = "custom-title.json";

/// How long that file may be.
const TITLE_FILE_LIMIT: u64 = 64 << 10;

/// A session, as far as the beginning and the end of its file show.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// The session.
    pub id: String,
    /// Its file.
    pub path: PathBuf,
    /// When the file was last written to.
    pub modified: SystemTime,
    /// When the conversation began.
    pub created: Option<SystemTime>,
    /// The file's size in bytes.
    pub size: u64,
    /// The working directory.
    pub cwd: Option<String>,
    /// The branch that was checked out last.
    pub git_branch: Option<String>,
    /// The title that the user gave.
    pub custom_title: Option<String>,
    /// The title that a model gave.
    pub ai_title: Option<String>,
    /// The user's first message, in one line.
    pub first_prompt: Option<String>,
    /// The user's last message.
    pub last_prompt: Option<String>,
    /// The summary that older versions kept.
    pub summary: Option<String>,
    /// The user's mark.
    pub tag: Option<String>,
    /// How many messages the main conversation has, where the file is so short that all of it was read.
    pub messages: Option<usize>,
    /// Which program wrote to it last.
    pub program: TranscriptProgram,
    /// The version of its protocol.
    pub version: Option<String>,
    /// How it was started, such as `cli` or `sdk-py`.
    pub entrypoint: Option<String>,
    /// The file of a subagent and not of a conversation.
    is_sidechain: bool,
}

/// A program that writes transcripts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TranscriptProgram {
    /// The reference CLI, or an agent that does not identify itself.
    Reference,
    /// One of ours: its name and version, such as `aqueduct-agent 0.1.0`.
    Named(String),
}

impl Summary {
    /// What to call the session: the user's title, the model's, the user's last message, what older versions
    /// stored as a summary, or the user's first message. The SDKs choose the same.
    pub fn title(&self) -> &str {
        let names =
            [&self.custom_title, &self.ai_title, &self.last_prompt, &self.summary, &self.first_prompt];
        names.into_iter().flatten().map(String::as_str).next().unwrap_or_default()
    }

    /// Whether there is anything to show: a file may hold nothing but notes.
    pub(super) fn is_conversation(&self) -> bool {
        !self.is_sidechain && !self.title().is_empty()
    }

    fn of(candidate: &Candidate, path: PathBuf) -> Self {
        Summary {
            id: candidate.id.clone(),
            path,
            modified: candidate.modified,
            created: None,
            size: candidate.size,
            cwd: None,
            git_branch: None,
            custom_title: None,
            ai_title: None,
            first_prompt: None,
            last_prompt: None,
            summary: None,
            tag: None,
            messages: None,
            program: TranscriptProgram::Reference,
            version: None,
            entrypoint: None,
            is_sidechain: false,
        }
    }
}

/// Reads what there is to know of a session, and how much was read for it. `None` where the file has gone.
pub(super) fn read(
    projects: &TranscriptFolder,
    candidate: &Candidate,
) -> Result<(Option<Summary>, u64), TranscriptError> {
    let reported = |folder: &TranscriptFolder| TranscriptError::read(folder.path());
    let Some(folder) = projects.folder(&candidate.project).map_err(reported(projects))? else {
        return Ok((None, 0));
    };
    let name = format!("{}{ENDING}", candidate.id);
    let path = folder.path_of(&name);
    let reported = || TranscriptError::read(&path);
    let Some(file) = folder.file(&name).map_err(reported())? else { return Ok((None, 0)) };
    let size = file.metadata().map_err(reported())?.len();
    let mut glimpse = Glimpse::of(&file, size).map_err(reported())?;
    let mut notes = SummaryNotes::default();
    glimpse.head().for_each(|line| notes.beginning(line));
    if notes.prompt.is_none() && glimpse.widen(&file, size).map_err(reported())? {
        notes = SummaryNotes::default();
        glimpse.head().for_each(|line| notes.beginning(line));
    }
    let in_head = std::mem::take(&mut notes.titles);
    if glimpse.is_whole {
        notes.titles = in_head.clone();
    } else {
        glimpse.tail().for_each(|line| notes.end(line));
    }
    let beside = match notes.titles.custom {
        Some(_) => None,
        None => title_beside(&folder, &candidate.id).map_err(reported())?,
    };
    let mut summary = Summary::of(candidate, path.clone());
    summary.size = size;
    notes.fill(&mut summary, in_head, beside);
    if glimpse.is_whole {
        summary.messages = Some(notes.messages);
    }
    Ok((Some(summary), glimpse.bytes_read))
}

/// The title in the file beside a transcript.
fn title_beside(folder: &TranscriptFolder, id: &str) -> io::Result<Option<String>> {
    let Some(beside) = folder.folder(id)? else { return Ok(None) };
    let Some(file) = beside.file(TITLE_FILE)? else { return Ok(None) };
    let mut text = String::new();
    if file.take(TITLE_FILE_LIMIT).read_to_string(&mut text).is_err() {
        // A title that is not text counts as none.
        return Ok(None);
    }
    let members = Map::<Raw<'_>>::read(&mut Reader::new(&text)).ok();
    let title = members.as_ref().and_then(|members| members.get("customTitle")?.view::<Str<'_>>());
    Ok(title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty()))
}

/// The titles of one end of a file; of several the last.
#[derive(Debug, Clone, Default)]
struct Titles {
    custom: Option<String>,
    ai: Option<String>,
    last_prompt: Option<String>,
    summary: Option<String>,
    tag: Option<String>,
}

/// What lines report, one after the other.
#[derive(Debug, Default)]
struct SummaryNotes {
    titles: Titles,
    prompt: Option<String>,
    /// The fallback if no prompt has text.
    instead: Option<String>,
    created: Option<SystemTime>,
    cwd: Option<String>,
    moved_to: Option<String>,
    git_branch: Option<String>,
    program: Option<String>,
    version: Option<String>,
    entrypoint: Option<String>,
    is_sidechain: Option<bool>,
    messages: usize,
}

impl SummaryNotes {
    /// Looks at a line of the beginning.
    fn beginning(&mut self, bytes: &[u8]) {
        let Some(line) = line(bytes) else { return };
        if self.prompt.is_none()
            && let TranscriptLine::User(line) = &line
        {
            match prompt(line) {
                Some(PromptText::Said(text)) => self.prompt = Some(text),
                Some(PromptText::Command(name)) => self.instead = self.instead.take().or(Some(name)),
                Some(PromptText::Medium(name)) => {
                    self.instead = self.instead.take().or(Some(name.to_owned()))
                }
                None => {}
            }
        }
        if let Some(chained) = line.chained() {
            self.created = self.created.or_else(|| time(chained));
            self.cwd = self.cwd.take().or_else(|| owned(chained.cwd()));
            self.is_sidechain.get_or_insert(chained.is_sidechain());
            let is_message =
                matches!(ChainEntryKind::of(&line), ChainEntryKind::User | ChainEntryKind::Assistant);
            self.messages += usize::from(is_message && !chained.is_sidechain() && !chained.is_meta());
        }
        self.note(&line);
    }

    /// Looks at a line of the end.
    fn end(&mut self, bytes: &[u8]) {
        if let Some(line) = line(bytes) {
            self.note(&line);
        }
    }

    /// What later lines override.
    fn note(&mut self, line: &TranscriptLine<'_>) {
        let text = |text: &Str<'_>| Some(text.to_string());
        match line {
            TranscriptLine::CustomTitle(note) => self.titles.custom = text(&note.custom_title),
            TranscriptLine::AiTitle(note) => self.titles.ai = text(&note.ai_title),
            TranscriptLine::LastPrompt(note) => {
                self.titles.last_prompt = note.last_prompt.as_ref().and_then(text);
            }
            TranscriptLine::Summary(note) => self.titles.summary = text(&note.summary),
            TranscriptLine::Tag(note) => self.titles.tag = text(&note.tag),
            TranscriptLine::Relocated(note) => self.moved_to = text(&note.relocated_cwd),
            _ => {}
        }
        if let Some(chained) = line.chained() {
            self.git_branch = owned(chained.git_branch()).or(self.git_branch.take());
            self.version = owned(chained.version()).or(self.version.take());
            self.entrypoint = owned(chained.entrypoint()).or(self.entrypoint.take());
            self.program = owned(chained.program());
        }
    }

    fn fill(&mut self, summary: &mut Summary, head: Titles, beside: Option<String>) {
        let tail = std::mem::take(&mut self.titles);
        let some = |text: Option<String>| text.filter(|text| !text.is_empty());
        // A title taken away at the end counts for more than one given at the beginning.
        summary.custom_title = some(tail.custom.or(beside).or(head.custom));
        summary.ai_title = some(tail.ai.or(head.ai));
        summary.last_prompt = some(tail.last_prompt);
        summary.summary = some(tail.summary.or(head.summary));
        summary.tag = some(tail.tag.or(head.tag));
        summary.first_prompt = self.prompt.take().or(self.instead.take());
        summary.created = self.created;
        summary.cwd = self.moved_to.take().or(self.cwd.take());
        summary.git_branch = self.git_branch.take();
        summary.version = self.version.take();
        summary.entrypoint = self.entrypoint.take();
        summary.program = self.program.take().map_or(TranscriptProgram::Reference, TranscriptProgram::Named);
        summary.is_sidechain = self.is_sidechain.unwrap_or(false);
    }
}

fn line(bytes: &[u8]) -> Option<TranscriptLine<'_>> {
    TranscriptLine::parse(line_text(bytes).ok()?).ok()
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

fn time(line: &dyn Chained) -> Option<SystemTime> {
    line.timestamp()?.parse::<Timestamp>().ok().map(SystemTime::from)
}
