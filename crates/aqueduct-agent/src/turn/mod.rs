//! A turn: from a prompt to its result.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | [`Turn`]: the loop of requests and calls |
//! | `open.rs`, `prompt_hooks.rs`, `prompt_images.rs` | prompts are stored and reported; their hooks; large images made smaller |
//! | `request.rs`, `thinking.rs` | the request to the model, and its thinking budget |
//! | `answer.rs`, `cut_off.rs`, `recovery.rs`, `unfinished.rs` | the model's stream; streams that end early or fail, and what is kept of them; answers that are incomplete |
//! | `calls.rs`, `call.rs`, `results.rs`, `tool_hooks.rs` | which calls run at the same time; one call; its result; its hooks |
//! | `compact.rs` | compaction |
//! | `local.rs`, `local_lines.rs`, `reports.rs`, `custom_commands.rs`, `served_prompt.rs` | slash commands that need no model; custom commands and prompts of MCP servers |
//! | `speaker.rs`, `subagent_task.rs` | whose turn it is: the session's or a subagent's |
//! | `structured.rs`, `verify.rs` | structured output; the turn of an agent that verifies something for a hook |
//! | `close.rs`, `failure.rs`, `stop_hooks.rs`, `suggestion.rs` | the result, errors, hooks at the end, the suggested next prompt |

mod answer;
mod call;
mod calls;
mod close;
mod compact;
mod custom_commands;
mod cut_off;
mod failure;
mod local;
mod local_lines;
mod open;
mod prompt_hooks;
mod prompt_images;
mod recovery;
mod reports;
mod request;
mod results;
mod served_prompt;
mod speaker;
mod stop_hooks;
mod structured;
mod subagent_task;
mod suggestion;
mod thinking;
mod tool_hooks;
mod unfinished;
mod verify;

use std::time::{Duration, Instant};

use aqueduct_model::Request;
use aqueduct_wire::block::ToolUseBlock;
use aqueduct_wire::frame::PermissionDenial;
use aqueduct_wire::hook::ToolCall;
use aqueduct_wire::system::Informational;
use tokio_util::sync::CancellationToken;

use answer::AnswerEnding;
use custom_commands::CommandCall;
use local::Dispatch;
use prompt_hooks::RefusedPrompt;
use structured::StructuredAnswer;
use unfinished::{CompletionRetries, GivenUp};

use crate::clock::fresh_uuid;
use crate::diagnostic::Diagnostic;
use crate::prompt_queue::QueuedPrompt;
use crate::session::{AgentSession, Dialogue, TurnTotals};
use crate::subagent::RunningSubagent;
use crate::transcript::TranscriptFileError;

/// A turn that runs.
pub(crate) struct Turn<'t> {
    session: &'t AgentSession,
    dialogue: &'t mut Dialogue,
    /// The subagent whose turn it is; `None` for the session's own.
    by: Option<&'t RunningSubagent>,
    /// What hooks know it by.
    id: String,
    /// Ends the turn when the user interrupts.
    cancel: CancellationToken,
    /// What the turn answers. Prompts that come while tools run join.
    prompts: Vec<QueuedPrompt>,
    /// Prompts that hooks did not let pass.
    refused: Vec<QueuedPrompt>,
    started: Instant,
    /// How long models took.
    api_time: Duration,
    usage: TurnTotals,
    /// Messages to the model in this turn: the prompt, results, notices.
    steps: u64,
    denials: Vec<PermissionDenial<'static>>,
    /// The last text of the model.
    text: String,
    stop_reason: Option<String>,
    timing: Timing,
    /// Retried once after a window that was too full.
    has_compacted: bool,
    /// Texts of hooks that the model has not received yet.
    contexts: Vec<String>,
    /// What hooks want people to read, and the turn has not sent yet.
    notices: Vec<Informational<'static>>,
    /// Context of hooks from outside the turn that the turn has sent to the model.
    late_contexts: Vec<String>,
    /// The entries that contain it.
    reminders: Vec<String>,
    /// A hook wants the turn to end, for this reason.
    halt: Option<String>,
    /// The calls of the message so far, where a hook wants to look at all of them.
    batch: Vec<ToolCall<'static>>,
    /// How often hooks have made the model continue after it was done.
    stops_refused: u32,
    /// The first answer of the model.
    first_request: Option<FirstRequest>,
    /// How many answers in a row were cut off.
    cuts: u32,
    /// How often the model was asked to complete an answer.
    unfinished: CompletionRetries,
    /// The model that answers for the rest of the turn in place of one that could not be called.
    fallback: Option<String>,
    /// The command that becomes the prompt.
    called: Option<CommandCall>,
    /// The model that was asked for before a custom command asked for another.
    model_before: Option<Option<String>>,
    /// The tools that a subagent has called, one after the other.
    used: Vec<String>,
    /// The answer in the form that the host wants.
    structured: StructuredAnswer,
}

/// When things first happened, since the turn began.
#[derive(Debug, Default)]
struct Timing {
    request: Option<Duration>,
    first_event: Option<Duration>,
    first_content: Option<Duration>,
}

/// When the model was first called in a turn, and what that call used.
#[derive(Debug)]
struct FirstRequest {
    /// In milliseconds since 1970.
    sent_ms: u64,
    input_tokens: u64,
    cache_read_tokens: u64,
}

