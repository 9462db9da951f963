//! A turn: from a prompt to its result.

mod answer;
mod calls;
mod close;
mod compact;
mod cut_off;
mod local;
mod open;
mod request;
mod served_prompt;

use std::time::{Duration, Instant};

use aqueduct_wire::frame::PermissionDenial;
use tokio_util::sync::CancellationToken;

use crate::command;
use crate::prompt_queue::Prompt;
use crate::session::{Dialogue, Session, TurnUsage};
use crate::transcript::TranscriptError;

/// A turn that runs.
pub(crate) struct Turn<'t> {
    session: &'t Session,
    dialogue: &'t mut Dialogue,
    /// Ends the turn when the user interrupts.
    cancel: CancellationToken,
    /// What the turn answers. Prompts that come while tools run join.
    prompts: Vec<Prompt>,
    started: Instant,
    /// How long models took.
    api_time: Duration,
    usage: TurnUsage,
    /// Messages to the model in this turn: the prompt, results, notices.
    steps: u64,
    denials: Vec<PermissionDenial<'static>>,
    /// The last text of the model.
    text: String,
    stop_reason: Option<String>,
    timing: Timing,
    /// Retried once after a window that was too full.
    has_compacted: bool,
}

/// When things first happened, since the turn began.
#[derive(Debug, Default)]
struct Timing {
    request: Option<Duration>,
    first_event: Option<Duration>,
    first_content: Option<Duration>,
}

/// How a turn ended.
#[derive(Debug)]
pub(crate) enum End {
    /// The model is done.
    Completed,
    /// The user interrupted it.
    Interrupted(Interrupted),
    /// The model could not be called.
    Failed(aqueduct_model::Error),
    /// The model was called as often as is allowed.
    MaxTurns(u32),
    /// As much was spent as is allowed.
    Budget(f64),
    /// What was said can't be kept.
    Unsaved(String),
}

/// What an interruption hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interrupted {
    /// The model's answer.
    Streaming,
    /// A tool, or the question whether it may run.
    Tools,
}

/// What the session's loop needs to know of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Whether its result is an error; it decides about the exit code.
    pub(crate) is_error: bool,
}

impl<'t> Turn<'t> {
    /// A turn that answers these prompts.
    pub(crate) fn new(
        session: &'t Session,
        dialogue: &'t mut Dialogue,
        prompts: Vec<Prompt>,
        cancel: CancellationToken,
    ) -> Self {
        Turn {
            session,
            dialogue,
            cancel,
            prompts,
            started: Instant::now(),
            api_time: Duration::ZERO,
            usage: TurnUsage::default(),
            steps: 0,
            denials: Vec::new(),
            text: String::new(),
            stop_reason: None,
            timing: Timing::default(),
            has_compacted: false,
        }
    }

    /// Runs it to its result. Whatever happens, there is one.
    pub(crate) async fn run(mut self) -> Outcome {
        let text = self.prompts.first().filter(|prompt| !prompt.is_literal()).map(Prompt::text);
        if let Some((command, arguments)) = text.as_deref().and_then(command::find) {
            return self.run_local(command, arguments).await;
        }
        if let Some(text) = &text
            && let Err(unserved) = self.expand_prompt(text).await
        {
            return self.say_locally(&unserved.command, unserved.problem).await;
        }
        let end = match self.open().await {
            Ok(()) => self.go_on().await,
            Err(error) => End::Unsaved(error.to_string()),
        };
        self.close(end).await
    }

    /// Model, tools, model, tools, until it ends.
    async fn go_on(&mut self) -> End {
        if !self.prompts.iter().any(Prompt::asks) {
            return End::Completed;
        }
        let mut calls_made = 0;
        loop {
            if let Some(end) = self.over_budget() {
                return end;
            }
            let reply = match self.answer().await {
                Ok(reply) => reply,
                Err(end) => return end,
            };
            calls_made += 1;
            if let Some(end) = self.over_budget() {
                return end;
            }
            if reply.calls.is_empty() {
                if reply.goes_on {
                    continue;
                }
                return End::Completed;
            }
            match self.run_calls(reply.calls).await {
                Ok(false) => (),
                Ok(true) => return End::Completed,
                Err(end) => return end,
            }
            if let Some(max) = self.session.options.max_turns.filter(|max| calls_made >= *max) {
                return End::MaxTurns(max);
            }
            if let Err(error) = self.take_in_waiting().await {
                return End::Unsaved(error.to_string());
            }
        }
    }

    fn over_budget(&self) -> Option<End> {
        let budget = self.session.options.max_budget_usd?;
        (self.dialogue.totals.cost() >= budget).then_some(End::Budget(budget))
    }
}

impl From<TranscriptError> for End {
    fn from(error: TranscriptError) -> Self {
        End::Unsaved(error.to_string())
    }
}
