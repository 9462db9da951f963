use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use aqueduct_wire::block::{Content, ContentBlock};
use aqueduct_wire::json::{IntoOwned, Map, Raw, Reader, Str};
use aqueduct_wire::transcript::{
    Attachment, Chain, ChainEntryKind, LineSpan, TranscriptIndex, TranscriptLine, line_text,
};

use super::line::is_notification;

/// The model's name in messages that no model wrote.
const SYNTHETIC: &str = "<synthetic>";

/// The largest part of a structured result that is held.
const LARGE: usize = 64 << 10;

/// The contents of a transcript: the messages from the newest one back to the first, or to the last compaction.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    /// The messages, oldest first.
    pub(crate) entries: Vec<ConversationEntry>,
    /// The title of the conversation.
    pub(crate) title: Option<String>,
    /// How many lines of the file could not be read; they stay in it.
    pub(crate) bad_lines: usize,
    /// The ids of all lines of the file, also of those that are not part of the conversation any more.
    pub(crate) known: HashSet<String>,
    /// The last line with the cost so far.
    pub(crate) cost: Option<Raw<'static>>,
    /// The model that last answered.
    pub(crate) model: Option<AnsweredBy>,
    /// The lists that the model kept when the conversation was last compacted.
    pub(crate) lists: Option<Raw<'static>>,
}

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ConversationEntry {
    /// The line's id.
    pub(crate) uuid: String,
    /// Whose it is.
    pub(crate) role: EntryRole,
    /// The model's message that it is a part of, by the API's id.
    pub(crate) message_id: Option<String>,
    /// The content of the message, as it was written: a string or a list of blocks. `null` if it has none.
    pub(crate) content: Raw<'static>,
    /// Not written by the user, but sent to the model.
    pub(crate) is_meta: bool,
    /// The summary that replaces the compacted messages.
    pub(crate) is_compact_summary: bool,
    /// Reports why there is no answer of the model; not sent to the model.
    pub(crate) is_api_error: bool,
    /// The end of a background task.
    pub(crate) is_notification: bool,
    /// The structured result of a tool, without its large parts, which are not used again.
    pub(crate) tool_use_result: Option<Raw<'static>>,
    /// When it was written.
    pub(crate) timestamp: Option<String>,
}

impl ConversationEntry {
    /// The call that the entry is the result of.
    pub(crate) fn answered_call(&self) -> Option<String> {
        let content = self.content.view::<Content<'_>>()?;
        content.blocks().iter().find_map(|block| match block {
            ContentBlock::ToolResult(result) => Some(result.tool_use_id.to_string()),
            _ => None,
        })
    }
}

/// The model that wrote an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AnsweredBy {
    /// The name that the model reports.
    pub(crate) model: String,
    /// The name that was requested, if known.
    pub(crate) asked: Option<String>,
}

/// Whose a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryRole {
    /// The user's, or a tool's result.
    User,
    /// The model's.
    Assistant,
}

impl Conversation {
    /// Reads the messages of a chain.
    pub(super) fn read(file: &File, index: &TranscriptIndex, chain: &Chain) -> io::Result<Self> {
        let mut entries = Vec::new();
        let mut lists = None;
        let mut model = None;
        for entry in chain.entries.iter().filter_map(|&number| index.entries.get(number)) {
            if !entry.kind.is_said() && entry.kind != ChainEntryKind::Printed {
                continue;
            }
            let bytes = bytes_of(file, entry.place)?;
            match line_text(&bytes).and_then(TranscriptLine::parse) {
                Ok(TranscriptLine::System(line)) if line.is_boundary() => lists = line.lists.into_owned(),
                Ok(line) => {
                    model = AnsweredBy::of(&line).or(model);
                    entries.extend(message(line, &entry.uuid));
                }
                // The index has read it: the file was changed meanwhile.
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            }
        }
        let cost = index.cost.map(|place| bytes_of(file, place)).transpose()?;
        let cost = cost.and_then(|bytes| Some(Raw::parse(line_text(&bytes).ok()?).ok()?.into_owned()));
        let known = index.by_uuid.keys().map(|uuid| uuid.to_string()).collect();
        let title = index.title().map(str::to_owned);
        Ok(Conversation { entries, title, bad_lines: index.broken_lines, known, cost, model, lists })
    }
}

