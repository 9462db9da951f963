//! The results of calls, and the notice of an interruption.

use aqueduct_tools::{BuiltInTool, CallOutput, ToolFailure};
use aqueduct_wire::FromAgent;
use aqueduct_wire::block::{Content, ContentBlock, TextBlock, ToolResultBlock};
use aqueduct_wire::frame::{ToolResultMeta, UserFrame};
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::message::UserMessage;

use super::answer::CallBlock;
use super::call::InvalidCall;
use super::{Interrupted, Turn, TurnEnd};
use crate::clock::{self, fresh_uuid};
use crate::trace;
use crate::transcript::UserLine;

/// The result of a call that the user rejected together with the turn. Hosts and readers of transcripts compare this
/// text as a whole to show that a call was declined, as they do with the notices below.
pub(super) const REJECTED: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the \
     new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to \
     proceed.";

/// The result of a call that was interrupted, before what the call had given by then. Hosts know it by the first
/// sentence.
const CUT_OFF: &str = "The user doesn't want to proceed with this tool use. It was interrupted while it ran.";

/// What follows where the call itself does not report what it had done by then.
const IN_PART: &str = "It may have taken effect in part.";

/// The notices that hosts know an interruption by.
const INTERRUPTED: &str = "[Request interrupted by user]";
const INTERRUPTED_IN_TOOLS: &str = "[Request interrupted by user for tool use]";

/// What became of a call.
pub(super) struct CallResult {
    pub(super) content: Content<'static>,
    pub(super) is_error: bool,
    /// `None` where the tool never said anything.
    pub(super) result: Option<Raw<'static>>,
    pub(super) meta: Option<ToolResultMeta<'static>>,
}

impl Turn<'_> {
    /// Records a result and sends it.
    pub(super) async fn send_result(
        &mut self,
        call: &CallBlock,
        reported: CallResult,
    ) -> Result<(), TurnEnd> {
        trace::call_ended(&call.block.name, &call.block.id, reported.is_error);
        if self.by.is_none() {
            self.dialogue.write_queue(self.session);
        }
        self.note_call(call, &reported.content);
        let mut block = ToolResultBlock::new(call.block.id.clone());
        block.content = Some(reported.content);
        // Commands report how they ended also on success; other tools only on failure.
        let has_error_flag = reported.is_error
            || BuiltInTool::called(&call.block.name).is_some_and(|tool| tool.facts.runs_commands);
        block.is_error = has_error_flag.then_some(reported.is_error);
        let mut message = UserMessage::new(Content::Blocks(vec![ContentBlock::ToolResult(block)]));
        message.role = Some("user".into());
        let uuid = fresh_uuid();
        let text = Raw::written(&message);
        let mut line = UserLine::new(&uuid, &text);
        line.tool_use_result = reported.result.as_ref();
        line.source_tool_assistant_uuid = Some(&call.uuid);
        self.dialogue.user(&line)?;
        self.steps += 1;

        let mut frame = self.user_frame(message, &uuid);
        // What a subagent's tools gave is between it and them; what went wrong is not.
        frame.tool_use_result = reported.result.filter(|_| self.by.is_none() || reported.is_error);
        frame.tool_result_meta = reported.meta.map(|mut meta| {
            meta.id = call.block.id.clone();
            vec![meta]
        });
        self.send_frame(FromAgent::User(Box::new(frame))).await;
        self.send_notices().await;
        Ok(())
    }

    /// Records and reports that the user interrupted the turn.
    pub(super) async fn send_interruption(&mut self, hit: Interrupted) -> Result<(), TurnEnd> {
        let notice = match hit {
            Interrupted::Streaming => INTERRUPTED,
            Interrupted::Tools => INTERRUPTED_IN_TOOLS,
        };
        let block = ContentBlock::Text(TextBlock::new(notice));
        let mut message = UserMessage::new(Content::Blocks(vec![block]));
        message.role = Some("user".into());
        let uuid = fresh_uuid();
        let text = Raw::written(&message);
        self.dialogue.user(&UserLine::new(&uuid, &text))?;
        self.steps += 1;
        let frame = self.user_frame(message, &uuid);
        self.send_frame(FromAgent::User(Box::new(frame))).await;
        Ok(())
    }

    pub(super) fn user_frame(&self, message: UserMessage<'static>, uuid: &str) -> UserFrame<'static> {
        let mut frame = UserFrame::new(message);
        frame.uuid = Some(uuid.to_owned().into());
        frame.session_id = Some(self.session.id().into());
        frame.timestamp = Some(clock::now().into());
        frame
    }
}

impl CallResult {
    /// Of a call that the user stopped, before it started or while it ran.
    pub(super) fn stopped(message: &str) -> Self {
        let mut meta = ToolResultMeta::new("");
        meta.non_execution_kind = Some("user-rejected".into());
        let result = Raw::written(&Str::from("User rejected tool use"));
        let content = Content::Text(message.to_owned().into());
        CallResult { content, is_error: true, result: Some(result), meta: Some(meta) }
    }

    pub(super) fn failed(message: &str, meta: Option<ToolResultMeta<'static>>) -> Self {
        CallResult {
            content: Content::Text(message.to_owned().into()),
            is_error: true,
            result: Some(error_result(message)),
            meta,
        }
    }

    /// Of a call that can't run. Hosts look for the name at the beginning of the text, where it has one.
    pub(super) fn invalid(error: &InvalidCall, meta: Option<ToolResultMeta<'static>>) -> Self {
        let text = error.to_string();
        CallResult {
            content: rejection(&text),
            is_error: true,
            result: Some(match error.is_named() {
                true => Raw::written(&Str::from(text)),
                false => error_result(&text),
            }),
            meta,
        }
    }

    pub(super) fn of(
        outcome: Result<CallOutput, ToolFailure>,
        meta: Option<ToolResultMeta<'static>>,
    ) -> Self {
        match outcome {
            Ok(output) => CallResult {
                content: output.content,
                is_error: output.is_error,
                result: Some(output.result),
                meta,
            },
            Err(ToolFailure::Rejected(text)) => CallResult {
                content: rejection(&text),
                is_error: true,
                result: Some(error_result(&text)),
                meta,
            },
            Err(ToolFailure::Failed(text)) => CallResult::failed(&text, meta),
            Err(ToolFailure::Interrupted(text)) => {
                let rest = if text.trim().is_empty() { IN_PART } else { &text };
                CallResult::stopped(&format!("{CUT_OFF}\n{rest}"))
            }
        }
    }
}

/// What the model gets in place of the result of a call that was rejected.
fn rejection(text: &str) -> Content<'static> {
    Content::Text(format!("<tool_use_error>{text}</tool_use_error>").into())
}

/// What hosts get in place of a structured result where the tool failed.
fn error_result(message: &str) -> Raw<'static> {
    Raw::written(&Str::from(format!("Error: {message}")))
}