/// How a turn ended.
#[derive(Debug)]
pub(crate) enum TurnEnd {
    /// The model is done.
    Completed,
    /// The user interrupted it.
    Interrupted(Interrupted),
    /// An urgent prompt takes its place.
    Preempted,
    /// The model could not be called.
    Failed(aqueduct_model::Error),
    /// The model gave no answer that the turn can end with.
    GivenUp(Box<GivenUp>),
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
    Unsaved(Diagnostic),
    /// A hook ended it after a step, for this reason.
    Halted(String),
    /// A hook ended it when the model was done.
    StopPrevented,
    /// A hook left a call to the host.
    Deferred(Box<ToolUseBlock<'static>>),
    /// None of its prompts went to the model.
    Refused(RefusedPrompt),
}

impl TurnEnd {
    /// How it ended, for the log.
    fn name(&self) -> &'static str {
        match self {
            TurnEnd::Completed => "completed",
            TurnEnd::Interrupted(_) => "interrupted",
            TurnEnd::Preempted => "preempted",
            TurnEnd::Failed(_) => "model_failed",
            TurnEnd::GivenUp(_) => "no_usable_answer",
            TurnEnd::MaxTurns(_) => "max_turns",
            TurnEnd::Budget(_) => "budget",
            TurnEnd::Unformed { .. } => "no_structured_answer",
            TurnEnd::Unsaved(_) => "unsaved",
            TurnEnd::Halted(_) => "halted_by_hook",
            TurnEnd::StopPrevented => "stopped_by_hook",
            TurnEnd::Deferred(_) => "deferred",
            TurnEnd::Refused(_) => "refused",
        }
    }
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
pub(crate) struct TurnOutcome {
    /// Whether its result is an error; it decides about the exit code.
    pub(crate) is_error: bool,
    /// The request for a suggestion of the next prompt.
    pub(crate) guess: Option<Box<Request>>,
}

impl<'t> Turn<'t> {
    /// A turn that answers these prompts.
    pub(crate) fn new(
        session: &'t AgentSession,
        dialogue: &'t mut Dialogue,
        prompts: Vec<QueuedPrompt>,
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
            usage: TurnTotals::default(),
            steps: 0,
            denials: Vec::new(),
            text: String::new(),
            stop_reason: None,
            timing: Timing::default(),
            has_compacted: false,
            contexts: Vec::new(),
            notices: Vec::new(),
            late_contexts: Vec::new(),
            reminders: Vec::new(),
            halt: None,
            batch: Vec::new(),
            stops_refused: 0,
            first_request: None,
            cuts: 0,
            unfinished: CompletionRetries::default(),
            fallback: None,
            called: None,
            model_before: None,
            used: Vec::new(),
            structured: StructuredAnswer::default(),
        }
    }

    /// What hooks and the log know it by.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Runs it to its result. Whatever happens, there is one.
    pub(crate) async fn run(mut self) -> TurnOutcome {
        let first = self.prompts.first().filter(|prompt| !prompt.is_literal());
        let text = first.filter(|_| !self.cancel.is_cancelled()).map(QueuedPrompt::text);
        if let Some(text) =
            text.as_deref().filter(|text| text.starts_with('/') && !self.session.options.no_commands)
        {
            self.session.refresh_custom_commands().await;
            match self.dispatch(text).await {
                Dispatch::Local { command, name, arguments } => {
                    return self.run_local(command, &name, &arguments).await;
                }
                Dispatch::Answer(name, text) => return self.say_locally(&name, text).await,
                Dispatch::Prompt(called) => self.called = Some(called),
                Dispatch::Text => (),
            }
        }
        if let Some(text) = &text
            && self.is_blank(text)
        {
            return self.refuse_blank().await;
        }
        if let Some(text) = &text
            && let Err(unserved) = self.expand_prompt(text).await
        {
            return self.say_locally(&unserved.command, unserved.problem).await;
        }
        self.dialogue.begin_turn();
        self.dialogue.write_queue(self.session);
        let end = match self.open().await {
            Ok(()) => self.run_steps().await,
            Err(end) => end,
        };
        self.close(end).await
    }

    /// Model, tools, model, tools, until it ends.
    async fn run_steps(&mut self) -> TurnEnd {
        if self.by.is_none() && !self.prompts.iter().any(QueuedPrompt::asks) {
            return TurnEnd::Completed;
        }
        let mut calls_made = 0;
        loop {
            if let Some(end) = self.over_budget() {
                return end;
            }
            if let Err(end) = self.send_contexts() {
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
                match self.ask_again(&reply.ending).await {
                    Ok(true) => (),
                    Ok(false) => {
                        if let Some(end) = self.stopped().await {
                            return end;
                        }
                    }
                    Err(end) => return end,
                }
                if let Some(max) = self.max_turns().filter(|max| calls_made >= *max) {
                    return TurnEnd::MaxTurns(max);
                }
                continue;
            }
            self.unfinished.forget();
            match self.run_calls(reply.calls).await {
                Ok(false) => (),
                Ok(true) => return TurnEnd::Completed,
                Err(end) => return end,
            }
            if let Some(end) = self.answered() {
                return end;
            }
            if let Some(max) = self.max_turns().filter(|max| calls_made >= *max) {
                return TurnEnd::MaxTurns(max);
            }
            if let Err(end) = self.take_in_waiting().await {
                return end;
            }
        }
    }

    /// Asks the model for what an answer without calls lacks; whether it did.
    async fn ask_again(&mut self, ending: &AnswerEnding) -> Result<bool, TurnEnd> {
        Ok(self.complete_answer(ending).await? || self.ask_for_form().await?)
    }

    fn over_budget(&self) -> Option<TurnEnd> {
        let budget = self.session.options.max_budget_usd?;
        (self.session.usage.cost() >= budget).then_some(TurnEnd::Budget(budget))
    }
}

impl From<TranscriptFileError> for TurnEnd {
    fn from(error: TranscriptFileError) -> Self {
        TurnEnd::Unsaved(Diagnostic::of_error(&error))
    }
}
