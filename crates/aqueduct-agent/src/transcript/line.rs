use std::ops::Range;

use aqueduct_wire::block::Content;
use aqueduct_wire::frame::LocalCommandRun;
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::origin::Origin;
use aqueduct_wire::transcript::{self as wire, Attachment, QueuedCommand, TranscriptLine};
use jiff::Timestamp;
use memchr::memmem;

use super::LineStamp;
use super::slot::reserve;

/// The name and version that lines record for this program as their author.
const PROGRAM: &str = concat!("aqueduct-agent ", env!("CARGO_PKG_VERSION"));

/// Who wrote a line that no program wrote.
const MODEL: &str = "model";

/// Where a prompt comes from that the program wrote.
const SYSTEM: &str = "system";

/// More than a line has beside its message and its result.
const MEMBERS: usize = 1024;

/// Sets what all lines that hang in the chain have: where they hang, who they are, when and where they were
/// written.
macro_rules! chain {
    ($line:ident, $parent:expr, $reported:expr, $stamp:expr, $now:expr) => {
        $line.parent_uuid = text($parent);
        $line.is_sidechain = Some($stamp.agent_id.is_some());
        $line.agent_id = text($stamp.agent_id.as_deref());
        $line.uuid = text(Some($reported.uuid));
        $line.timestamp = Some($reported.timestamp.map_or_else(|| format!("{:.3}", $now).into(), Str::from));
        $line.user_type = text(Some(&$stamp.user_type));
        $line.entrypoint = text(Some(&$stamp.entrypoint));
        $line.program = text(Some(PROGRAM));
        $line.cwd = text(Some(&$stamp.cwd));
        $line.session_id = text(Some(&$stamp.session_id));
        $line.version = text(Some(&$stamp.version));
        $line.git_branch = text(Some($stamp.branch()));
    };
}

/// A `user` line: what the user said, or what a tool gave back.
#[derive(Debug, Clone)]
pub(crate) struct UserLine<'a> {
    /// The line's id, which is the frame's too.
    pub(crate) uuid: &'a str,
    /// The message.
    pub(crate) message: &'a Raw<'a>,
    /// When; now, where there is none.
    pub(crate) timestamp: Option<&'a str>,
    /// The prompt that this line belongs to.
    pub(crate) prompt_id: Option<&'a str>,
    /// Not written by the user, but sent to the model.
    pub(crate) is_meta: bool,
    /// The summary that replaces the compacted messages.
    pub(crate) is_compact_summary: bool,
    /// The structured result of a tool.
    pub(crate) tool_use_result: Option<&'a Raw<'a>>,
    /// The assistant line whose call this answers.
    pub(crate) source_tool_assistant_uuid: Option<&'a str>,
    /// Why the call that this answers has no result of its own.
    pub(crate) tool_denial_kind: Option<&'a str>,
    /// The permission mode at that time.
    pub(crate) permission_mode: Option<&'a str>,
    /// Where the prompt comes from, if not from the user.
    pub(crate) origin: Option<&'a Origin<'a>>,
}

impl<'a> UserLine<'a> {
    /// A line with what it must have.
    pub(crate) fn new(uuid: &'a str, message: &'a Raw<'a>) -> Self {
        UserLine {
            uuid,
            message,
            timestamp: None,
            prompt_id: None,
            is_meta: false,
            is_compact_summary: false,
            tool_use_result: None,
            source_tool_assistant_uuid: None,
            tool_denial_kind: None,
            permission_mode: None,
            origin: None,
        }
    }

