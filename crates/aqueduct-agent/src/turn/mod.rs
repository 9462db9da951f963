//! A turn: from a prompt to its result.

mod answer;
mod call;
mod calls;
mod close;
mod compact;
mod cut_off;
mod errand;
mod local;
mod open;
mod prompt_hooks;
mod recipes;
mod recovery;
mod reports;
mod request;
mod results;
mod served_prompt;
mod speaker;
mod stop_hooks;
mod structured;
mod suggestion;
mod thinking;
mod tool_hooks;
mod verify;

use std::time::{Duration, Instant};

use aqueduct_model::Request;
use aqueduct_wire::block::ToolUseBlock;
use aqueduct_wire::frame::PermissionDenial;
use aqueduct_wire::hook::ToolCall;
use tokio_util::sync::CancellationToken;

use local::Dispatch;
use prompt_hooks::Refused;
use recipes::Called;
use structured::Structured;

use crate::moment::fresh_uuid;
use crate::prompt_queue::Prompt;
use crate::session::{Dialogue, Session, TurnUsage};
use crate::subagent::Subagent;
use crate::transcript::TranscriptError;

/// A turn that runs.
pub(crate) struct Turn<'t> {
    session: &'t Session,
    dialogue: &'t mut Dialogue,
    /// The subagent whose turn it is; nobody, where it is the agent's own.
    by: Option<&'t Subagent>,
    /// What hooks know it by.
    id: String,
    /// Ends the turn when the user interrupts.
    cancel: CancellationToken,
    /// What the turn answers. Prompts that come while tools run join.
    prompts: Vec<Prompt>,
    /// Prompts that hooks did not let pass.
    refused: Vec<Prompt>,
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
    /// What hooks have said, and the model has not heard yet.
    contexts: Vec<String>,
    /// What hooks said outside the turn, and the turn has told the model.
    late_contexts: Vec<String>,
    /// The entries in which the model was told of it.
    reminders: Vec<String>,
    /// A hook wants the turn to end, for this reason.
    halt: Option<String>,
    /// The calls of the message so far, where a hook wants to look at all of them.
    batch: Vec<ToolCall<'static>>,
    /// How often hooks have made the model go on that was done.
    stops_refused: u32,
    /// How many answers in a row were cut off.
    cuts: u32,
    /// The command that becomes the prompt.
    called: Option<Called>,
    /// The model that was asked for before a recipe asked for another.
    model_before: Option<Option<String>>,
    /// The tools that a subagent has called, one after the other.
    used: Vec<String>,
    /// The answer in the form that the host wants.
    structured: Structured,
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
    /// No answer had the form that the host wants.
    Unformed {
        /// How many there were.
        tries: u32,
        /// What the last one lacked.
        fault: String,
    },
    /// What was said can't be kept.
    Unsaved(String),
    /// A hook ended it after a step, for this reason.
    Halted(String),
    /// A hook ended it when the model was done.
    StopPrevented,
    /// A hook left a call to the host.
    Deferred(Box<ToolUseBlock<'static>>),
    /// None of its prompts went to the model.
    Refused(Refused),
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
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Whether its result is an error; it decides about the exit code.
    pub(crate) is_error: bool,
    /// What to ask for a guess of what the user says next.
    pub(crate) guess: Option<Box<Request>>,
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
            by: None,
            id: fresh_uuid(),
            cancel,
            prompts,
            refused: Vec::new(),
            started: Instant::now(),
            api_time: Duration::ZERO,
            usage: TurnUsage::default(),
            steps: 0,
            denials: Vec::new(),
            text: String::new(),
            stop_reason: None,
            timing: Timing::default(),
            has_compacted: false,
            contexts: Vec::new(),
            late_contexts: Vec::new(),
            reminders: Vec::new(),
            halt: None,
            batch: Vec::new(),
            stops_refused: 0,
            cuts: 0,
            called: None,
            model_before: None,
            used: Vec::new(),
            structured: Structured::default(),
        }
    }

    /// Runs it to its result. Whatever happens, there is one.
    pub(crate) async fn run(mut self) -> Outcome {
        let first = self.prompts.first().filter(|prompt| !prompt.is_literal());
        let text = first.filter(|_| !self.cancel.is_cancelled()).map(Prompt::text);
        if let Some(text) =
            text.as_deref().filter(|text| text.starts_with('/') && !self.session.options.no_commands)
        {
            self.session.look_for_recipes().await;
            match self.dispatch(text).await {
                Dispatch::Local(command, arguments) => return self.run_local(command, &arguments).await,
                Dispatch::Answer(name, text) => return self.say_locally(&name, text).await,
                Dispatch::Prompt(called) => self.called = Some(called),
                Dispatch::Text => (),
            }
        }
        if let Some(text) = &text
            && let Err(unserved) = self.expand_prompt(text).await
        {
            return self.say_locally(&unserved.command, unserved.problem).await;
        }
        self.dialogue.begin_turn();
        let end = match self.open().await {
            Ok(()) => self.go_on().await,
            Err(end) => end,
        };
        self.close(end).await
    }

    /// Model, tools, model, tools, until it ends.
    async fn go_on(&mut self) -> End {
        if self.by.is_none() && !self.prompts.iter().any(Prompt::asks) {
            return End::Completed;
        }
        let mut calls_made = 0;
        loop {
            if let Some(end) = self.over_budget() {
                return end;
            }
            if let Err(end) = self.tell_contexts() {
                return end;
            }
            let mut reply = match self.answer().await {
                Ok(reply) => reply,
                Err(end) => return end,
            };
            calls_made += 1;
            self.cuts = 0;
            if let Some(end) = self.over_budget() {
                return self.end_calls(&mut reply.calls).await.err().unwrap_or(end);
            }
            if reply.calls.is_empty() {
                let is_asked = match reply.goes_on {
                    true => false,
                    false => match self.ask_for_form().await {
                        Ok(is_asked) => is_asked,
                        Err(end) => return end,
                    },
                };
                if !reply.goes_on
                    && !is_asked
                    && let Some(end) = self.stopped().await
                {
                    return end;
                }
                if let Some(max) = self.max_turns().filter(|max| calls_made >= *max) {
                    return End::MaxTurns(max);
                }
                continue;
            }
            match self.run_calls(reply.calls).await {
                Ok(false) => (),
                Ok(true) => return End::Completed,
                Err(end) => return end,
            }
            if let Some(end) = self.answered() {
                return end;
            }
            if let Some(max) = self.max_turns().filter(|max| calls_made >= *max) {
                return End::MaxTurns(max);
            }
            if let Err(end) = self.take_in_waiting().await {
                return end;
            }
        }
    }

    fn over_budget(&self) -> Option<End> {
        let budget = self.session.options.max_budget_usd?;
        (self.session.state().totals.cost() >= budget).then_some(End::Budget(budget))
    }
}

impl From<TranscriptError> for End {
    fn from(error: TranscriptError) -> Self {
        End::Unsaved(error.to_string())
    }
}
