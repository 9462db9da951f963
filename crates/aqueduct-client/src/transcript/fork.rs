use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use aqueduct_wire::json::{Json, Map, Raw, Reader, Str};
use aqueduct_wire::transcript::{
    ChainEntry, ChainEntryKind, ForkedFrom, TranscriptLine, each_line, line_text,
};
use jiff::Timestamp;
use uuid::Uuid;

use super::TranscriptError;
use super::note::{TITLE_LIMIT, title_line};
use super::reading::{ReadOptions, Transcript};
use super::session::StoredSession;

/// What is added to the title of a copy.
const SUFFIX: &str = " (fork)";

/// Notes about the conversation itself, which are copied. The others are about the session that
/// was: what it cost, its files' history, its queue.
const GOES_ALONG: &[&str] =
    &["content-replacement", "relocated", "tools-used", "atis-latch", "history-suppression"];

/// Members that tie a line to the session that was.
const LEFT_BEHIND: &[&str] = &[
    "teamName",
    "agentName",
    "sessionKind",
    "slug",
    "sourceToolAssistantUUID",
    "summarizedTurnPromptUuids",
    "droppedPromptUuids",
    "turnAttributionKey",
];

/// The content of a message is independent: no id in it refers to a line.
const WORDS: &[&str] = &["message", "toolUseResult"];

/// How a session is copied.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ForkOptions {
    /// Up to this message, that included; all without it.
    pub until: Option<String>,
    /// The copy's title; without it the original's, with a remark.
    pub title: Option<String>,
}

impl ForkOptions {
    /// All up to a message.
    pub fn until(uuid: impl Into<String>) -> Self {
        ForkOptions { until: Some(uuid.into()), title: None }
    }

    /// With a title of its own.
    pub fn titled(self, title: impl Into<String>) -> Self {
        ForkOptions { title: Some(title.into()), ..self }
    }
}

impl StoredSession {
    /// Copies the conversation into a session of its own, where it can take another way. Session and messages get
    /// new ids. What belongs to the old session stays there: subagents' files, the history of files, costs.
    pub fn fork(&self, options: &ForkOptions) -> Result<StoredSession, TranscriptError> {
        let reading = ReadOptions { until: options.until.clone(), ..ReadOptions::default() };
        let transcript = self.open_with(&reading)?;
        if transcript.is_empty() {
            return Err(TranscriptError::Empty { session: self.id().to_owned() });
        }
        let id = Uuid::new_v4().to_string();
        let title = match &options.title {
            Some(title) => title.clone(),
            None => self.fork_title()?,
        };
        let title = TranscriptLine::CustomTitle(title_line(&title, &id)?).to_line();
        let notes = self.notes()?;
        let fork = self.sibling(id);
        let folder = self.folder()?;
        let reported = || TranscriptError::write(&fork.path());
        // The copy is there as a whole or not at all.
        let unfinished = format!("{}.part", fork.name());
        let file = folder.create(&unfinished).map_err(reported())?;
        let written = Copy::new(&transcript, self.id(), fork.id()).write(&transcript, &notes, &title, &file);
        if let Err(error) =
            written.and_then(|()| folder.rename(&unfinished, &fork.name()).map_err(reported()))
        {
            // What was begun is of no use, and the error that matters is the first one.
            let _ = folder.remove_file(&unfinished);
            return Err(error);
        }
        Ok(fork)
    }

    fn fork_title(&self) -> Result<String, TranscriptError> {
        let summary = self.summary()?;
        let names = [summary.custom_title, summary.ai_title, summary.first_prompt];
        let name = names.into_iter().flatten().next().unwrap_or_else(|| "Conversation".to_owned());
        let name: String = name.chars().take(TITLE_LIMIT - SUFFIX.len()).collect();
        Ok(format!("{}{SUFFIX}", name.trim_end()))
    }

    /// The notes to copy, as they are in the file.
    fn notes(&self) -> Result<Vec<String>, TranscriptError> {
        let mut notes = Vec::new();
        let read = each_line(self.file()?, |piece| {
            let line = piece.bytes.and_then(|bytes| line_text(bytes).ok());
            let kind = line.and_then(|line| Some(aqueduct_wire::peek(line).ok()?.kind?.to_string()));
            if let (Some(line), Some(kind)) = (line, kind)
                && GOES_ALONG.contains(&kind.as_str())
            {
                // Of most kinds the last one counts; of replacements all do.
                if kind != "content-replacement" {
                    notes.retain(|(other, _)| *other != kind);
                }
                notes.push((kind, line.to_owned()));
            }
            true
        });
        read.map_err(TranscriptError::read(&self.path()))?;
        Ok(notes.into_iter().map(|(_, line)| line).collect())
    }
}

/// Progress of subagents is not part of the conversation. Its children become children of the line before.
fn goes_along(entry: &&ChainEntry) -> bool {
    entry.kind != ChainEntryKind::Progress
}

/// A copy in the making.
struct Copy<'c> {
    from: &'c str,
    to: &'c str,
    /// The new ids of the lines.
    fresh: HashMap<Arc<str>, String>,
}

