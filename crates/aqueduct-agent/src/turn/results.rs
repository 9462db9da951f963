//! The results of calls, and the notice of an interruption.

use aqueduct_wire::FromAgent;
use aqueduct_wire::block::{Content, ContentBlock, TextBlock, ToolResultBlock};
use aqueduct_wire::frame::{ToolResultMeta, UserFrame};
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::message::UserMessage;

use super::answer::CallBlock;
use super::{End, Interrupted, Turn};
use crate::json_text::to_raw;
use crate::moment::{self, fresh_uuid};
use crate::tool::{BASH, Failure, Output};
use crate::transcript::UserLine;

/// What the model is told of a call that the user rejected together with the turn.
pub(super) const REJECTED: &str = "The user does not want this call and has stopped the turn. Nothing of it was done. Wait for what the user says \
     next.";

/// What the model is told of a call that was interrupted, before what the call had given by then.
const CUT_OFF: &str = "The user interrupted the call before it was done.";

/// The notices that hosts know an interruption by.
const INTERRUPTED: &str = "[Request interrupted by user]";
const INTERRUPTED_IN_TOOLS: &str = "[Request interrupted by user for tool use]";

/// What became of a call.
pub(super) struct Told {
    pub(super) content: Content<'static>,
    pub(super) is_error: bool,
    /// `None` where the tool never said anything.
    pub(super) result: Option<Raw<'static>>,
    pub(super) meta: Option<ToolResultMeta<'static>>,
}

impl Turn<'_> {
    /// Keeps a result and tells it.
    pub(super) async fn tell_result(&mut self, call: &CallBlock, told: Told) -> Result<(), End> {
        self.session.journal.note(|| {
            format!(
                "{} {} {}",
                call.block.name,
                call.block.id,
                if told.is_error { "failed" } else { "is done" }
            )
        });
        self.note_call(call, &told.content);
        let mut block = ToolResultBlock::new(call.block.id.clone());
        block.content = Some(told.content);
        // Commands say how they ended also where all is well; other tools only where it is not.
        let says = told.is_error || call.block.name.as_str() == BASH;
        block.is_error = says.then_some(told.is_error);
        let mut message = UserMessage::new(Content::Blocks(vec![ContentBlock::ToolResult(block)]));
        message.role = Some("user".into());
        let uuid = fresh_uuid();
        let text = to_raw(&message);
        let mut line = UserLine::new(&uuid, &text);
        line.tool_use_result = told.result.as_ref();
        line.source_tool_assistant_uuid = Some(&call.uuid);
        self.dialogue.user(&line)?;
        self.steps += 1;

        let mut frame = self.user_frame(message, &uuid);
        // What a subagent's tools gave is between it and them; what went wrong is not.
        frame.tool_use_result = told.result.filter(|_| self.by.is_none() || told.is_error);
        frame.tool_result_meta = told.meta.map(|mut meta| {
            meta.id = call.block.id.clone();
            vec![meta]
        });
        self.tell(FromAgent::User(Box::new(frame))).await;
        Ok(())
    }

    /// Keeps and tells that the user interrupted the turn.
    pub(super) async fn tell_interruption(&mut self, hit: Interrupted) -> Result<(), End> {
        let notice = match hit {
            Interrupted::Streaming => INTERRUPTED,
            Interrupted::Tools => INTERRUPTED_IN_TOOLS,
        };
        let block = ContentBlock::Text(TextBlock::new(notice));
        let mut message = UserMessage::new(Content::Blocks(vec![block]));
        message.role = Some("user".into());
        let uuid = fresh_uuid();
        let text = to_raw(&message);
        self.dialogue.user(&UserLine::new(&uuid, &text))?;
        self.steps += 1;
        let frame = self.user_frame(message, &uuid);
        self.tell(FromAgent::User(Box::new(frame))).await;
        Ok(())
    }

    pub(super) fn user_frame(&self, message: UserMessage<'static>, uuid: &str) -> UserFrame<'static> {
        let mut frame = UserFrame::new(message);
        frame.uuid = Some(uuid.to_owned().into());
        frame.session_id = Some(self.session.id().into());
        frame.timestamp = Some(moment::now().into());
        frame
    }
}

impl Told {
    /// Of a call that the user stopped, before it started or while it ran.
    pub(super) fn stopped(message: &str) -> Self {
        let mut meta = ToolResultMeta::new("");
        meta.non_execution_kind = Some("user-rejected".into());
        let result = to_raw(&Str::from("User rejected tool use"));
        let content = Content::Text(message.to_owned().into());
        Told { content, is_error: true, result: Some(result), meta: Some(meta) }
    }

    pub(super) fn failed(message: &str, meta: Option<ToolResultMeta<'static>>) -> Self {
        Told {
            content: Content::Text(message.to_owned().into()),
            is_error: true,
            result: Some(error_result(message)),
            meta,
        }
    }

    pub(super) fn of(outcome: Result<Output, Failure>, meta: Option<ToolResultMeta<'static>>) -> Self {
        match outcome {
            Ok(output) => {
                Told { content: output.content, is_error: output.is_error, result: Some(output.result), meta }
            }
            Err(Failure::Rejected(text)) => Told {
                content: Content::Text(format!("<tool_use_error>{text}</tool_use_error>").into()),
                is_error: true,
                result: Some(error_result(&text)),
                meta,
            },
            Err(Failure::Failed(text)) => Told::failed(&text, meta),
            Err(Failure::Interrupted(text)) => {
                let text =
                    if text.trim().is_empty() { CUT_OFF.to_owned() } else { format!("{CUT_OFF}\n{text}") };
                Told::stopped(&text)
            }
        }
    }
}

/// What hosts get in place of a structured result where the tool failed.
fn error_result(message: &str) -> Raw<'static> {
    to_raw(&Str::from(format!("Error: {message}")))
}
