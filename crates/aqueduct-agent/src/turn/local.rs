//! Slash commands that are answered here.

use aqueduct_model::price::{self, Card};
use aqueduct_wire::FromAgent;
use aqueduct_wire::frame::{CommandState, ConversationReset, ResetTrigger, ResultSubtype};
use aqueduct_wire::hook::{CompactTrigger, ModelSwitchSource, SessionEndReason, SessionStartSource};
use aqueduct_wire::message::StopReason;

use super::close::synthetic;
use super::{Outcome, Turn};
use crate::command::{Action, Command};
use crate::moment::{self, fresh_uuid};

impl Turn<'_> {
    /// Runs a command to its result.
    pub(super) async fn run_local(mut self, command: &'static Command, arguments: &str) -> Outcome {
        for prompt in &self.prompts {
            self.session.send_lifecycle(prompt, CommandState::Started).await;
        }
        let mut text = String::new();
        match command.action {
            Action::Compact => {
                let done = self.compact(CompactTrigger::Manual, Some(arguments)).await;
                if !done {
                    text = "The conversation could not be summed up; it is as it was.".to_owned();
                }
            }
            Action::Clear => {
                self.clear().await;
                self.session.send_init(&self.named()).await;
            }
            Action::Model if !arguments.is_empty() => {
                text = self.switch_model(arguments).await;
                self.session.send_init(&self.named()).await;
            }
            Action::Cost | Action::Context | Action::Model => {
                self.session.send_init(&self.named()).await;
                text = self.told(command.action);
            }
        }
        if !text.is_empty() {
            let frame = self.assistant_frame(synthetic(&text, StopReason::EndTurn), &fresh_uuid());
            self.session.send(FromAgent::Assistant(Box::new(frame))).await;
        }
        self.tell_local(command.name, text).await;
        Outcome { is_error: false }
    }

    /// Ends a turn with a text that no model said.
    pub(super) async fn say_locally(mut self, command: &str, text: String) -> Outcome {
        for prompt in &self.prompts {
            self.session.send_lifecycle(prompt, CommandState::Started).await;
        }
        self.session.send_init(&self.named()).await;
        let frame = self.assistant_frame(synthetic(&text, StopReason::EndTurn), &fresh_uuid());
        self.session.send(FromAgent::Assistant(Box::new(frame))).await;
        self.tell_local(command, text).await;
        Outcome { is_error: false }
    }

    fn told(&self, action: Action) -> String {
        let session = self.session;
        match action {
            Action::Cost => {
                let counts = self.dialogue.totals.counts();
                format!(
                    "Cost so far: ${:.4}\nTime in the model: {:.1} s\nTokens: {} in, {} out, {} read from the cache, {} written to it",
                    self.dialogue.totals.cost(),
                    self.dialogue.totals.api_time.as_secs_f64(),
                    counts.input_tokens,
                    counts.output_tokens,
                    counts.cache_read,
                    counts.cache_write(),
                )
            }
            Action::Context => {
                let model = session.model();
                let window = u64::from(price::card(&model).unwrap_or(Card::UNKNOWN).context_window);
                let used = self.dialogue.window_tokens.max(self.dialogue.history.estimated_tokens());
                let percent = used.saturating_mul(100) / window.max(1);
                format!("Model: {model}\nContext: about {used} of {window} tokens ({percent} %)")
            }
            Action::Model => {
                format!(
                    "Model: {}\nSet another one with /model NAME, the usual one with /model default.",
                    session.model()
                )
            }
            Action::Compact | Action::Clear => String::new(),
        }
    }

    /// Sets the model, unless a hook forbids it.
    async fn switch_model(&self, name: &str) -> String {
        let asked = Some(name.to_owned());
        match self.session.switch_model(asked, ModelSwitchSource::Command, &self.cancel).await {
            Ok(()) => format!("Model: {}", self.session.model()),
            Err(why) => {
                format!("Model: {}\nA hook blocked the change to {name}: {why}", self.session.model())
            }
        }
    }

    /// Begins a new conversation under a new id. The old one stays on disk.
    async fn clear(&mut self) {
        self.session.session_ended(SessionEndReason::Clear).await;
        let mut frame = ConversationReset::new(fresh_uuid());
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.session.id().into());
        frame.trigger = Some(ResetTrigger::Clear);
        frame.timestamp = Some(moment::now().into());
        self.session.send(FromAgent::ConversationReset(Box::new(frame))).await;
        if let Err(error) = self.dialogue.begin_anew(self.session) {
            self.session.send_note(&error.to_string(), "warning").await;
        }
        let outcome = self.session.session_started(SessionStartSource::Clear, &self.cancel).await;
        self.session.hooks.keep("SessionStart:clear", &outcome);
    }

    async fn tell_local(&mut self, name: &str, text: String) {
        let mut frame = self.bare_result(ResultSubtype::Success);
        frame.result = Some(text.into());
        frame.local_command = Some(name.to_owned().into());
        self.dialogue.results += 1;
        self.session.send(FromAgent::Result(Box::new(frame))).await;
        for prompt in &self.prompts {
            self.session.send_lifecycle(prompt, CommandState::Completed).await;
        }
    }
}
