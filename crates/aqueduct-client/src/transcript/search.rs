use std::collections::HashSet;
use std::io::Read;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;

use aqueduct_wire::block::{Content, ContentBlock};
use aqueduct_wire::codec::DEFAULT_LINE_LIMIT;
use aqueduct_wire::json::{Map, Raw, Str};
use aqueduct_wire::transcript::{Attachment, Chained, TranscriptLine, line_text};

use super::TranscriptError;
use super::needle::Needle;
use super::session::StoredSession;
use super::store::Store;

/// How much of a file is read at once.
const BLOCK: usize = 1 << 20;

/// What to search for, and where.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SearchQuery {
    /// Words that must all occur in a message, in any case.
    pub words: Vec<String>,
    /// In the sessions of one working directory, by its real path; in all without it.
    pub project: Option<PathBuf>,
    /// In this session alone.
    pub session: Option<String>,
    /// Not in these sessions.
    pub without: HashSet<String>,
    /// Only in messages of users and models, not in tool inputs and results.
    pub only_said: bool,
    /// How many hits to give out.
    pub limit: usize,
    /// How many of them of one session.
    pub limit_per_session: usize,
    /// How many characters to show around a word.
    pub context: usize,
}

impl SearchQuery {
    /// A search for all words of a text, in everything.
    pub fn new(text: &str) -> Self {
        SearchQuery {
            words: text.split_whitespace().map(str::to_owned).collect(),
            project: None,
            session: None,
            without: HashSet::new(),
            only_said: false,
            limit: 50,
            limit_per_session: 5,
            context: 60,
        }
    }
}

/// A message that has all the words.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Hit {
    /// The session.
    pub session: String,
    /// The message; none for a title.
    pub uuid: Option<String>,
    /// When it was sent, as in the file.
    pub timestamp: Option<String>,
    /// The subagent that wrote it.
    pub agent: Option<String>,
    /// Which part of the message has the words.
    pub part: MessagePart,
    /// The text around the first of the words, in one line.
    pub context: String,
    /// Where in that the words are.
    pub matches: Vec<Range<usize>>,
}

/// A part of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessagePart {
    /// A message of the user.
    Prompt,
    /// Text of the model.
    Answer,
    /// What the model thought.
    Thinking,
    /// What a tool was asked.
    ToolCall,
    /// What a tool gave back.
    ToolResult,
    /// What the program added for the model.
    Note,
    /// What the session is called, or was.
    Title,
}

/// What a search has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchStats {
    /// How many sessions it has looked through.
    pub sessions: usize,
    /// How many bytes that was.
    pub bytes: u64,
    /// How many hits it has given out.
    pub hits: usize,
    /// Whether it was broken off before it had looked through all: by the limit, the callback or the caller.
    pub is_cut: bool,
}

/// Why a search ends before all is looked through.
struct SearchEnd;

