//! The conversation as it is shown.

use std::io::{self, Write};

use aqueduct_wire::block::{Content, ContentBlock, ToolResultBlock};
use aqueduct_wire::codec::Line;
use aqueduct_wire::frame::{AssistantFrame, UserFrame};
use aqueduct_wire::gemini::GeminiEvent;
use aqueduct_wire::recording::{RecordingContent, RecordingDirection, RecordingLine};
use aqueduct_wire::{FromAgent, ToAgent};

use super::dialogue::OpenRequests;
use super::page::TextPage;
use super::progress::{News, Progress};
use super::{events, gemini, turn};
use crate::output::TerminalInfo;
use crate::terminal::{Tone, fit, plain, summary_line, title, width};

/// How many lines of a prompt are shown.
const PROMPT_LINES: usize = 20;

/// Everything that showing a frame needs.
pub(crate) struct ViewedConversation<W> {
    pub(super) page: TextPage<W>,
    pub(super) progress: Progress,
    pub(super) dialogue: OpenRequests,
    pub(super) session: turn::ViewedSession,
    pub(super) shows_thinking: bool,
    /// The call whose line was the last one, so that its result needs no name.
    last_call: Option<String>,
    /// Whether the host's side is in the stream as well.
    shows_host: bool,
    /// What has been shown already and comes again: it is not shown twice.
    pub(super) reported: ReportedTurn,
}

/// What a turn has shown already.
#[derive(Debug, Default)]
pub(super) struct ReportedTurn {
    /// Why the last tool call was denied; its result repeats it.
    pub(super) denial: Option<String>,
    /// That the turn is interrupted: the host, the notice and the result all report it.
    pub(super) interrupt: bool,
    /// What went wrong; the result repeats it.
    pub(super) error: Option<String>,
}

impl<W: Write> ViewedConversation<W> {
    pub(crate) fn new(out: W, screen: &TerminalInfo, shows_thinking: bool) -> Self {
        ViewedConversation {
            page: TextPage::new(out, screen),
            progress: Progress::default(),
            dialogue: OpenRequests::default(),
            session: turn::ViewedSession::default(),
            shows_thinking,
            last_call: None,
            shows_host: false,
            reported: ReportedTurn::default(),
        }
    }

    /// Shows a line of a stream or a recording.
    pub(super) fn line(&mut self, line: &Line<'_>) -> io::Result<()> {
        let entry =
            if line.text.starts_with("{\"type\"") { None } else { RecordingLine::recognize(line.text) };
        let Some(entry) = entry else { return self.agent_line(line.number, line.text) };
        let Some(content) = entry.content() else { return Ok(()) };
        match (&entry.dir, content) {
            (RecordingDirection::Out, RecordingContent::Frame(raw)) => {
                self.agent_line(line.number, raw.as_str())
            }
            (RecordingDirection::In, RecordingContent::Frame(raw)) => {
                self.host_line(line.number, raw.as_str())
            }
            (_, RecordingContent::Frame(raw)) => self.page.line(0, &[(Tone::Dim, raw.as_str())]),
            (RecordingDirection::In | RecordingDirection::Out, RecordingContent::Text(text))
                if text.trim().is_empty() =>
            {
                Ok(())
            }
            (RecordingDirection::In, RecordingContent::Text(text)) => self.host_line(line.number, &text),
            (RecordingDirection::Out, RecordingContent::Text(text)) => self.agent_line(line.number, &text),
            (RecordingDirection::Err, RecordingContent::Text(text)) => {
                self.page.line(0, &[(Tone::Yellow, "stderr  "), (Tone::Dim, &text)])
            }
            (_, RecordingContent::Text(text)) => {
                self.page.line(0, &[(Tone::Dim, "note  "), (Tone::Dim, &text)])
            }
            (_, RecordingContent::Bytes(bytes)) => {
                self.bad_line(line.number, &format!("{} bytes that are not text", bytes.len()))
            }
            (_, RecordingContent::LeftOut(why)) => self.bad_line(line.number, &why),
            _ => Ok(()),
        }
    }

