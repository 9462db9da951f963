use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::codec::DEFAULT_LINE_LIMIT;
use aqueduct_wire::json::{Fault, ParseError, Raw, Reader, Str};
use aqueduct_wire::message::UserMessage;

use super::line::SystemLine;
use super::log::End;

/// How much of a file is read at once.
const BUFFER: usize = 256 * 1024;

/// Where the lines of a transcript are and how they hang together, without what they say: a first look that
/// costs little memory whatever the file's size.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The lines that have an id, in the order of the file.
    pub(super) lines: Vec<Line>,
    /// Which line has an id; of several the last.
    pub(super) by_uuid: HashMap<Box<str>, usize>,
    /// The title that the user gave.
    pub(super) custom_title: Option<String>,
    /// The title that a model gave.
    pub(super) ai_title: Option<String>,
    /// The summary that older versions wrote.
    pub(super) summary: Option<String>,
    /// Where the line is that last told what was spent.
    pub(super) cost: Option<Place>,
    /// How many lines could not be read.
    pub(super) bad_lines: usize,
    /// How the file ends.
    pub(super) end: End,
}

/// Where a line is in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) offset: u64,
    pub(super) length: usize,
}

/// A line that can be part of a conversation.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) place: Place,
    pub(super) kind: Kind,
    /// Not of the main conversation: a subagent's, or written again later under the same id.
    pub(super) is_sidechain: bool,
    /// A `user` line with the result of a tool.
    pub(super) is_tool_result: bool,
    pub(super) parent: Option<Box<str>>,
    /// The assistant line whose call a tool's result answers.
    pub(super) source: Option<Box<str>>,
    /// The model's id of the message, which lines of one answer share.
    pub(super) message_id: Option<Box<str>>,
}

/// What a line is in the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    User,
    Assistant,
    /// The place where a compaction cut the conversation.
    Boundary,
    /// Anything that hangs in the chain without being a message.
    Between,
}

impl Index {
    /// Looks through a file.
    pub(super) fn read(file: &File) -> io::Result<Self> {
        let mut index = Index::default();
        let mut last = End::Closed;
        let is_open = each_line(file, |offset, bytes| {
            last = if index.add(offset, bytes) { End::Open } else { End::Torn { from: offset } };
            true
        })?;
        index.end = if is_open { last } else { End::Closed };
        Ok(index)
    }

    /// Whether the file holds a message of a main conversation.
    pub(super) fn holds_conversation(path: &Path) -> bool {
        let mut holds = false;
        let look = |file: File| {
            each_line(&file, |_, bytes| {
                let fields = Fields::of(bytes);
                holds = fields.is_some_and(|fields| {
                    fields.uuid.is_some()
                        && !fields.is_sidechain
                        && matches!(fields.kind(), Kind::User | Kind::Assistant)
                });
                !holds
            })
        };
        File::open(path).and_then(look).is_ok() && holds
    }

    /// The working directory that the file's first stamp names.
    pub(super) fn working_directory(path: &Path) -> Option<String> {
        let mut found = None;
        each_line(&File::open(path).ok()?, |_, bytes| {
            found = Fields::of(bytes).and_then(|fields| fields.cwd).map(Str::into_string);
            found.is_none()
        })
        .ok()?;
        found
    }

    /// Adds a line: whether it could be read.
    fn add(&mut self, offset: u64, bytes: &[u8]) -> bool {
        if bytes.trim_ascii().is_empty() {
            return true;
        }
        let Some(fields) = Fields::of(bytes) else {
            self.bad_lines += 1;
            return false;
        };
        let place = Place { offset, length: bytes.len() };
        let text = |title: &Option<Str<'_>>| title.as_ref().map(|title| title.to_string());
        match fields.type_name.as_deref() {
            Some("custom-title") => self.custom_title = text(&fields.custom_title),
            Some("ai-title") => self.ai_title = text(&fields.ai_title),
            Some("summary") => self.summary = text(&fields.summary),
            Some("cost-state") => self.cost = Some(place),
            _ => {}
        }
        let kind = fields.kind();
        let is_tool_result = kind == Kind::User && fields.is_tool_result();
        let message_id = match kind {
            Kind::Assistant => fields.message_id().map(|id| id.as_str().into()),
            _ => None,
        };
        let Some(uuid) = fields.uuid else { return true };
        if let Some(before) = self.by_uuid.insert(uuid.as_str().into(), self.lines.len()) {
            self.lines[before].is_sidechain = true;
        }
        self.lines.push(Line {
            place,
            kind,
            is_sidechain: fields.is_sidechain,
            is_tool_result,
            parent: fields.parent.map(|parent| parent.as_str().into()),
            source: fields.source.map(|source| source.as_str().into()),
            message_id,
        });
        true
    }
}

/// The members of a line that matter here; everything else stays in the file.
#[derive(Debug, Default)]
pub(super) struct Fields<'a> {
    type_name: Option<Str<'a>>,
    subtype: Option<Str<'a>>,
    pub(super) uuid: Option<Str<'a>>,
    parent: Option<Str<'a>>,
    source: Option<Str<'a>>,
    cwd: Option<Str<'a>>,
    pub(super) timestamp: Option<Str<'a>>,
    custom_title: Option<Str<'a>>,
    ai_title: Option<Str<'a>>,
    summary: Option<Str<'a>>,
    is_sidechain: bool,
    pub(super) is_meta: bool,
    pub(super) is_compact_summary: bool,
    pub(super) is_api_error: bool,
    pub(super) message: Option<Raw<'a>>,
    pub(super) tool_use_result: Option<Raw<'a>>,
    pub(super) compact_metadata: Option<Raw<'a>>,
    pub(super) lists: Option<Raw<'a>>,
}