    pub(super) fn write(&self, parent: Option<&str>, stamp: &LineStamp, now: Timestamp) -> String {
        let result = self.tool_use_result.map_or(0, |result| result.as_str().len());
        let length = self.message.as_str().len() + result + MEMBERS;
        let mut line = wire::UserLine::new(self.message.borrowed());
        line.is_meta = flag(self.is_meta);
        line.is_compact_summary = flag(self.is_compact_summary);
        line.is_visible_in_transcript_only = flag(self.is_compact_summary);
        line.tool_use_result = self.tool_use_result.map(Raw::borrowed);
        line.source_tool_assistant_uuid = text(self.source_tool_assistant_uuid);
        line.tool_denial_kind = text(self.tool_denial_kind);
        line.permission_mode = self.permission_mode.map(Into::into);
        line.prompt_id = text(self.prompt_id);
        line.origin = self.origin.map(|origin| Box::new(origin.clone()));
        line.prompt_source = self.origin.filter(|origin| is_notification(origin)).map(|_| SYSTEM.into());
        chain!(line, parent, self, stamp, now);
        TranscriptLine::User(Box::new(line)).to_line_in(length)
    }
}

/// An `assistant` line: one block of the model's answer, or an error in its place.
#[derive(Debug, Clone)]
pub(crate) struct AssistantLine<'a> {
    /// The line's id, which is the frame's too.
    pub(crate) uuid: &'a str,
    /// The message; lines of one answer share its id.
    pub(crate) message: &'a Raw<'a>,
    /// When; now, where there is none.
    pub(crate) timestamp: Option<&'a str>,
    /// The id of the request to the model.
    pub(crate) request_id: Option<&'a str>,
    /// The name of the error that replaces the answer.
    pub(crate) error: Option<&'a str>,
    /// The message is not from the model: it reports why there is no answer. It is not sent to the model.
    pub(crate) is_api_error_message: bool,
    /// The user interrupted the answer.
    pub(crate) is_aborted: bool,
    /// The model's id of the message, where that has not ended: what its end decides is written later.
    pub(crate) open_message: Option<&'a str>,
    /// The model that was asked, and which block of its answer this is; `None` where none was asked.
    pub(crate) answer: Option<AnswerSource<'a>>,
}

/// Where a line comes from in an answer of a model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnswerSource<'a> {
    /// The model that was asked.
    pub(crate) model: &'a str,
    /// The number of the block in its answer, from 0.
    pub(crate) block: usize,
}

impl<'a> AssistantLine<'a> {
    /// A line with what it must have.
    pub(crate) fn new(uuid: &'a str, message: &'a Raw<'a>) -> Self {
        AssistantLine {
            uuid,
            message,
            timestamp: None,
            request_id: None,
            error: None,
            is_api_error_message: false,
            is_aborted: false,
            open_message: None,
            answer: None,
        }
    }

    /// The line, and which part of it is written again when the message ends.
    pub(super) fn write(
        &self,
        parent: Option<&str>,
        stamp: &LineStamp,
        now: Timestamp,
    ) -> (String, Option<Range<usize>>) {
        let reserved = self.open_message.and_then(|_| reserve(self.message));
        let message = reserved.as_ref().and_then(|(text, _)| Raw::parse(text).ok());
        let message = message.unwrap_or_else(|| self.message.borrowed());
        let length = message.as_str().len() + MEMBERS;
        let mut line = wire::AssistantLine::new(message);
        line.request_id = text(self.request_id);
        line.error = text(self.error);
        line.requested_model = text(self.answer.map(|answer| answer.model));
        line.api_block_index = self.answer.map(|answer| (answer.block as u64).into());
        line.made_by = text(self.answer.map(|_| MODEL));
        line.is_api_error_message = flag(self.is_api_error_message);
        line.is_aborted_mid_stream = flag(self.is_aborted);
        chain!(line, parent, self, stamp, now);
        let text = TranscriptLine::Assistant(Box::new(line)).to_line_in(length);
        let slot = reserved.as_ref().and_then(|(message, slot)| {
            let start = memmem::rfind(text.as_bytes(), message.as_bytes())? + slot.start;
            Some(start..start + slot.len())
        });
        (text, slot)
    }
}

