//! How a turn ends: its result.

use aqueduct_model::{Error, ErrorKind};
use aqueduct_wire::FromAgent;
use aqueduct_wire::block::{ContentBlock, TextBlock};
use aqueduct_wire::error_name::ErrorName;
use aqueduct_wire::frame::{CommandState, DeferredToolUse, ResultFrame, ResultSubtype, TerminalReason};
use aqueduct_wire::json::{Number, Raw, Str};
use aqueduct_wire::message::{AssistantMessage, StopReason};
use aqueduct_wire::usage::Usage;

use super::prompt_hooks::Refused;
use super::{End, Interrupted, Outcome, Turn};
use crate::json_text::to_raw;
use crate::moment::fresh_uuid;
use crate::session::{Totals, TurnUsage};
use crate::transcript::AssistantLine;

/// The model's name in messages that no model wrote.
pub(crate) const SYNTHETIC: &str = "<synthetic>";

impl Turn<'_> {
    /// Tells the result.
    pub(super) async fn close(mut self, end: End) -> Outcome {
        self.end_recipes();
        if let End::Failed(error) = &end {
            self.tell_failure(error).await;
            self.session.stop_failed(failure_name(error), &self.text);
        }
        if let End::Halted(why) = &end {
            let note = if why.is_empty() {
                "A hook ended the turn"
            } else {
                &format!("A hook ended the turn: {why}")
            };
            self.session.send_note(note, "notice").await;
        }
        match &end {
            End::Unsaved(_) => self.roll_back(),
            _ => self.dialogue.end_turn(),
        }
        let frame = match &end {
            End::Refused(refused) => self.refused_result(refused),
            end => self.result(end),
        };
        let is_error = frame.is_error == Some(true);
        let line =
            FromAgent::Result(Box::new(frame)).to_line_in(self.text.len() + self.text.len() / 16 + 4096);
        self.text = String::new();
        let totals = {
            let mut state = self.session.state();
            state.context_tokens = self.dialogue.window_tokens;
            state.spent = Totals::default();
            state.totals.clone()
        };
        self.dialogue.results += 1;
        self.dialogue.save_cost(&totals);
        self.session.send_line(line).await;
        let state = match &end {
            End::Interrupted(_) => CommandState::Cancelled,
            _ => CommandState::Completed,
        };
        for prompt in self.prompts.iter().chain(&self.refused) {
            self.session.send_lifecycle(prompt, state.clone()).await;
        }
        Outcome { is_error, guess: self.guess(&end).await }
    }

    /// Removes a turn that could not be stored. A prompt that the model was not asked about may be sent again
    /// under its id; one that tools may have worked for stays known, so that they don't work for it twice.
    fn roll_back(&mut self) {
        self.dialogue.roll_back_turn();
        self.session.hooks.keep_again(std::mem::take(&mut self.late_contexts));
        if self.timing.request.is_none() {
            let mut state = self.session.state();
            for prompt in self.prompts.iter().chain(&self.refused) {
                state.known.remove(&prompt.uuid);
            }
        }
    }

    /// The failure that ends the turn.
    async fn tell_failure(&mut self, error: &Error) {
        self.text = failure_text(error);
        self.stop_reason = Some("stop_sequence".to_owned());
        self.tell_api_error(error, StopReason::StopSequence).await;
    }

    /// An error in the model's place: people read it there, and hosts look for it there.
    pub(super) async fn tell_api_error(&mut self, error: &Error, stop_reason: StopReason<'static>) {
        let uuid = fresh_uuid();
        let message = synthetic(&failure_text(error), stop_reason);
        let raw = to_raw(&message);
        let name = failure_name(error);
        let mut line = AssistantLine::new(&uuid, &raw);
        line.is_api_error_message = true;
        line.error = Some(name.as_str());
        // Nothing is lost with it: the result tells the same.
        let _ = self.dialogue.assistant(&line);
        let mut frame = self.assistant_frame(message, &uuid);
        frame.error = Some(name.clone());
        frame.is_api_error_message = Some(true);
        frame.request_id = error.request_id.clone().map(Into::into);
        frame.api_error_status = error_status(error).map(|status| u64::from(status).into());
        frame.api_error_type = error.name.clone().map(Into::into);
        self.tell(FromAgent::Assistant(Box::new(frame))).await;
    }

    /// What every result of a turn tells, as if no model had been asked and nothing had gone wrong.
    pub(super) fn bare_result(&self, subtype: ResultSubtype<'static>) -> ResultFrame<'static> {
        let totals = self.session.state().totals.clone();
        let mut frame = ResultFrame::new(subtype);
        frame.is_error = Some(false);
        frame.duration_ms = Some((self.started.elapsed().as_millis() as u64).into());
        frame.duration_api_ms = Some(0u64.into());
        frame.num_turns = Some(0u64.into());
        frame.session_id = Some(self.session.id().into());
        frame.total_cost_usd = Number::from_f64(totals.cost());
        frame.usage = Some(Box::new(self.usage.to_usage()));
        frame.model_usage = Some(totals.by_model());
        frame.permission_denials = Some(Vec::new());
        frame.uuid = Some(fresh_uuid().into());
        frame.result_index = Some(self.dialogue.results.into());
        frame.queued_turn_count = Some((self.session.queue().len() as u64).into());
        frame
    }

    /// The result of a turn in which the model was not asked.
    fn refused_result(&self, refused: &Refused) -> ResultFrame<'static> {
        let mut frame = self.bare_result(ResultSubtype::Success);
        frame.result = Some(refused.text.clone().into());
        frame.local_command = refused.is_command.then(|| "custom".into());
        (frame.user_message_uuid, frame.user_message_uuids) = self.marks();
        frame
    }

    fn result(&self, end: &End) -> ResultFrame<'_> {
        let (subtype, reason) = kind(end);
        let is_success = matches!(subtype, ResultSubtype::Success);
        let mut frame: ResultFrame<'_> = self.bare_result(subtype);
        let (api_time, spent, mut denials) = {
            let mut state = self.session.state();
            let denials = std::mem::take(&mut state.denials);
            (state.totals.api_time, state.spent.by_model(), denials)
        };
        denials.extend(self.denials.iter().cloned());
        frame.is_error = Some(end.is_error());
        frame.duration_api_ms = Some((api_time.as_millis() as u64).into());
        frame.num_turns = Some(self.steps.into());
        frame.stop_reason = self.stop_reason.clone().map(|reason| StopReason::from(Str::from(reason)));
        frame.model_usage_since_last_result = Some(spent);
        frame.permission_denials = Some(denials);
        frame.terminal_reason = Some(reason);
        (frame.user_message_uuid, frame.user_message_uuids) = self.marks();
        frame.origin = self.prompts.first().and_then(|prompt| prompt.frame.origin.clone());
        if is_success {
            frame.result = Some(self.text.as_str().into());
        }
        if let Some(answer) = self.structured.answer.as_ref().filter(|_| is_success) {
            frame.result = Some(answer.as_str().into());
            frame.structured_output = Some(answer.clone());
        }
        if !end.is_error() {
            let milliseconds =
                |time: Option<std::time::Duration>| time.map(|time| (time.as_millis() as u64).into());
            frame.ttft_ms = milliseconds(self.timing.first_content);
            frame.ttft_stream_ms = milliseconds(self.timing.first_event);
            frame.first_content_frame_ms = milliseconds(self.timing.first_content);
            frame.time_to_request_ms = milliseconds(self.timing.request);
        }
        if !is_success {
            let mut errors = vec![explanation(end).into()];
            if matches!(end, End::Unsaved(_)) && self.steps > self.prompts.len() as u64 {
                errors.push(
                    "Changes that tools made in this turn stay; the model does not know of them.".into(),
                );
            }
            frame.errors = Some(errors);
        }
        frame.fast_mode_state = Some(self.session.fast_mode());
        if is_success && !matches!(end, End::Failed(_)) {
            frame.extra.push("api_error_status", Raw::NULL);
        }
        if let End::Deferred(call) = end {
            let deferred = DeferredToolUse::new(call.id.clone(), call.name.clone(), call.input.clone());
            frame.deferred_tool_use = Some(Box::new(deferred));
            frame.stop_reason = Some(StopReason::ToolDeferred);
        }
        if let End::Failed(error) = end {
            frame.api_error_status = error_status(error).map(|status| u64::from(status).into());
            frame.api_error_type = error.name.clone().map(Into::into);
        }
        frame
    }
}

