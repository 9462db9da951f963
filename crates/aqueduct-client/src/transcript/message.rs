use std::time::SystemTime;

use aqueduct_wire::FromAgent;
use aqueduct_wire::block::Content;
use aqueduct_wire::frame::{AssistantFrame, UserFrame};
use aqueduct_wire::json::{IntoOwned, Raw, Str};
use aqueduct_wire::message::UserMessage;
use aqueduct_wire::system::{CompactBoundary, CompactMetadata, SystemFrame};
use aqueduct_wire::transcript::{
    AssistantLine, Attachment, ChainEntryKind, Chained, CompactionNote, PromptText, SystemLine,
    TranscriptLine, UserLine, prompt,
};
use jiff::Timestamp;

/// A message of a stored conversation, with its line.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    uuid: String,
    kind: ChainEntryKind,
    line: String,
    /// The tool call that started the subagent.
    call: Option<String>,
}

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Speaker {
    /// A person.
    User,
    /// The model.
    Assistant,
    /// A tool, with its result.
    Tool,
    /// The program, to the model or about the conversation.
    Program,
}

impl Message {
    /// A message from its line, which the index has read.
    pub(super) fn new(uuid: &str, kind: ChainEntryKind, line: String) -> Self {
        Message { uuid: uuid.to_owned(), kind, line, call: None }
    }

    /// The same, by a subagent.
    pub(super) fn of_subagent(self, call: &str) -> Self {
        Message { call: Some(call.to_owned()), ..self }
    }

    /// The message's id, which was the frame's too.
    pub fn uuid(&self) -> &str {
        &self.uuid
    }

    /// The line as it is in the file.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// What kind of line it is.
    pub fn kind(&self) -> ChainEntryKind {
        self.kind
    }

    /// The line, typed. Nothing of it is lost.
    pub fn typed(&self) -> Option<TranscriptLine<'_>> {
        TranscriptLine::parse(&self.line).ok()
    }

    /// When it was sent.
    pub fn time(&self) -> Option<SystemTime> {
        let line = self.typed()?;
        let timestamp = line.chained()?.timestamp()?.parse::<Timestamp>().ok()?;
        Some(SystemTime::from(timestamp))
    }

    /// The author.
    pub fn speaker(&self) -> Speaker {
        match self.typed() {
            Some(TranscriptLine::User(line)) => match &*line {
                line if line.is_tool_result() => Speaker::Tool,
                line if is_message(line) => Speaker::User,
                _ => Speaker::Program,
            },
            Some(TranscriptLine::Assistant(line)) => match line.is_api_error_message {
                Some(true) => Speaker::Program,
                _ => Speaker::Assistant,
            },
            Some(TranscriptLine::Attachment(_)) => Speaker::User,
            _ => Speaker::Program,
        }
    }

    /// The message as the frame that an agent would send: for screens that show frames. A prompt that was
    /// sent while the model was at work is a `user` frame as any other.
    pub fn frame(&self) -> Option<FromAgent<'static>> {
        Some(match self.typed()? {
            TranscriptLine::User(line) => FromAgent::User(Box::new(self.user(&line)?)),
            TranscriptLine::Assistant(line) => FromAgent::Assistant(Box::new(self.assistant(&line)?)),
            TranscriptLine::System(line) if line.is_boundary() => {
                FromAgent::System(SystemFrame::CompactBoundary(Box::new(boundary(&line))))
            }
            TranscriptLine::Attachment(line) => match &line.attachment {
                Attachment::QueuedCommand(queued) => {
                    FromAgent::User(Box::new(self.queued(queued.prompt.clone(), line.as_ref())))
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    fn user(&self, line: &UserLine<'_>) -> Option<UserFrame<'static>> {
        let mut frame = UserFrame::new(line.message.view()?.into_owned());
        self.fill_user(&mut frame, line);
        frame.tool_use_result = line.tool_use_result.clone().map(Raw::into_owned);
        frame.is_compact_summary = line.is_compact_summary;
        frame.is_synthetic = (!line.is_tool_result() && !is_message(line)).then_some(true);
        frame.source_tool_assistant_uuid = owned(line.source_tool_assistant_uuid.as_deref());
        frame.permission_mode = line.permission_mode.clone().into_owned();
        frame.origin = line.origin.clone().into_owned();
        Some(frame)
    }

    fn queued(&self, prompt: Content<'_>, line: &dyn Chained) -> UserFrame<'static> {
        let mut message = UserMessage::new(prompt.into_owned());
        message.role = Some("user".into());
        let mut frame = UserFrame::new(message);
        self.fill_user(&mut frame, line);
        frame
    }

    fn fill_user(&self, frame: &mut UserFrame<'static>, line: &dyn Chained) {
        frame.parent_tool_use_id = owned(self.call.as_deref());
        frame.uuid = owned(Some(&self.uuid));
        frame.session_id = owned(line.session_id());
        frame.timestamp = owned(line.timestamp());
        frame.agent_id = owned(line.agent_id());
        frame.is_meta = line.is_meta().then_some(true);
    }

    fn assistant(&self, line: &AssistantLine<'_>) -> Option<AssistantFrame<'static>> {
        let mut frame = AssistantFrame::new(Box::new(line.message.view()?.into_owned()));
        frame.parent_tool_use_id = owned(self.call.as_deref());
        frame.uuid = owned(Some(&self.uuid));
        frame.session_id = owned(line.session_id());
        frame.timestamp = owned(line.timestamp());
        frame.agent_id = owned(line.agent_id());
        frame.request_id = owned(line.request_id.as_deref());
        frame.error = line.error.clone().map(|error| Str::into_owned(error).into());
        frame.is_api_error_message = line.is_api_error_message;
        frame.aborted = line.is_aborted_mid_stream;
        Some(frame)
    }
}

/// Whether a user wrote it.
fn is_message(line: &UserLine<'_>) -> bool {
    matches!(prompt(line), Some(PromptText::Said(_) | PromptText::Medium(_)))
}

fn boundary(line: &SystemLine<'_>) -> CompactBoundary<'static> {
    let metadata = line.compact_metadata.as_deref().map_or_else(CompactMetadata::new, metadata);
    let mut frame = CompactBoundary::new(Box::new(metadata));
    frame.uuid = owned(line.uuid.as_deref());
    frame.session_id = owned(line.session_id.as_deref());
    frame.logical_parent_uuid = owned(line.logical_parent_uuid.as_deref());
    frame
}

fn metadata(note: &CompactionNote<'_>) -> CompactMetadata<'static> {
    let mut metadata = CompactMetadata::new();
    metadata.trigger = note.trigger.clone().into_owned();
    metadata.pre_tokens = note.pre_tokens.clone().into_owned();
    metadata.post_tokens = note.post_tokens.clone().into_owned();
    metadata.duration_ms = note.duration_ms.clone().into_owned();
    metadata.cumulative_dropped_tokens = note.cumulative_dropped_tokens.clone().into_owned();
    metadata
}

fn owned(text: Option<&str>) -> Option<Str<'static>> {
    text.map(|text| text.to_owned().into())
}