    pub(super) fn bad_line(&mut self, number: u64, why: &str) -> io::Result<()> {
        let head = format!("! line {number}  ");
        self.page.line(0, &[(Tone::Yellow, &head), (Tone::Plain, why)])
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.page.flush()
    }

    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.page.close()?;
        self.page.flush()
    }

    fn agent_line(&mut self, number: u64, text: &str) -> io::Result<()> {
        let frame = match FromAgent::parse(text) {
            Ok(frame) => frame,
            Err(error) => return self.bad_line(number, &format!("{error}  {text}")),
        };
        if matches!(frame, FromAgent::Unknown(_) | FromAgent::Error(_))
            && let Some(event) = GeminiEvent::recognize(text)
        {
            return gemini::show(self, &event);
        }
        self.frame(&frame)
    }

    /// Shows a frame of the agent.
    pub(crate) fn frame(&mut self, frame: &FromAgent<'_>) -> io::Result<()> {
        self.progress.push(frame);
        match frame {
            FromAgent::StreamEvent(frame) => events::show(self, frame),
            FromAgent::Assistant(frame) => self.assistant(frame),
            FromAgent::User(frame) => self.user(frame),
            FromAgent::ControlRequest(frame) => self.asked_by_agent(frame),
            FromAgent::ControlResponse(frame) => self.answered(frame),
            FromAgent::ControlCancelRequest(frame) => self.withdrawn(&frame.request_id),
            other => turn::show(self, other),
        }
    }

    fn host_line(&mut self, number: u64, text: &str) -> io::Result<()> {
        self.shows_host = true;
        let frame = match ToAgent::parse(text) {
            Ok(frame) => frame,
            Err(error) => return self.bad_line(number, &format!("from the host, {error}  {text}")),
        };
        match &frame {
            ToAgent::User(frame) => self.prompt(&frame.message.content),
            ToAgent::ControlRequest(frame) => self.asked_by_host(frame),
            ToAgent::ControlResponse(frame) => self.answered(frame),
            ToAgent::ControlCancelRequest(frame) => self.withdrawn(&frame.request_id),
            ToAgent::KeepAlive(_) => Ok(()),
            other => self.page.line(0, &[(Tone::Dim, "host  "), (Tone::Dim, other.tag())]),
        }
    }

    /// A message of the user.
    fn prompt(&mut self, content: &Content<'_>) -> io::Result<()> {
        self.page.gap();
        let text = content.text();
        let lines = text.trim_end().lines().count();
        let shown: Vec<_> = text.trim_end().lines().take(PROMPT_LINES).collect();
        self.page.text(0, (Tone::Cyan, "> "), Tone::Bold, &shown.join("\n"))?;
        if lines > PROMPT_LINES {
            self.page.line(0, &[(Tone::Dim, &format!("  … {} more lines", lines - PROMPT_LINES))])?;
        }
        for block in content.blocks() {
            if !matches!(block, ContentBlock::Text(_)) {
                self.page.line(0, &[(Tone::Cyan, "> "), (Tone::Dim, &format!("[{}]", block.tag()))])?;
            }
        }
        self.page.gap();
        Ok(())
    }

    /// Blocks of the model's answer; most of them have been shown already where deltas are sent.
    fn assistant(&mut self, frame: &AssistantFrame<'_>) -> io::Result<()> {
        let parent = frame.parent_tool_use_id.as_deref();
        if frame.supersedes.as_ref().is_some_and(|uuids| !uuids.is_empty()) {
            let depth = self.progress.depth(parent);
            self.page.line(depth, &[(Tone::Yellow, "! "), (Tone::Dim, "the last message is retracted")])?;
        }
        for news in self.progress.news(parent, false) {
            match news {
                News::Text(passage) if frame.error.is_some() => {
                    self.news(parent, News::Error(passage.text))?
                }
                news => self.news(parent, news)?,
            }
        }
        Ok(())
    }

    /// Shows what is new in a thread.
    pub(super) fn news(&mut self, parent: Option<&str>, news: News) -> io::Result<()> {
        let depth = self.progress.depth(parent);
        match news {
            News::Text(passage) if passage.is_part => self.page.stream(depth, Tone::Plain, &passage.text),
            News::Text(passage) => self.page.text(depth, (Tone::Plain, ""), Tone::Plain, &passage.text),
            News::Thinking(_) if !self.shows_thinking => Ok(()),
            News::Thinking(passage) if passage.is_part => self.page.stream(depth, Tone::Dim, &passage.text),
            News::Thinking(passage) => self.page.text(depth, (Tone::Dim, "· "), Tone::Dim, &passage.text),
            News::Thought(_) if self.shows_thinking => self.page.close(),
            News::Thought(0) => self.page.line(depth, &[(Tone::Dim, "· thought")]),
            News::Thought(characters) => {
                let text = format!("· thought, {characters} characters");
                self.page.line(depth, &[(Tone::Dim, &text)])
            }
            News::Error(text) => {
                self.page.line(depth, &[(Tone::Red, "✗ "), (Tone::Red, &text)])?;
                self.reported.error = Some(text);
                Ok(())
            }
            News::Call { id, name, input } => {
                self.last_call = Some(id);
                let (title, summary) = (title(&name), summary_line(&name, &input, None));
                let spans = [
                    (Tone::Cyan, "● "),
                    (Tone::Bold, &*title),
                    (Tone::Plain, "  "),
                    (Tone::Plain, &*summary),
                ];
                self.page.line(depth, &spans)
            }
            News::Block(block) => match *block {
                ContentBlock::RedactedThinking(_) => {
                    self.page.line(depth, &[(Tone::Dim, "· thinking, encrypted")])
                }
                other => self.page.line(depth, &[(Tone::Dim, "· "), (Tone::Dim, other.tag())]),
            },
        }
    }

    /// Tool results, notices, and messages of the host that come back.
    fn user(&mut self, frame: &UserFrame<'_>) -> io::Result<()> {
        let parent = frame.parent_tool_use_id.as_deref();
        let depth = self.progress.depth(parent);
        for block in frame.message.content.blocks() {
            if let ContentBlock::ToolResult(block) = block {
                self.result(depth, block)?;
            }
        }
        let text = frame.message.content.text();
        let text = text.trim();
        if text.is_empty() {
            return Ok(());
        }
        if text.starts_with("[Request interrupted") {
            return self.interrupted(depth);
        }
        if frame.is_replay == Some(true) && self.shows_host {
            return Ok(());
        }
        if depth == 0 && frame.is_synthetic != Some(true) {
            return self.prompt(&frame.message.content);
        }
        self.page.line(depth, &[(Tone::Dim, "> "), (Tone::Dim, text)])
    }

    /// The turn is interrupted: reported once, by the first source.
    pub(super) fn interrupted(&mut self, depth: usize) -> io::Result<()> {
        if std::mem::replace(&mut self.reported.interrupt, true) {
            return Ok(());
        }
        self.page.line(depth, &[(Tone::Yellow, "■ interrupted")])
    }

    /// Whether this call's line was the last one.
    pub(super) fn is_last_call(&self, id: Option<&str>) -> bool {
        id.is_some() && self.last_call.as_deref() == id
    }

    fn result(&mut self, depth: usize, block: &ToolResultBlock<'_>) -> io::Result<()> {
        let text = block.content.as_ref().map(Content::text).unwrap_or_default();
        if self
            .reported
            .denial
            .take()
            .is_some_and(|denial| block.is_error == Some(true) && text.contains(&denial))
        {
            return Ok(());
        }
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let first = lines.next().unwrap_or("");
        let more = lines.count();
        let is_error = block.is_error == Some(true);
        let is_last = self.is_last_call(Some(&block.tool_use_id));
        let name = match self.progress.called(&block.tool_use_id) {
            Some((name, _)) if !is_last => format!("{}  ", title(name)),
            _ => String::new(),
        };
        let images = block.content.as_ref().map_or(0, |content| {
            content.blocks().iter().filter(|block| !matches!(block, ContentBlock::Text(_))).count()
        });
        let shown = match (first, images) {
            ("", 0) => "(nothing)".to_owned(),
            ("", 1) => "(one block that is not text)".to_owned(),
            ("", count) => format!("({count} blocks that are not text)"),
            (first, _) => first.trim_end().to_owned(),
        };
        let tail = if more > 0 {
            format!("  … {more} more {}", if more == 1 { "line" } else { "lines" })
        } else {
            String::new()
        };
        let room = self.page.room(depth).saturating_sub(4 + width(&plain(&name)) + width(&tail));
        let shown = fit(&plain(&shown), room.max(20));
        let (mark, tone) = if is_error { ("  ✗ ", Tone::Red) } else { ("  └ ", Tone::Dim) };
        self.page.line(depth, &[(tone, mark), (Tone::Dim, &name), (tone, &shown), (Tone::Dim, &tail)])
    }
}