impl End {
    /// Whether something went wrong: all but what model, user's hooks and host wanted.
    fn is_error(&self) -> bool {
        !matches!(
            self,
            End::Completed | End::Halted(_) | End::StopPrevented | End::Deferred(_) | End::Refused(_)
        )
    }
}

fn kind(end: &End) -> (ResultSubtype<'static>, TerminalReason<'static>) {
    match end {
        End::Completed => (ResultSubtype::Success, TerminalReason::Completed),
        End::Failed(error) if error.kind == ErrorKind::ContextTooLong => {
            (ResultSubtype::Success, TerminalReason::PromptTooLong)
        }
        End::Failed(_) => (ResultSubtype::Success, TerminalReason::ApiError),
        End::Interrupted(Interrupted::Streaming) => {
            (ResultSubtype::ErrorDuringExecution, TerminalReason::AbortedStreaming)
        }
        End::Interrupted(Interrupted::Tools) => {
            (ResultSubtype::ErrorDuringExecution, TerminalReason::AbortedTools)
        }
        End::MaxTurns(_) => (ResultSubtype::ErrorMaxTurns, TerminalReason::MaxTurns),
        End::Budget(_) => (ResultSubtype::ErrorMaxBudgetUsd, TerminalReason::BudgetExhausted),
        End::Unformed { .. } => {
            (ResultSubtype::ErrorMaxStructuredOutputRetries, TerminalReason::StructuredOutputRetryExhausted)
        }
        End::Unsaved(_) => (ResultSubtype::ErrorDuringExecution, TerminalReason::TurnSetupFailed),
        End::Halted(_) | End::Refused(_) => (ResultSubtype::Success, TerminalReason::HookStopped),
        End::StopPrevented => (ResultSubtype::Success, TerminalReason::StopHookPrevented),
        End::Deferred(_) => (ResultSubtype::Success, TerminalReason::ToolDeferred),
    }
}

