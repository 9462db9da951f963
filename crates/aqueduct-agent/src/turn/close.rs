//! How a turn ends: its result.

use aqueduct_model::{Error, ErrorKind};
use aqueduct_wire::FromAgent;
use aqueduct_wire::error_name::ErrorName;
use aqueduct_wire::frame::{
    AssistantFrame, CommandState, DeferredToolUse, ResultFrame, ResultSubtype, TerminalReason,
};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::{Map, Number, Raw, Str};
use aqueduct_wire::message::StopReason;

use super::failure::{error_status, failure_name, failure_text};
use super::prompt_hooks::RefusedPrompt;
use super::unfinished::GivenUp;
use super::{Interrupted, Turn, TurnEnd, TurnOutcome};
use crate::clock::{fresh_uuid, millis};
use crate::session::synthetic;
use crate::trace;
use crate::transcript::AssistantLine;

impl Turn<'_> {
    /// Ends the turn and sends its result.
    pub(super) async fn close(mut self, end: TurnEnd) -> TurnOutcome {
        self.end_custom_commands();
        if let TurnEnd::Failed(error) = &end {
            let (name, status) = (failure_name(error), error.status.map(u64::from));
            let request_id = error.request_id.as_deref();
            trace::model_failed(&self.session.id(), name.as_str(), status, request_id);
            self.send_failure(error).await;
            self.session.stop_failed(failure_name(error), &self.text);
        }
        if let TurnEnd::GivenUp(given_up) = &end {
            self.send_given_up(given_up).await;
            self.session.stop_failed(given_up.name.clone().unwrap_or(ErrorName::Unknown), &self.text);
        }
        if let TurnEnd::Halted(why) = &end {
            trace::turn_halted(why);
        }
        match &end {
            TurnEnd::Unsaved(_) => {
                trace::turn_unsaved(&self.session.id());
                self.roll_back();
            }
            _ => self.dialogue.end_turn(),
        }
        let is_preempted = self.session.run.take_preempted();
        let end = match end {
            TurnEnd::Interrupted(Interrupted::Streaming) if is_preempted && self.by.is_none() => {
                TurnEnd::Preempted
            }
            end => end,
        };
        let frame = match &end {
            TurnEnd::Refused(refused) => self.refused_result(refused),
            TurnEnd::Completed if self.steps == 0 => self.unasked_result(),
            end => self.result(end),
        };
        let is_error = frame.is_error == Some(true);
        let line =
            FromAgent::Result(Box::new(frame)).to_line_in(self.text.len() + self.text.len() / 16 + 4096);
        self.text = String::new();
        let totals = self.session.usage.end_result(self.dialogue.window_tokens);
        self.dialogue.results += 1;
        self.dialogue.write_queue(self.session);
        self.dialogue.save_cost(&totals);
        self.session.send_line(line).await;
        let state = match &end {
            TurnEnd::Interrupted(_) | TurnEnd::Preempted => CommandState::Cancelled,
            _ => CommandState::Completed,
        };
        for prompt in self.prompts.iter().chain(&self.refused) {
            self.session.send_lifecycle(prompt, state.clone()).await;
        }
        let (requests, duration) = (self.usage.calls().into(), millis(self.started.elapsed()));
        trace::turn_ended(&self.session.id(), end.name(), is_error, requests, duration);
        TurnOutcome { is_error, guess: self.guess(&end).await }
    }

    /// Removes a turn that could not be stored. A prompt that the model was not asked about may be sent again
    /// under its id; one that tools may have worked for stays known, so that they don't work for it twice.
    fn roll_back(&mut self) {
        self.dialogue.roll_back_turn();
        self.session.hooks.keep_again(std::mem::take(&mut self.late_contexts));
        if self.timing.request.is_none() {
            let prompts = self.prompts.iter().chain(&self.refused);
            self.session.conversation.forget(prompts.map(|prompt| prompt.uuid.as_str()));
        }
    }

    /// The failure that ends the turn.
    async fn send_failure(&mut self, error: &Error) {
        self.text = failure_text(error, &self.model());
        self.stop_reason = Some("stop_sequence".to_owned());
        self.send_api_error(error, StopReason::StopSequence).await;
    }

    /// The model gave no answer that the turn can end with.
    async fn send_given_up(&mut self, given_up: &GivenUp) {
        self.text.clone_from(&given_up.text);
        self.stop_reason = Some(given_up.stop_reason.as_str().to_owned());
        if !given_up.is_reported {
            let (name, reason) = (given_up.name.clone(), given_up.stop_reason.clone());
            let detail = given_up.detail;
            let is_cut = given_up.name == Some(ErrorName::MaxOutputTokens);
            self.send_error(&given_up.text, name, reason, |frame| {
                frame.api_error = detail.map(named);
                frame.api_error_params = is_cut.then(|| Raw::written(&cut_at_limit()));
            })
            .await;
        }
    }

    /// An error in the model's place: people read it there, and hosts look for it there.
    pub(super) async fn send_api_error(&mut self, error: &Error, stop_reason: StopReason<'static>) {
        let (text, name) = (failure_text(error, &self.model()), failure_name(error));
        self.send_error(&text, Some(name), stop_reason, |frame| {
            frame.request_id = error.request_id.clone().map(Into::into);
            frame.api_error_status = error_status(error).map(|status| u64::from(status).into());
            frame.api_error_type = error.name.clone().map(Into::into);
        })
        .await;
    }

    /// Sends an error text as a message of the model.
    pub(super) async fn send_error(
        &mut self,
        text: &str,
        name: Option<ErrorName<'static>>,
        stop_reason: StopReason<'static>,
        complete: impl FnOnce(&mut AssistantFrame<'static>),
    ) {
        let uuid = fresh_uuid();
        let message = synthetic(text, stop_reason);
        let raw = Raw::written(&message);
        let mut line = AssistantLine::new(&uuid, &raw);
        line.is_api_error_message = true;
        line.error = name.as_ref().map(ErrorName::as_str);
        // Nothing is lost with it: the result has the same text.
        let _ = self.dialogue.assistant(&line);
        let mut frame = self.assistant_frame(message, &uuid);
        frame.error = name;
        frame.is_api_error_message = Some(true);
        complete(&mut frame);
        self.send_frame(FromAgent::Assistant(Box::new(frame))).await;
    }

    /// The members that every result of a turn has, for a turn without calls of a model and without errors.
    pub(super) fn bare_result(&self, subtype: ResultSubtype<'static>) -> ResultFrame<'static> {
        let totals = self.session.usage.totals();
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
        frame.queued_turn_count = Some((self.session.prompts.len() as u64).into());
        frame
    }

    /// The result of a turn in which the model was not asked.
    fn refused_result(&self, refused: &RefusedPrompt) -> ResultFrame<'static> {
        let mut frame = self.bare_result(ResultSubtype::Success);
        frame.result = Some(refused.text.clone().into());
        frame.local_command = refused.is_command.then(|| "custom".into());
        frame.model_usage_since_last_result = Some(self.session.usage.since_result());
        frame.fast_mode_state = Some(self.session.fast_mode());
        (frame.user_message_uuid, frame.user_message_uuids) = self.marks();
        frame
    }

    /// The result of a turn whose prompts are not for an answer.
    fn unasked_result(&self) -> ResultFrame<'static> {
        let mut frame = self.bare_result(ResultSubtype::Success);
        frame.result = Some("".into());
        frame.fast_mode_state = Some(self.session.fast_mode());
        frame.model_usage_since_last_result = Some(self.session.usage.take_since_result());
        (frame.user_message_uuid, frame.user_message_uuids) = self.marks();
        frame.origin = self.prompts.first().and_then(|prompt| prompt.frame.origin.clone());
        frame
    }

    fn result(&self, end: &TurnEnd) -> ResultFrame<'_> {
        let (subtype, reason) = kind(end);
        let is_success = matches!(subtype, ResultSubtype::Success);
        let mut frame: ResultFrame<'_> = self.bare_result(subtype);
        let mut denials = self.session.permissions.take_denials();
        denials.extend(self.denials.iter().cloned());
        frame.is_error = Some(end.is_error());
        frame.duration_api_ms = Some((self.session.usage.api_time().as_millis() as u64).into());
        frame.num_turns = Some(self.steps.into());
        frame.stop_reason = self.stop_reason.clone().map(|reason| StopReason::from(Str::from(reason)));
        frame.model_usage_since_last_result =
            self.session.outbox.wants_frames().then(|| self.session.usage.since_result());
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
        if frame.user_message_uuid.is_some()
            && let Some(first) = &self.first_request
        {
            frame.request_sent_wall_ms = Some(first.sent_ms.into());
            frame.first_request_input_tokens = Some(first.input_tokens.into());
            frame.first_request_cache_read_input_tokens = Some(first.cache_read_tokens.into());
        }
        if !end.is_error() && !matches!(end, TurnEnd::Deferred(_)) {
            let milliseconds =
                |time: Option<std::time::Duration>| time.map(|time| (time.as_millis() as u64).into());
            frame.ttft_ms = milliseconds(self.timing.first_content);
            frame.ttft_stream_ms = milliseconds(self.timing.first_event);
            frame.first_content_frame_ms = milliseconds(self.timing.first_content);
            frame.time_to_request_ms = milliseconds(self.timing.request);
        }
        if !is_success {
            let mut errors = vec![explanation(end).into()];
            if matches!(end, TurnEnd::Unsaved(_)) && self.steps > self.prompts.len() as u64 {
                errors.push(
                    "Changes that tools made in this turn remain; the model does not know about them.".into(),
                );
            }
            frame.errors = Some(errors);
        }
        frame.fast_mode_state = Some(self.session.fast_mode());
        let has_status = matches!(end, TurnEnd::Failed(error) if error_status(error).is_some());
        if is_success && !has_status && !matches!(end, TurnEnd::Deferred(_)) {
            frame.extra.push("api_error_status", Raw::NULL);
        }
        if let TurnEnd::Deferred(call) = end {
            let deferred = DeferredToolUse::new(call.id.clone(), call.name.clone(), call.input.clone());
            frame.deferred_tool_use = Some(Box::new(deferred));
            frame.stop_reason = Some(StopReason::ToolDeferred);
        }
        if let TurnEnd::GivenUp(given_up) = end
            && let Some(detail) = given_up.detail
        {
            frame.api_error = Some(detail.into());
        }
        if let TurnEnd::Failed(error) = end {
            frame.api_error_status = error_status(error).map(|status| u64::from(status).into());
            frame.api_error_type = error.name.clone().map(Into::into);
        }
        frame
    }
}

