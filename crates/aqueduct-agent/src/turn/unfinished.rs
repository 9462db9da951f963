//! Answers without calls that are no answer: cut at the limit, stopped by the model's safeguards, announcing a call
//! that is missing, or empty.

use aqueduct_wire::FromAgent;
use aqueduct_wire::error_name::ErrorName;
use aqueduct_wire::frame::{TerminalReason, UserFrame};
use aqueduct_wire::message::StopReason;
use aqueduct_wire::system::{ModelRefusalNoFallback, SystemFrame};

use super::answer::AnswerEnding;
use super::{Turn, TurnEnd};
use crate::clock::fresh_uuid;

/// How often the model may continue an answer that is longer than a message.
const MOST_PARTS: u32 = 3;
/// How often the model may announce a call and make none.
const MOST_MISSING_CALLS: u32 = 2;

const CONTINUE: &str = "The answer reached the output limit. Continue exactly where it ends, without repeating it and \
    without a remark about this. Do what is left in smaller pieces.";
const STOPPED: &str = "The safeguards of the model stopped the answer above; this is not a failure of a tool \
    or of the API. The rest of it was withheld, and calls in it that were not complete did not run. If the \
    request is legitimate, continue in another way; otherwise say what you can't do and why.";
const CALL_MISSING: &str = "The last answer announced a tool call and made none. Make the call now.";
const NOTHING_VISIBLE: &str =
    "The last answer had no text that the user can see. Continue, and answer the user in words.";

const NO_CALL: &str = "The model announced a tool call and made none, also when it was asked again.";

/// How often the model was asked in this turn to complete an answer.
#[derive(Debug, Default)]
pub(super) struct CompletionRetries {
    parts: u32,
    missing_calls: u32,
    was_stopped: bool,
    was_empty: bool,
}

/// The model gave no answer that a turn can end with.
#[derive(Debug)]
pub(crate) struct GivenUp {
    pub(super) text: String,
    pub(super) name: Option<ErrorName<'static>>,
    /// A closer name for it, where there is one.
    pub(super) detail: Option<&'static str>,
    pub(super) reason: TerminalReason<'static>,
    pub(super) stop_reason: StopReason<'static>,
    /// The host has the text already.
    pub(super) is_reported: bool,
}

impl CompletionRetries {
    /// The model has called tools: what comes next is another answer.
    pub(super) fn forget(&mut self) {
        *self = CompletionRetries { was_stopped: self.was_stopped, ..CompletionRetries::default() };
    }
}

impl Turn<'_> {
    /// Asks the model to complete an answer that is none; whether it did. Fails where it was asked often enough.
    pub(super) async fn complete_answer(&mut self, ending: &AnswerEnding) -> Result<bool, TurnEnd> {
        match &ending.stop_reason {
            Some(StopReason::MaxTokens | StopReason::ContextWindowExceeded) => self.next_part().await,
            Some(StopReason::Refusal) => self.after_refusal(ending).await,
            Some(StopReason::ToolUse) => self.missing_call(ending).await,
            _ if !ending.has_content && !self.unfinished.was_empty => {
                self.unfinished.was_empty = true;
                self.say_for_user(NOTHING_VISIBLE).await.map(|()| true)
            }
            _ => Ok(false),
        }
    }

    async fn next_part(&mut self) -> Result<bool, TurnEnd> {
        if self.unfinished.parts >= MOST_PARTS {
            let text = format!(
                "API Error: The response exceeded the {} output token maximum. Set CLAUDE_CODE_MAX_OUTPUT_TOKENS to \
                 change it.",
                self.max_output_tokens()
            );
            return Err(TurnEnd::GivenUp(Box::new(GivenUp {
                text,
                name: Some(ErrorName::MaxOutputTokens),
                detail: Some("max_output_tokens"),
                reason: TerminalReason::ApiError,
                stop_reason: StopReason::StopSequence,
                is_reported: false,
            })));
        }
        self.unfinished.parts += 1;
        self.say_for_user(CONTINUE).await.map(|()| true)
    }

    /// The model may continue once after its safeguards stopped it.
    async fn after_refusal(&mut self, ending: &AnswerEnding) -> Result<bool, TurnEnd> {
        if self.unfinished.was_stopped {
            return Err(TurnEnd::GivenUp(Box::new(GivenUp {
                text: self.refusal_text(),
                name: Some(ErrorName::InvalidRequest),
                detail: None,
                reason: TerminalReason::ApiError,
                stop_reason: StopReason::Refusal,
                is_reported: true,
            })));
        }
        self.unfinished.was_stopped = true;
        let note = format!("The safeguards of {} stopped the answer above; it continues once.", self.model());
        self.session.send_note(&note, "notice").await;
        let message_id = ending.message_id.clone();
        self.say_marked(STOPPED, |frame| frame.refused_message_id = message_id.map(Into::into))
            .await
            .map(|()| true)
    }

    /// Reports a second refusal before its message ends.
    pub(super) async fn send_refusal(&mut self, request_id: Option<String>, message_id: Option<String>) {
        if !self.unfinished.was_stopped {
            return;
        }
        let mut frame = ModelRefusalNoFallback::new(self.model());
        frame.request_id = request_id.clone().map(Into::into);
        frame.content = Some("".into());
        frame.refused_user_message_uuid = self.prompts.first().map(|prompt| prompt.uuid.clone().into());
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.session.id().into());
        for name in ["api_refusal_category", "api_refusal_explanation"] {
            frame.extra.push(name, aqueduct_wire::json::Raw::NULL);
        }
        self.send_frame(FromAgent::System(SystemFrame::ModelRefusalNoFallback(Box::new(frame)))).await;
        let text = self.refusal_text();
        self.send_error(&text, Some(ErrorName::InvalidRequest), StopReason::Refusal, |frame| {
            frame.request_id = request_id.map(Into::into);
            frame.refused_message_id = message_id.map(Into::into);
        })
        .await;
    }

    fn refusal_text(&self) -> String {
        format!(
            "API Error: The safeguards of {} stopped the answer twice. Change the request, or choose another model.",
            self.model()
        )
    }

    /// An answer that announces a call and makes none is taken back.
    async fn missing_call(&mut self, ending: &AnswerEnding) -> Result<bool, TurnEnd> {
        if self.unfinished.missing_calls >= MOST_MISSING_CALLS {
            return Err(TurnEnd::GivenUp(Box::new(GivenUp {
                text: NO_CALL.to_owned(),
                name: None,
                detail: Some("malformed_tool_use_exhausted"),
                reason: TerminalReason::MalformedToolUseExhausted,
                stop_reason: StopReason::StopSequence,
                is_reported: false,
            })));
        }
        self.unfinished.missing_calls += 1;
        let id = ending.message_id.as_deref();
        let retracted =
            self.dialogue.history.retract(|entry| id.is_some() && entry.message_id.as_deref() == id);
        let retract = |frame: &mut UserFrame<'static>| {
            frame.retracted_message_uuids = Some(retracted.into_iter().map(Into::into).collect());
        };
        self.say_marked(CALL_MISSING, retract).await.map(|()| true)
    }
}