impl Store {
    /// Searches the messages of sessions, newest first, and hands out each hit as it is found. Files are
    /// looked through for the bytes of a word first, so most lines are never read as JSON. `is_cancelled` is
    /// asked between blocks of a file.
    pub fn search(
        &self,
        query: &SearchQuery,
        is_cancelled: impl Fn() -> bool,
        mut visit: impl FnMut(Hit) -> ControlFlow<()>,
    ) -> Result<SearchStats, TranscriptError> {
        let mut needles: Vec<Needle> = query.words.iter().filter_map(|word| Needle::new(word)).collect();
        if needles.is_empty() {
            return Err(TranscriptError::NoWords);
        }
        // The one that filters best comes first.
        needles.sort_by_key(|needle| std::cmp::Reverse(needle.strength()));
        let mut search = StoreSearch {
            query,
            needles: &needles,
            is_cancelled: &is_cancelled,
            visit: &mut visit,
            done: SearchStats::default(),
            left: 0,
            titles: HashSet::new(),
        };
        for candidate in self.candidates(query.project.as_deref())? {
            let is_other = |id: &String| *id != candidate.id;
            if query.session.as_ref().is_some_and(is_other) || query.without.contains(&candidate.id) {
                continue;
            }
            let session = StoredSession::of(self, &candidate);
            match search.session(&session) {
                Ok(Ok(())) => {}
                Ok(Err(SearchEnd)) => {
                    search.done.is_cut = true;
                    break;
                }
                // It was deleted meanwhile.
                Err(TranscriptError::NotFound { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(search.done)
    }
}

struct StoreSearch<'s> {
    query: &'s SearchQuery,
    needles: &'s [Needle],
    is_cancelled: &'s dyn Fn() -> bool,
    visit: &'s mut dyn FnMut(Hit) -> ControlFlow<()>,
    done: SearchStats,
    /// How many hits of this session may follow.
    left: usize,
    /// The titles of this session that were found. Programs write them again and again.
    titles: HashSet<String>,
}

impl StoreSearch<'_> {
    fn session(&mut self, session: &StoredSession) -> Result<Result<(), SearchEnd>, TranscriptError> {
        self.left = self.query.limit_per_session.max(1);
        self.titles.clear();
        self.done.sessions += 1;
        if self.file(session, None, session.file()?)?.is_err() {
            return Ok(Err(SearchEnd));
        }
        for subagent in session.subagents()? {
            if self.left == 0 {
                break;
            }
            if self.file(session, Some(subagent.id()), subagent.file()?)?.is_err() {
                return Ok(Err(SearchEnd));
            }
        }
        Ok(Ok(()))
    }

    /// Looks through a file block by block, each with the beginning of the line that the last one broke off.
    fn file(
        &mut self,
        session: &StoredSession,
        agent: Option<&str>,
        mut file: impl Read,
    ) -> Result<Result<(), SearchEnd>, TranscriptError> {
        let mut buffer = vec![0; BLOCK];
        let mut kept = 0;
        loop {
            if (self.is_cancelled)() {
                return Ok(Err(SearchEnd));
            }
            if kept == buffer.len() {
                // A line past the wire's limit is not a line: what was kept of it is dropped.
                if buffer.len() > DEFAULT_LINE_LIMIT {
                    kept = 0;
                } else {
                    buffer.resize(buffer.len() * 2, 0);
                }
            }
            let count = file.read(&mut buffer[kept..]).map_err(TranscriptError::read(&session.path()))?;
            self.done.bytes += count as u64;
            let filled = kept + count;
            let whole = match memchr::memrchr(b'\n', &buffer[..filled]) {
                _ if count == 0 => filled,
                Some(end) => end + 1,
                None => 0,
            };
            if self.block(session, agent, &buffer[..whole]).is_err() {
                return Ok(Err(SearchEnd));
            }
            if count == 0 || self.left == 0 {
                return Ok(Ok(()));
            }
            buffer.copy_within(whole..filled, 0);
            kept = filled - whole;
        }
    }

    /// Looks through whole lines.
    fn block(&mut self, session: &StoredSession, agent: Option<&str>, bytes: &[u8]) -> Result<(), SearchEnd> {
        let [first, others @ ..] = self.needles else { return Ok(()) };
        let mut from = 0;
        while let Some(at) = first.may_occur(bytes, from) {
            let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1);
            let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end);
            let line = &bytes[start..end];
            from = end + 1;
            if others.iter().any(|needle| needle.may_occur(line, 0).is_none()) {
                continue;
            }
            let Some(hit) = self.line(session, agent, line) else { continue };
            self.done.hits += 1;
            self.left -= 1;
            if (self.visit)(hit).is_break() || self.done.hits >= self.query.limit {
                return Err(SearchEnd);
            }
            if self.left == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Whether a line's text has all the words.
    fn line(&mut self, session: &StoredSession, agent: Option<&str>, bytes: &[u8]) -> Option<Hit> {
        let line = TranscriptLine::parse(line_text(bytes).ok()?).ok()?;
        let chained = line.chained();
        let uuid = chained.and_then(|line| line.uuid());
        let mut parts = parts(&line);
        if self.query.only_said {
            parts.retain(|(part, _)| {
                matches!(part, MessagePart::Prompt | MessagePart::Answer | MessagePart::Title)
            });
        }
        let has = |needle: &Needle| parts.iter().any(|(_, text)| needle.find(text, 0).is_some());
        if !self.needles.iter().all(has) {
            return None;
        }
        // The part with most of the words is shown.
        let count = |text: &str| self.needles.iter().filter(|needle| needle.find(text, 0).is_some()).count();
        let (part, text) = parts.iter().rev().max_by_key(|(_, text)| count(text))?;
        if uuid.is_none() && (*part != MessagePart::Title || !self.titles.insert(text.clone())) {
            return None;
        }
        let (context, matches) = self.around(text)?;
        Some(Hit {
            session: session.id().to_owned(),
            uuid: uuid.map(str::to_owned),
            timestamp: chained.and_then(|line| line.timestamp()).map(str::to_owned),
            agent: agent.or(chained.and_then(|line| line.agent_id())).map(str::to_owned),
            part: *part,
            context,
            matches,
        })
    }

    /// The text around the first word that is found, in one line, and where the words are in it.
    fn around(&self, text: &str) -> Option<(String, Vec<Range<usize>>)> {
        let first =
            self.needles.iter().filter_map(|needle| needle.find(text, 0)).min_by_key(|range| range.start)?;
        let back = |at: usize| {
            text[..at].char_indices().rev().take(self.query.context).last().map_or(at, |(at, _)| at)
        };
        let on = |at: usize| {
            text[at..].char_indices().nth(self.query.context).map_or(text.len(), |(more, _)| at + more)
        };
        let (start, end) = (back(first.start), on(first.end));
        let mut context = String::new();
        if start > 0 {
            context.push('…');
        }
        context.extend(text[start..end].chars().map(|c| if c.is_control() { ' ' } else { c }));
        let shown = context.len();
        if end < text.len() {
            context.push('…');
        }
        let mut matches: Vec<Range<usize>> = Vec::new();
        for needle in self.needles {
            let mut from = 0;
            while let Some(range) = needle.find(&context[..shown], from) {
                from = range.end;
                matches.push(range);
            }
        }
        matches.sort_by_key(|range| range.start);
        Some((context, matches))
    }
}

/// The text of a line, part by part.
fn parts(line: &TranscriptLine<'_>) -> Vec<(MessagePart, String)> {
    let mut parts = Vec::new();
    match line {
        TranscriptLine::User(line) => {
            let part_kind = if line.is_meta() || line.is_compact_summary == Some(true) {
                MessagePart::Note
            } else {
                MessagePart::Prompt
            };
            if let Some(message) = line.message.view() {
                content(&message.content, part_kind, &mut parts);
            }
        }
        TranscriptLine::Assistant(line) => {
            if let Some(message) = line.message.view() {
                message.content.iter().for_each(|part| block(part, MessagePart::Answer, &mut parts));
            }
        }
        TranscriptLine::Attachment(line) => {
            if let Attachment::QueuedCommand(queued) = &line.attachment {
                content(&queued.prompt, MessagePart::Prompt, &mut parts);
            }
        }
        TranscriptLine::CustomTitle(line) => parts.push((MessagePart::Title, line.custom_title.to_string())),
        TranscriptLine::AiTitle(line) => parts.push((MessagePart::Title, line.ai_title.to_string())),
        TranscriptLine::Summary(line) => parts.push((MessagePart::Title, line.summary.to_string())),
        _ => {}
    }
    parts
}

fn content(content: &Content<'_>, part_kind: MessagePart, parts: &mut Vec<(MessagePart, String)>) {
    match content {
        Content::Text(text) => parts.push((part_kind, text.to_string())),
        other => other.blocks().iter().for_each(|part| block(part, part_kind, parts)),
    }
}

fn block(block: &ContentBlock<'_>, part_kind: MessagePart, parts: &mut Vec<(MessagePart, String)>) {
    match block {
        ContentBlock::Text(block) => parts.push((part_kind, block.text.to_string())),
        ContentBlock::Thinking(block) => parts.push((MessagePart::Thinking, block.thinking.to_string())),
        ContentBlock::ToolUse(call) | ContentBlock::ServerToolUse(call) => {
            let mut words = call.name.to_string();
            strings(&call.input, &mut words);
            parts.push((MessagePart::ToolCall, words));
        }
        ContentBlock::ToolResult(result) => {
            if let Some(result) = &result.content {
                content(result, MessagePart::ToolResult, parts);
            }
        }
        _ => {}
    }
}

/// The strings in a JSON value, a space before each.
fn strings(value: &Raw<'_>, out: &mut String) {
    if let Some(text) = value.view::<Str<'_>>() {
        out.push(' ');
        out.push_str(&text);
    } else if let Some(members) = value.view::<Map<'_, Raw<'_>>>() {
        members.iter().for_each(|(_, value)| strings(value, out));
    } else if let Some(items) = value.view::<Vec<Raw<'_>>>() {
        items.iter().for_each(|value| strings(value, out));
    }
}
