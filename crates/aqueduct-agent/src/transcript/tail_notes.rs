use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;

use aqueduct_wire::transcript::{
    AiTitleLine, CustomTitleLine, LastPromptLine, TagLine, TranscriptIndex, TranscriptLine, each_line,
    line_text,
};
use memchr::memmem;

/// How much of a file's end lists of sessions look at, those of the SDKs too.
const WINDOW: u64 = 64 << 10;

/// After how many bytes the position of the notes is checked. Notes that are this near then stay within the window
/// until the next check.
const STRIDE: u64 = WINDOW / 2;

/// The longest line that may be a note.
const LONGEST: usize = 4096;

/// Keeps a conversation's title, tag and last prompt near the end of its file, where lists of sessions look for them.
#[derive(Debug, Clone, Default)]
pub(super) struct TailNotes {
    notes: TailNoteSet,
    /// Up to where the file has been looked at.
    looked: u64,
    /// How much was written since.
    written: u64,
}

/// The notes at the end of a file for lists of sessions; `None` for a note that is missing.
#[derive(Debug, Clone, Default)]
struct TailNoteSet {
    custom_title: Option<String>,
    ai_title: Option<String>,
    tag: Option<String>,
    last_prompt: Option<String>,
}

impl TailNotes {
    /// What the notes of a file are, which has been read as a whole.
    pub(super) fn of(index: &TranscriptIndex, file: &File) -> io::Result<Self> {
        let notes = TailNoteSet {
            custom_title: index.custom_title.clone(),
            ai_title: index.ai_title.clone(),
            tag: index.tag.clone(),
            last_prompt: None,
        };
        Ok(TailNotes { notes, looked: file.metadata()?.len(), written: STRIDE })
    }

    /// Records that a line was written, and returns the notes that have to be written again. A title that another
    /// process set in the meantime takes precedence and is adopted.
    pub(super) fn after(&mut self, file: &File, length: usize, of: NoteOwner<'_>) -> io::Result<Vec<String>> {
        self.written += length as u64;
        if self.written < STRIDE {
            return Ok(Vec::new());
        }
        let size = file.metadata()?.len();
        let near = size.saturating_sub(STRIDE);
        let start = near.min(self.looked);
        let mut seen = TailNoteSet::default();
        each_line(FileSection { file, offset: start }, |piece| {
            let line = piece.bytes.filter(|bytes| bytes.len() <= LONGEST);
            let is_near = start + piece.place.offset >= near;
            let notes = if is_near { &mut seen } else { &mut self.notes };
            line.into_iter().for_each(|line| notes.look(line));
            true
        })?;
        (self.looked, self.written) = (size, 0);
        Ok(self.notes.again(seen, of))
    }

    /// Records the last prompt of the user.
    pub(super) fn prompted(&mut self, prompt: String) {
        self.notes.last_prompt = Some(prompt);
    }

    /// The line with the user's last prompt and the newest line of the conversation.
    pub(super) fn last_prompt(&self, of: NoteOwner<'_>) -> String {
        last_prompt(self.notes.last_prompt.as_deref(), of)
    }
}

impl TailNoteSet {
    /// The notes that were not found, as lines. Notes that were found are adopted.
    fn again(&mut self, seen: TailNoteSet, of: NoteOwner<'_>) -> Vec<String> {
        let mut again = Vec::new();
        let session_id = Some(of.session_id.to_owned().into());
        if let Some(title) = kept(&mut self.custom_title, seen.custom_title) {
            let mut line = CustomTitleLine::new(title);
            line.session_id.clone_from(&session_id);
            again.push(TranscriptLine::CustomTitle(line).to_line());
        }
        if let Some(title) = kept(&mut self.ai_title, seen.ai_title) {
            let mut line = AiTitleLine::new(title);
            line.session_id.clone_from(&session_id);
            again.push(TranscriptLine::AiTitle(line).to_line());
        }
        if let Some(tag) = kept(&mut self.tag, seen.tag) {
            let mut line = TagLine::new(tag);
            line.session_id = session_id;
            again.push(TranscriptLine::Tag(line).to_line());
        }
        if let Some(prompt) = kept(&mut self.last_prompt, seen.last_prompt) {
            again.push(last_prompt(Some(&prompt), of));
        }
        again
    }

    fn look(&mut self, line: &[u8]) {
        // Most lines are none of these.
        let may_be = |name: &str| memmem::find(line, name.as_bytes()).is_some();
        if !(may_be("-title\"") || may_be("\"tag\"") || may_be("\"last-prompt\"")) {
            return;
        }
        match line_text(line).and_then(TranscriptLine::parse) {
            Ok(TranscriptLine::CustomTitle(note)) => self.custom_title = Some(note.custom_title.to_string()),
            Ok(TranscriptLine::AiTitle(note)) => self.ai_title = Some(note.ai_title.to_string()),
            Ok(TranscriptLine::Tag(note)) => self.tag = Some(note.tag.to_string()),
            Ok(TranscriptLine::LastPrompt(note)) => {
                self.last_prompt = note.last_prompt.map(|prompt| prompt.to_string());
            }
            // What a crash broke off, or another line that has the word in it.
            Ok(_) | Err(_) => {}
        }
    }
}

/// Where notes belong.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoteOwner<'a> {
    /// The session.
    pub(super) session_id: &'a str,
    /// The newest line of the chain.
    pub(super) tip: Option<&'a str>,
}

fn last_prompt(prompt: Option<&str>, of: NoteOwner<'_>) -> String {
    let mut line = LastPromptLine::new();
    line.last_prompt = prompt.map(Into::into);
    line.leaf_uuid = of.tip.map(Into::into);
    line.session_id = Some(of.session_id.into());
    TranscriptLine::LastPrompt(line).to_line()
}

/// Takes over what was seen, or gives what is known and was not.
fn kept(known: &mut Option<String>, seen: Option<String>) -> Option<String> {
    match seen {
        Some(seen) => {
            *known = Some(seen);
            None
        }
        None => known.clone().filter(|text| !text.is_empty()),
    }
}

/// A file from a place on, whatever others do with its position.
pub(super) struct FileSection<'f> {
    pub(super) file: &'f File,
    pub(super) offset: u64,
}

impl Read for FileSection<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(buffer, self.offset)?;
        self.offset += count as u64;
        Ok(count)
    }
}