impl<'c> Copy<'c> {
    fn new(transcript: &Transcript, from: &'c str, to: &'c str) -> Self {
        let entries = transcript.chain.entries.iter().map(|&number| &transcript.index.entries[number]);
        let fresh = entries
            .filter(goes_along)
            .map(|entry| (entry.uuid.clone(), Uuid::new_v4().to_string()))
            .collect();
        Copy { from, to, fresh }
    }

    fn write(
        &self,
        transcript: &Transcript,
        notes: &[String],
        title: &str,
        file: &File,
    ) -> Result<(), TranscriptError> {
        let reported = |error| TranscriptError::Write { path: transcript.path().to_owned(), error };
        let mut out = BufWriter::new(file);
        let mut put = |line: &str| writeln!(out, "{line}").map_err(reported);
        let entries = transcript.chain.entries.iter().map(|&number| &transcript.index.entries[number]);
        let mut entries = entries.filter(goes_along).peekable();
        let mut before = None;
        while let Some(entry) = entries.next() {
            let line = transcript.line(entry.place)?;
            let copied = self.line(&line, &entry.uuid, before, entries.peek().is_none());
            put(&copied.ok_or(io::ErrorKind::InvalidData).map_err(|kind| reported(kind.into()))?)?;
            before = Some(&*entry.uuid);
        }
        for note in notes {
            let note =
                self.note(note).ok_or(io::ErrorKind::InvalidData).map_err(|kind| reported(kind.into()))?;
            put(&note)?;
        }
        put(title)?;
        out.flush().map_err(reported)?;
        file.sync_all().map_err(reported)
    }

    /// A line of the copy. The last one is written now, because older versions take the latest for the newest.
    fn line(&self, line: &str, uuid: &str, before: Option<&str>, is_last: bool) -> Option<String> {
        let members: Map<'_, Raw<'_>> = Map::read(&mut Reader::new(line)).ok()?;
        let text = |key: &str| members.get(key).and_then(|value| value.view::<Str<'_>>());
        // A parent that was lost, or does not go along, is replaced by the line before.
        let parent = text("parentUuid").map(|parent| match self.fresh.contains_key(parent.as_str()) {
            true => parent.to_string(),
            false => before.unwrap_or_default().to_owned(),
        });
        let mut forked = ForkedFrom::new(self.from);
        forked.message_uuid = Some(uuid.into());
        let own = |key: &str| -> Option<String> {
            Some(match key {
                "uuid" => quoted(self.fresh.get(uuid)?),
                "parentUuid" => parent.as_ref().map_or("null".to_owned(), |parent| self.id_or_null(parent)),
                "sessionId" => quoted(self.to),
                "isSidechain" => "false".to_owned(),
                "timestamp" if is_last => quoted(&format!("{:.3}", Timestamp::now())),
                "forkedFrom" => json(&forked),
                _ => return None,
            })
        };
        let mut out = Map::default();
        for (key, value) in members.iter().filter(|(key, _)| !LEFT_BEHIND.contains(key)) {
            let value = match own(key) {
                Some(value) => value,
                None if WORDS.contains(&key) => value.as_str().to_owned(),
                None => self.with_fresh_ids(value.as_str()),
            };
            out.push(key, value);
        }
        for key in ["sessionId", "forkedFrom"] {
            if members.get(key).is_none() {
                out.push(key, own(key)?);
            }
        }
        Some(written(&out))
    }

    /// A note of the copy.
    fn note(&self, line: &str) -> Option<String> {
        let members: Map<'_, Raw<'_>> = Map::read(&mut Reader::new(line)).ok()?;
        let mut out = Map::default();
        for (key, value) in members.iter() {
            let value =
                if key == "sessionId" { quoted(self.to) } else { self.with_fresh_ids(value.as_str()) };
            out.push(key, value);
        }
        Some(written(&out))
    }

    fn id_or_null(&self, uuid: &str) -> String {
        self.fresh.get(uuid).map_or("null".to_owned(), |fresh| quoted(fresh))
    }

    /// JSON with the new ids of lines in place of the old ones.
    fn with_fresh_ids(&self, json: &str) -> String {
        let mut out = String::with_capacity(json.len());
        let mut rest = json;
        while let Some(open) = rest.find('"') {
            let (before, string) = rest.split_at(open + 1);
            out.push_str(before);
            let end = string_end(string);
            match self.fresh.get(&string[..end]) {
                Some(fresh) => out.push_str(fresh),
                None => out.push_str(&string[..end]),
            }
            rest = &string[end..];
            if let Some(behind) = rest.strip_prefix('"') {
                out.push('"');
                rest = behind;
            }
        }
        out.push_str(rest);
        out
    }
}

/// Where a string ends, from behind its opening quote.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at,
            _ => {}
        }
    }
    text.len()
}

fn quoted(text: &str) -> String {
    json(&Str::from(text))
}

fn json<'a>(value: &impl Json<'a>) -> String {
    let mut out = String::new();
    value.write(&mut out);
    out
}

/// An object of values that are JSON already.
fn written(members: &Map<'_, String>) -> String {
    let mut out = String::from("{");
    for (key, value) in members.iter() {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(&quoted(key));
        out.push(':');
        out.push_str(value);
    }
    out.push('}');
    out
}