impl<'a> Fields<'a> {
    /// Reads a line; `None` where it is no JSON object.
    pub(super) fn of(bytes: &'a [u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        Self::read(text.strip_prefix('\u{feff}').unwrap_or(text)).ok()
    }

    fn read(text: &'a str) -> Result<Self, Fault> {
        let mut fields = Fields::default();
        let mut reader = Reader::new(text);
        reader.open_object()?;
        let mut first = true;
        while let Some(key) = reader.next_key(first)? {
            first = false;
            match key.as_str() {
                "type" => fields.type_name = text_here(&mut reader)?,
                "subtype" => fields.subtype = text_here(&mut reader)?,
                "uuid" => fields.uuid = text_here(&mut reader)?,
                "parentUuid" => fields.parent = text_here(&mut reader)?,
                "sourceToolAssistantUUID" => fields.source = text_here(&mut reader)?,
                "cwd" => fields.cwd = text_here(&mut reader)?,
                "timestamp" => fields.timestamp = text_here(&mut reader)?,
                "customTitle" => fields.custom_title = text_here(&mut reader)?,
                "aiTitle" => fields.ai_title = text_here(&mut reader)?,
                "summary" => fields.summary = text_here(&mut reader)?,
                "isSidechain" => fields.is_sidechain = reader.raw()?.as_str() == "true",
                "isMeta" => fields.is_meta = reader.raw()?.as_str() == "true",
                "isCompactSummary" => fields.is_compact_summary = reader.raw()?.as_str() == "true",
                "isApiErrorMessage" => fields.is_api_error = reader.raw()?.as_str() == "true",
                "message" => fields.message = Some(reader.raw()?),
                "toolUseResult" => fields.tool_use_result = Some(reader.raw()?),
                SystemLine::LISTS => fields.lists = Some(reader.raw()?),
                "compactMetadata" => fields.compact_metadata = Some(reader.raw()?),
                _ => reader.skip()?,
            }
        }
        reader.end()?;
        Ok(fields)
    }

    pub(super) fn kind(&self) -> Kind {
        let has_message = self.message.as_ref().is_some_and(|message| message.as_str().starts_with('{'));
        match self.type_name.as_deref() {
            Some("user") if has_message => Kind::User,
            Some("assistant") if has_message => Kind::Assistant,
            Some("system") if self.subtype.as_deref() == Some(SystemLine::BOUNDARY) => Kind::Boundary,
            _ => Kind::Between,
        }
    }

    /// The model's id of the message.
    pub(super) fn message_id(&self) -> Option<Str<'_>> {
        let mut reader = Reader::new(self.message.as_ref()?.as_str());
        reader.open_object().ok()?;
        let mut first = true;
        while let Some(key) = reader.next_key(first).ok()? {
            first = false;
            if key == "id" {
                return text_here(&mut reader).ok()?;
            }
            reader.skip().ok()?;
        }
        None
    }

    fn is_tool_result(&self) -> bool {
        if self.tool_use_result.is_some() || self.source.is_some() {
            return true;
        }
        let Some(message) = &self.message else { return false };
        // Typed reading is for the few lines that may hold one.
        memchr::memmem::find(message.as_str().as_bytes(), b"\"tool_result\"").is_some()
            && message.view::<UserMessage<'_>>().is_some_and(|message| {
                message.content.blocks().iter().any(|block| matches!(block, ContentBlock::ToolResult(_)))
            })
    }
}

/// The string here, or nothing where there is something else.
fn text_here<'a>(reader: &mut Reader<'a>) -> Result<Option<Str<'a>>, ParseError> {
    if reader.peek() != Some(b'"') {
        reader.skip()?;
        return Ok(None);
    }
    match reader.string() {
        Ok(text) => Ok(Some(text)),
        Err(Fault::Parse(error)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// Hands every line with its place to `visit`, until that has seen enough. Whether the last line has no end.
/// Lines past the wire's limit are not held in memory: `visit` sees them empty.
pub(super) fn each_line(file: &File, mut visit: impl FnMut(u64, &[u8]) -> bool) -> io::Result<bool> {
    let mut input = BufReader::with_capacity(BUFFER, file);
    let mut line = Vec::new();
    let mut offset = 0;
    loop {
        line.clear();
        let limit = DEFAULT_LINE_LIMIT as u64 + 1;
        let mut length = input.by_ref().take(limit).read_until(b'\n', &mut line)? as u64;
        let mut ends = line.ends_with(b"\n");
        if length == limit && !ends {
            line.clear();
            let (rest, found) = pass_line(&mut input)?;
            length += rest;
            ends = found;
        }
        if length == 0 {
            return Ok(false);
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        if !visit(offset, text) || !ends {
            return Ok(!ends);
        }
        offset += length;
    }
}

/// Passes over the rest of a line: how long it was, and whether it had an end.
fn pass_line(input: &mut impl BufRead) -> io::Result<(u64, bool)> {
    let mut passed = 0;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok((passed, false));
        }
        let end = memchr::memchr(b'\n', buffer);
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        passed += used as u64;
        if end.is_some() {
            return Ok((passed, true));
        }
    }
}