impl TurnEnd {
    /// Whether something went wrong: all but what model, user's hooks and host wanted.
    fn is_error(&self) -> bool {
        !matches!(
            self,
            TurnEnd::Completed
                | TurnEnd::Preempted
                | TurnEnd::Halted(_)
                | TurnEnd::StopPrevented
                | TurnEnd::Deferred(_)
                | TurnEnd::Refused(_)
        )
    }
}

/// A name as JSON.
fn named(name: &str) -> Raw<'static> {
    Raw::written(&Str::from(name.to_owned()))
}

/// Why an answer of the model is not complete.
fn cut_at_limit() -> Map<'static, Str<'static>> {
    let mut members = Map::default();
    members.push("cut", Str::from("output_limit"));
    members
}

fn kind(end: &TurnEnd) -> (ResultSubtype<'static>, TerminalReason<'static>) {
    match end {
        TurnEnd::Completed => (ResultSubtype::Success, TerminalReason::Completed),
        TurnEnd::Failed(error) if error.kind == ErrorKind::ContextTooLong => {
            (ResultSubtype::Success, TerminalReason::PromptTooLong)
        }
        TurnEnd::Failed(error) if error.kind == ErrorKind::TooLarge => {
            (ResultSubtype::Success, TerminalReason::ImageError)
        }
        TurnEnd::Failed(_) => (ResultSubtype::Success, TerminalReason::ApiError),
        TurnEnd::GivenUp(given_up) => (ResultSubtype::Success, given_up.reason.clone()),
        TurnEnd::Preempted => (ResultSubtype::Success, TerminalReason::AbortedStreaming),
        TurnEnd::Interrupted(Interrupted::Streaming) => {
            (ResultSubtype::ErrorDuringExecution, TerminalReason::AbortedStreaming)
        }
        TurnEnd::Interrupted(Interrupted::Tools) => {
            (ResultSubtype::ErrorDuringExecution, TerminalReason::AbortedTools)
        }
        TurnEnd::MaxTurns(_) => (ResultSubtype::ErrorMaxTurns, TerminalReason::MaxTurns),
        TurnEnd::Budget(_) => (ResultSubtype::ErrorMaxBudgetUsd, TerminalReason::BudgetExhausted),
        TurnEnd::Unformed { .. } => {
            (ResultSubtype::ErrorMaxStructuredOutputRetries, TerminalReason::StructuredOutputRetryExhausted)
        }
        TurnEnd::Unsaved(_) => (ResultSubtype::ErrorDuringExecution, TerminalReason::TurnSetupFailed),
        TurnEnd::Halted(_) | TurnEnd::Refused(_) => (ResultSubtype::Success, TerminalReason::HookStopped),
        TurnEnd::StopPrevented => (ResultSubtype::Success, TerminalReason::StopHookPrevented),
        TurnEnd::Deferred(_) => (ResultSubtype::Success, TerminalReason::ToolDeferred),
    }
}

fn explanation(end: &TurnEnd) -> String {
    match end {
        TurnEnd::MaxTurns(max) => format!("Reached maximum number of turns ({max})"),
        TurnEnd::Budget(budget) => format!("Reached maximum budget (${budget})"),
        TurnEnd::Interrupted(Interrupted::Streaming) => {
            "Interrupted by the user while the model answered".to_owned()
        }
        TurnEnd::Interrupted(Interrupted::Tools) => "Interrupted by the user while tools ran".to_owned(),
        TurnEnd::Unformed { tries, fault } => {
            format!("None of {tries} answers matched the required schema. The last error: {fault}")
        }
        TurnEnd::Unsaved(error) => format!("The turn was not saved: {error}"),
        TurnEnd::Failed(error) => error.advised(),
        TurnEnd::GivenUp(given_up) => given_up.text.clone(),
        TurnEnd::Completed
        | TurnEnd::Preempted
        | TurnEnd::Halted(_)
        | TurnEnd::StopPrevented
        | TurnEnd::Deferred(_)
        | TurnEnd::Refused(_) => String::new(),
    }
}