fn explanation(end: &End) -> String {
    match end {
        End::MaxTurns(max) => format!("Reached maximum number of turns ({max})"),
        End::Budget(budget) => format!("Reached maximum budget (${budget})"),
        End::Interrupted(Interrupted::Streaming) => {
            "Interrupted by the user while the model answered".to_owned()
        }
        End::Interrupted(Interrupted::Tools) => "Interrupted by the user while tools ran".to_owned(),
        End::Unformed { tries, fault } => {
            format!("None of {tries} answers had the form that was asked for. The last one: {fault}")
        }
        End::Unsaved(error) => format!("The turn was not kept: {error}"),
        End::Failed(error) => failure_text(error),
        End::Completed | End::Halted(_) | End::StopPrevented | End::Deferred(_) | End::Refused(_) => {
            String::new()
        }
    }
}

/// The wire's name for a failure that ends a turn. Where another attempt follows, overload and lost connections have
/// names of their own.
fn failure_name(error: &Error) -> ErrorName<'static> {
    match error.kind {
        ErrorKind::Overloaded | ErrorKind::Connection | ErrorKind::Stalled => ErrorName::ServerError,
        kind => kind.wire_name(),
    }
}

/// The HTTP status of a failure, where it is one of an error: a page in place of a stream may come with any.
fn error_status(error: &Error) -> Option<u16> {
    error.status.filter(|status| *status >= 400)
}

pub(super) fn failure_text(error: &Error) -> String {
    match (error_status(error), &error.said) {
        (Some(status), Some(said)) => format!("API Error: {status} {said}"),
        (Some(status), None) => format!("API Error: {status} {}", error.message),
        (None, Some(said)) => format!("API Error: {said}"),
        (None, None) => format!("API Error: {}", error.message),
    }
}

/// The usage of a message that no model wrote: what was not measured is `null`.
fn nothing_used() -> Usage<'static> {
    let mut usage = TurnUsage::default().to_usage();
    usage.service_tier = None;
    usage.inference_geo = None;
    usage.iterations = None;
    usage.speed = None;
    usage.output_tokens_details = None;
    for name in ["service_tier", "inference_geo", "iterations", "speed", "output_tokens_details"] {
        usage.extra.push(name, Raw::NULL);
    }
    usage
}

/// A message that no model wrote.
pub(crate) fn synthetic(text: &str, stop_reason: StopReason<'static>) -> AssistantMessage<'static> {
    let block = ContentBlock::Text(TextBlock::new(text.to_owned()));
    let mut message = AssistantMessage::new(vec![block]);
    message.id = Some(fresh_uuid().into());
    message.kind = Some("message".into());
    message.role = Some("assistant".into());
    message.model = Some(SYNTHETIC.into());
    message.stop_reason = Some(stop_reason);
    message.stop_sequence = Some("".into());
    message.context_management = Some(Raw::NULL);
    message.stop_details = Some(Raw::NULL);
    message.diagnostics = Some(Raw::NULL);
    message.extra.push("container", Raw::NULL);
    message.usage = Some(Box::new(nothing_used()));
    message
}