impl AnsweredBy {
    /// The model of a line; `None` where no model wrote it.
    fn of(line: &TranscriptLine<'_>) -> Option<Self> {
        let TranscriptLine::Assistant(line) = line else { return None };
        let model = Reader::new(line.message.raw().as_str()).find_tag("model", true).ok()??;
        let asked = line.requested_model.as_ref().map(|model| model.to_string());
        (model != SYNTHETIC).then(|| AnsweredBy { model: model.to_string(), asked })
    }
}

/// The bytes of a line.
pub(super) fn bytes_of(file: &File, place: LineSpan) -> io::Result<Vec<u8>> {
    let length = usize::try_from(place.length).map_err(io::Error::other)?;
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, place.offset)?;
    Ok(bytes)
}

fn message(line: TranscriptLine<'_>, uuid: &str) -> Option<ConversationEntry> {
    let uuid = uuid.to_owned();
    let text = |text: Option<Str<'_>>| text.map(Str::into_string);
    Some(match line {
        TranscriptLine::User(line) => ConversationEntry {
            uuid,
            role: EntryRole::User,
            message_id: None,
            is_meta: line.is_meta == Some(true),
            is_compact_summary: line.is_compact_summary == Some(true),
            is_api_error: false,
            is_notification: line.origin.as_deref().is_some_and(is_notification),
            content: content(&line.message.into_raw()),
            tool_use_result: line.tool_use_result.map(|result| reduced(&result)),
            timestamp: text(line.timestamp),
        },
        TranscriptLine::Assistant(line) => {
            let message = line.message.into_raw();
            ConversationEntry {
                uuid,
                role: EntryRole::Assistant,
                message_id: message_id(&message),
                is_meta: line.is_meta == Some(true),
                is_compact_summary: false,
                is_api_error: line.is_api_error_message == Some(true),
                is_notification: false,
                content: content(&message),
                tool_use_result: None,
                timestamp: text(line.timestamp),
            }
        }
        // A prompt that the user entered while a turn was running.
        TranscriptLine::Attachment(line) => match &line.attachment {
            Attachment::QueuedCommand(queued) => ConversationEntry {
                uuid,
                role: EntryRole::User,
                message_id: None,
                is_meta: queued.is_meta == Some(true),
                is_compact_summary: false,
                is_api_error: false,
                is_notification: queued.origin.as_deref().is_some_and(is_notification),
                content: Raw::written(&queued.prompt),
                tool_use_result: None,
                timestamp: text(line.timestamp.clone()),
            },
            _ => return None,
        },
        // What a slash command printed.
        TranscriptLine::System(line) => ConversationEntry {
            uuid,
            role: EntryRole::User,
            message_id: None,
            is_meta: true,
            is_compact_summary: false,
            is_api_error: false,
            is_notification: false,
            content: Raw::written(line.content.as_ref()?),
            tool_use_result: None,
            timestamp: text(line.timestamp),
        },
        _ => return None,
    })
}

/// The API's id of a message.
fn message_id(message: &Raw<'_>) -> Option<String> {
    let members = message.view::<Map<'_, Raw<'_>>>()?;
    Some(members.get("id")?.view::<Str<'_>>()?.into_string())
}

/// The content of a message.
fn content(message: &Raw<'_>) -> Raw<'static> {
    let members = message.view::<Map<'_, Raw<'_>>>().unwrap_or_default();
    members.get("content").map_or(Raw::NULL, |content| content.clone().into_owned())
}

/// A value without the texts and lists in it that are large, such as the contents of files.
fn reduced(value: &Raw<'_>) -> Raw<'static> {
    if value.as_str().len() <= LARGE {
        return value.clone().into_owned();
    }
    let Some(members) = value.view::<Map<'_, Raw<'_>>>() else { return Raw::NULL };
    let mut kept: Map<'_, Raw<'_>> = Map::default();
    for (key, value) in members.iter() {
        let reduced = reduced(value);
        if reduced != Raw::NULL {
            kept.push(key, reduced);
        }
    }
    Raw::written(&kept)
}
