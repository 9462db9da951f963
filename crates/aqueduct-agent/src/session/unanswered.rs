//! A turn of an earlier process that never got its answer: killed, or interrupted.

use aqueduct_wire::block::{Content, ContentBlock, ToolResultBlock};
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::message::{StopReason, UserMessage};

use super::Dialogue;
use super::synthetic::synthetic;
use crate::clock::fresh_uuid;
use crate::history::LOST_RESULT;
use crate::transcript::{self, AssistantLine, TranscriptFileError, UserLine};

/// The text in place of the answer, which readers of transcripts recognize.
const NO_ANSWER: &str = "No response requested.";

/// Why a call has no result of its own.
const INTERRUPTED: &str = "interrupted";

/// What a resumed conversation lacks at its end.
#[derive(Debug, Default)]
pub(crate) struct UnansweredCalls {
    /// The calls without a result, each with the line that it is in.
    calls: Vec<(String, String)>,
}

impl UnansweredCalls {
    /// What a conversation lacks; `None` where its last turn was answered.
    pub(super) fn of(entries: &[transcript::ConversationEntry]) -> Option<Self> {
        let calls = open_calls(entries);
        let last = entries.iter().rfind(|entry| !entry.is_meta)?;
        let awaits =
            last.role == transcript::EntryRole::User && !last.is_compact_summary && !is_command(last);
        (awaits || !calls.is_empty()).then_some(UnansweredCalls { calls })
    }
}

impl Dialogue {
    /// Closes the turn of an earlier process that never got its answer, so that the next prompt does not pass for a
    /// part of it.
    pub(crate) fn close_unanswered(&mut self) -> Result<(), TranscriptFileError> {
        let Some(lacks) = self.unanswered.take() else { return Ok(()) };
        for (call, line) in &lacks.calls {
            let mut block = ToolResultBlock::new(call.clone());
            block.content = Some(Content::Text(LOST_RESULT.into()));
            block.is_error = Some(true);
            let mut message = UserMessage::new(Content::Blocks(vec![ContentBlock::ToolResult(block)]));
            message.role = Some("user".into());
            let (uuid, message, result) =
                (fresh_uuid(), Raw::written(&message), Raw::written(&Str::from(LOST_RESULT)));
            let mut answer = UserLine::new(&uuid, &message);
            answer.tool_use_result = Some(&result);
            answer.tool_denial_kind = Some(INTERRUPTED);
            answer.source_tool_assistant_uuid = Some(line);
            self.user(&answer)?;
        }
        let (uuid, message) = (fresh_uuid(), Raw::written(&synthetic(NO_ANSWER, StopReason::StopSequence)));
        self.assistant(&AssistantLine::new(&uuid, &message))
    }
}

/// The calls at the end of a conversation that have no result, each with the line that it is in.
fn open_calls(entries: &[transcript::ConversationEntry]) -> Vec<(String, String)> {
    let mut open: Vec<(String, String)> = Vec::new();
    for entry in entries {
        let Some(content) = entry.content.view::<Content<'_>>() else { continue };
        let is_user = entry.role == transcript::EntryRole::User;
        for block in content.blocks() {
            match block {
                ContentBlock::ToolUse(call) => open.push((call.id.to_string(), entry.uuid.clone())),
                ContentBlock::ToolResult(result) => open.retain(|(call, _)| *call != *result.tool_use_id),
                _ if is_user => open.clear(),
                _ => (),
            }
        }
        if is_user && content.blocks().is_empty() {
            open.clear();
        }
    }
    open
}

/// Whether a message is a slash command that no model answers, or what one printed.
fn is_command(entry: &transcript::ConversationEntry) -> bool {
    let starts = |start: &str| text_of(&entry.content).is_some_and(|text| text.starts_with(start));
    starts("<command-name>") || starts("<local-command-")
}

fn text_of(content: &Raw<'_>) -> Option<String> {
    Some(content.view::<Str<'_>>()?.into_string())
}
