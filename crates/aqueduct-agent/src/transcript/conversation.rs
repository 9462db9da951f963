use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use aqueduct_wire::block::Content;
use aqueduct_wire::json::{IntoOwned, Json, Raw, Str};
use aqueduct_wire::message::UserMessage;
use aqueduct_wire::transcript::{Attachment, Chain, Index, Place, TranscriptLine, line_text};

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

impl Conversation {
    /// Reads the messages of a chain.
    pub(super) fn read(file: &File, index: &Index, chain: &Chain) -> io::Result<Self> {
        let mut entries = Vec::new();
        let mut lists = None;
        for entry in chain.entries.iter().filter_map(|&number| index.entries.get(number)) {
            if !entry.kind.is_said() {
                continue;
            }
            let bytes = bytes_of(file, entry.place)?;
            match line_text(&bytes).and_then(TranscriptLine::parse) {
                Ok(TranscriptLine::System(line)) => lists = line.lists.into_owned(),
                Ok(line) => entries.extend(message(line, &entry.uuid)),
                // The index has read it: the file was changed meanwhile.
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            }
        }
        let cost = index.cost.map(|place| bytes_of(file, place)).transpose()?;
        let cost = cost.and_then(|bytes| Some(Raw::parse(line_text(&bytes).ok()?).ok()?.into_owned()));
        let known = index.by_uuid.keys().map(|uuid| uuid.to_string()).collect();
        let title = index.title().map(str::to_owned);
        Ok(Conversation { entries, title, bad_lines: index.broken_lines, known, cost, lists })
    }
}

/// The bytes of a line.
pub(super) fn bytes_of(file: &File, place: Place) -> io::Result<Vec<u8>> {
    let length = usize::try_from(place.length).map_err(io::Error::other)?;
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, place.offset)?;
    Ok(bytes)
}

fn message(line: TranscriptLine<'_>, uuid: &str) -> Option<Entry> {
    let uuid = uuid.to_owned();
    let text = |text: Option<Str<'_>>| text.map(Str::into_string);
    Some(match line {
        TranscriptLine::User(line) => Entry {
            uuid,
            role: Role::User,
            message_id: None,
            is_meta: line.is_meta == Some(true),
            is_compact_summary: line.is_compact_summary == Some(true),
            is_api_error: false,
            message: line.message.into_raw().into_owned(),
            tool_use_result: line.tool_use_result.into_owned(),
            timestamp: text(line.timestamp),
        },
        TranscriptLine::Assistant(line) => Entry {
            uuid,
            role: Role::Assistant,
            message_id: text(line.message_id()),
            is_meta: line.is_meta == Some(true),
            is_compact_summary: false,
            is_api_error: line.is_api_error_message == Some(true),
            message: line.message.into_raw().into_owned(),
            tool_use_result: None,
            timestamp: text(line.timestamp),
        },
        // What the user said while the model was at work.
        TranscriptLine::Attachment(line) => match &line.attachment {
            Attachment::QueuedCommand(queued) => Entry {
                uuid,
                role: Role::User,
                message_id: None,
                is_meta: queued.is_meta == Some(true),
                is_compact_summary: false,
                is_api_error: false,
                message: said(&queued.prompt)?,
                tool_use_result: None,
                timestamp: text(line.timestamp.clone()),
            },
            _ => return None,
        },
        _ => return None,
    })
}

/// A message of the user.
fn said(content: &Content<'_>) -> Option<Raw<'static>> {
    let mut message = UserMessage::new(content.clone());
    message.role = Some("user".into());
    let mut json = String::new();
    message.write(&mut json);
    Raw::parse(&json).ok().map(Raw::into_owned)
}