/// An `attachment` line: a prompt that a turn took in while it ran.
#[derive(Debug, Clone)]
pub(crate) struct QueuedLine<'a> {
    /// The line's id, which is the prompt's too.
    pub(crate) uuid: &'a str,
    /// The prompt.
    pub(crate) prompt: &'a Content<'a>,
    /// What the queue's lines know this delivery by.
    pub(crate) delivery_id: &'a str,
    /// Where the prompt comes from, if not from the user.
    pub(crate) origin: Option<&'a Origin<'a>>,
    /// Not written by the user, but sent to the model.
    pub(crate) is_meta: bool,
    /// When; now, where there is none.
    pub(crate) timestamp: Option<&'a str>,
}

impl QueuedLine<'_> {
    /// What the prompt is.
    fn mode(&self) -> &'static str {
        match self.origin {
            Some(origin) if is_notification(origin) => "task-notification",
            _ => "prompt",
        }
    }

    pub(super) fn write(&self, parent: Option<&str>, stamp: &LineStamp, now: Timestamp) -> String {
        let mut queued = QueuedCommand::new(self.prompt.clone());
        queued.source_uuid = text(Some(self.uuid));
        queued.delivery_id = text(Some(self.delivery_id));
        queued.command_mode = Some(self.mode().into());
        queued.is_meta = flag(self.is_meta);
        queued.origin = self.origin.map(|origin| Box::new(origin.clone()));
        let mut line = wire::AttachmentLine::new(Attachment::QueuedCommand(Box::new(queued)));
        chain!(line, parent, self, stamp, now);
        TranscriptLine::Attachment(Box::new(line)).to_line()
    }
}

/// Whether a prompt reports the end of a background task.
pub(super) fn is_notification(origin: &Origin<'_>) -> bool {
    matches!(origin, Origin::TaskNotification(_))
}

/// A `system` line: something that happened to the conversation.
#[derive(Debug, Clone)]
pub(crate) struct SystemLine<'a> {
    /// The line's id, which is the frame's too.
    pub(crate) uuid: &'a str,
    /// What happened. A `compact_boundary` begins a new chain.
    pub(crate) subtype: &'a str,
    /// The same for people.
    pub(crate) content: Option<&'a str>,
    /// When; now, where there is none.
    pub(crate) timestamp: Option<&'a str>,
    /// `info`, `warning`, `error`.
    pub(crate) level: Option<&'a str>,
    /// Of a `compact_boundary`: what was compacted, and why.
    pub(crate) compact_metadata: Option<&'a Raw<'a>>,
    /// Of a `compact_boundary`: the lists that the model keeps. What they were made from is behind it.
    pub(crate) lists: Option<&'a Raw<'a>>,
    /// Of a `local_command`: the command that printed it.
    pub(crate) command_run: Option<&'a LocalCommandRun<'a>>,
}

impl<'a> SystemLine<'a> {
    /// A line with what it must have.
    pub(crate) fn new(uuid: &'a str, subtype: &'a str) -> Self {
        SystemLine {
            uuid,
            subtype,
            content: None,
            timestamp: None,
            level: None,
            compact_metadata: None,
            lists: None,
            command_run: None,
        }
    }

    pub(super) fn write(&self, parent: Option<&str>, stamp: &LineStamp, now: Timestamp) -> String {
        let mut line = wire::SystemLine::new(self.subtype);
        line.is_meta = Some(false);
        line.content = text(self.content);
        line.level = text(self.level);
        line.compact_metadata = self.compact_metadata.and_then(|metadata| metadata.view());
        line.lists = self.lists.map(Raw::borrowed);
        line.command_run = self.command_run.map(|run| Box::new(run.clone()));
        chain!(line, parent, self, stamp, now);
        if line.is_boundary() {
            line.logical_parent_uuid = line.parent_uuid.take();
        }
        TranscriptLine::System(Box::new(line)).to_line()
    }
}

fn text(text: Option<&str>) -> Option<Str<'_>> {
    text.map(Str::from)
}

fn flag(is_so: bool) -> Option<bool> {
    is_so.then_some(true)
}
