//! The tools that a message calls: asked about, run, told.

use std::future::poll_fn;
use std::task::Poll;

use aqueduct_wire::FromAgent;
use aqueduct_wire::block::{Content, ContentBlock, TextBlock, ToolResultBlock};
use aqueduct_wire::frame::{PermissionDenial, ToolResultMeta, UserFrame};
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::message::UserMessage;

use super::answer::CallBlock;
use super::tool_hooks::Done;
use super::{End, Interrupted, Turn};
use crate::hook::CallTold;
use crate::json_text::to_raw;
use crate::mcp;
use crate::moment::{self, fresh_uuid};
use crate::permission::{Gate, Permit};
use crate::tool::{Failure, Offer, Output, spelled_out};
use crate::transcript::UserLine;

/// What the model is told of a call that the user rejected together with the turn.
const REJECTED: &str = "The user does not want this call and has stopped the turn. Nothing of it was done. \
    Wait for what the user says next.";

/// What the model is told of a call that was interrupted, before what the call had given by then.
const CUT_OFF: &str = "The user interrupted the call before it was done.";

/// What the model is told of calls behind an interrupted one.
const NOT_RUN: &str = "Not run: the user interrupted the turn before this call.";

/// The tool that runs commands.
const BASH: &str = "Bash";

/// The notices that hosts know an interruption by.
const INTERRUPTED: &str = "[Request interrupted by user]";
const INTERRUPTED_IN_TOOLS: &str = "[Request interrupted by user for tool use]";

/// What became of a call.
struct Told {
    content: Content<'static>,
    is_error: bool,
    /// `None` where the tool never said anything.
    result: Option<Raw<'static>>,
    meta: Option<ToolResultMeta<'static>>,
}

impl Turn<'_> {
    /// Runs the calls of one message. Those that mind each other's business run one by one, the others side
    /// by side. Gives whether one of them was the turn's last word.
    pub(super) async fn run_calls(&mut self, calls: Vec<CallBlock>) -> Result<bool, End> {
        let (is_alone, mut is_last) = (calls.len() == 1, false);
        let mut calls = calls.into_iter().peekable();
        while let Some(call) = calls.next() {
            let mut group = vec![call];
            if self.runs_beside(&group[0]) {
                while let Some(next) = calls.next_if(|next| self.runs_beside(next)) {
                    group.push(next);
                }
            }
            let (ended, was_last) = self.run_group(&group, is_alone).await?;
            is_last |= was_last;
            if let Some(hit) = ended {
                for skipped in calls {
                    self.tell_result(&skipped, Told::failed(NOT_RUN, None)).await?;
                }
                self.tell_interruption(hit).await?;
                return Err(End::Interrupted(hit));
            }
        }
        self.launch_skills().await?;
        self.end_batch().await;
        match self.halted() {
            Some(end) => Err(end),
            None => Ok(is_last),
        }
    }

    /// Whether the call may run beside others.
    fn runs_beside(&self, call: &CallBlock) -> bool {
        self.find_tool(&call.block.name).is_some_and(|tool| tool.runs_beside())
    }

    /// Runs calls side by side; gives what an interruption hit, if there was one, and whether one of them was
    /// the turn's last word.
    async fn run_group(
        &mut self,
        group: &[CallBlock],
        is_alone: bool,
    ) -> Result<(Option<Interrupted>, bool), End> {
        let mut hit = None;
        let mut is_last = false;
        let (session, by) = (self.session, self.by);
        let folder = self.workshop().cwd();
        let cancel = self.cancel.clone();
        let mut futures = Vec::new();
        for call in group {
            if hit.is_some() || self.cancel.is_cancelled() {
                hit.get_or_insert(Interrupted::Tools);
                self.tell_result(call, Told::failed(NOT_RUN, None)).await?;
                continue;
            }
            match self.permit(call, is_alone).await {
                Ok((tool, input, meta)) => {
                    let change = tool.mode_change();
                    let answer = tool.is_form().then(|| input.clone());
                    let run = session.run_call(by, tool, &call.block.id, input, cancel.clone());
                    futures.push((call, meta, change, answer, run));
                }
                Err(Refusal::Deferred) => return Err(End::Deferred(Box::new(call.block.clone()))),
                Err(Refusal::Told(told)) => self.tell_result(call, *told).await?,
                Err(Refusal::Interrupts(told)) => {
                    hit = Some(Interrupted::Tools);
                    self.tell_result(call, *told).await?;
                }
            }
        }
        session.hide_files(by);
        let mut unfinished: Vec<_> = futures
            .into_iter()
            .map(|(call, meta, change, answer, future)| (call, meta, change, answer, Box::pin(future)))
            .collect();
        while !unfinished.is_empty() {
            let (index, done) = poll_fn(|context| {
                let done = unfinished.iter_mut().enumerate().find_map(|(index, (.., future))| {
                    match future.as_mut().poll(context) {
                        Poll::Ready(outcome) => Some((index, outcome)),
                        Poll::Pending => None,
                    }
                });
                done.map_or(Poll::Pending, Poll::Ready)
            })
            .await;
            let (call, meta, change, answer, _) = unfinished.swap_remove(index);
            let Done { outcome, after } = done;
            if let (Ok(_), Some(change)) = (&outcome, change) {
                session.change_mode(change).await;
            }
            if let Some(answer) = answer {
                self.note_answer(&answer, &outcome);
            }
            is_last |= outcome.as_ref().is_ok_and(|output| mcp::ends_turn(&output.result));
            if matches!(outcome, Err(Failure::Interrupted(_))) || self.cancel.is_cancelled() {
                hit = Some(Interrupted::Tools);
            }
            let label = if outcome.as_ref().is_ok_and(|output| !output.is_error) {
                "PostToolUse"
            } else {
                "PostToolUseFailure"
            };
            self.hear(&format!("{label}:{}", call.block.name), &after, true);
            self.tell_result(call, Told::of(outcome, meta)).await?;
        }
        let now = self.workshop().cwd();
        if now != folder && by.is_none() {
            session.cwd_changed(&folder, &now);
        }
        Ok((hit, is_last))
    }

    /// Whether a call may run, and with what.
    async fn permit(
        &mut self,
        call: &CallBlock,
        is_alone: bool,
    ) -> Result<(Offer, Raw<'static>, Option<ToolResultMeta<'static>>), Refusal> {
        let name = call.block.name.as_str();
        let Some(tool) = self.find_tool(name) else {
            let what = format!("No such tool available: {name}");
            return Err(Refusal::told(Told::of(Err(Failure::Rejected(what)), None)));
        };
        if call.is_broken {
            let what = format!("The input of {name} is not valid JSON. Send the call again.");
            return Err(Refusal::told(Told::of(Err(Failure::Rejected(what)), None)));
        }
        if let Some(what) = call.block.input.to().ok().and_then(|input| tool.missing(&input)) {
            return Err(Refusal::told(Told::of(Err(Failure::Rejected(what)), None)));
        }
        let mut block = call.block.clone();
        block.input = spelled_out(self.workshop(), tool.name(), block.input);
        let advice = self.session.before_tool(CallTold::of(&block, self.agent()), &self.cancel).await;
        self.hear(&format!("PreToolUse:{name}"), &advice, false);
        if advice.interrupted {
            return Err(Refusal::Interrupts(Box::new(Told::failed(REJECTED, None))));
        }
        if let Some(input) = &advice.updated_input {
            block.input = spelled_out(self.workshop(), tool.name(), input.clone());
        }
        let gate = Gate { session: self.session, by: self.by, cancel: &self.cancel };
        match gate.permit(&tool, &block, &advice).await {
            Permit::Allowed { input, meta } => Ok((tool, input, Some(meta))),
            Permit::Deferred if is_alone => Err(Refusal::Deferred),
            Permit::Deferred => {
                let what =
                    format!("A hook wants to put {name} off, which is not possible beside other calls.");
                Err(Refusal::told(Told::failed(&what, None)))
            }
            Permit::Denied { message, meta, interrupts } => {
                let mut denial = PermissionDenial::new(name.to_owned());
                denial.tool_use_id = Some(call.block.id.clone());
                denial.tool_input = Some(block.input);
                match self.by {
                    Some(_) => self.session.state().denials.push(denial),
                    None => self.denials.push(denial),
                }
                if interrupts {
                    let result = to_raw(&Str::from("User rejected tool use"));
                    let content = Content::Text(REJECTED.into());
                    let told = Told { content, is_error: true, result: Some(result), meta: Some(not_run()) };
                    return Err(Refusal::Interrupts(Box::new(told)));
                }
                Err(Refusal::told(Told::failed(&message, Some(meta))))
            }
            Permit::Withdrawn => Err(Refusal::Interrupts(Box::new(Told::failed(REJECTED, None)))),
        }
    }

    /// Keeps a result and tells it.
    async fn tell_result(&mut self, call: &CallBlock, told: Told) -> Result<(), End> {
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

/// Why a call does not run.
enum Refusal {
    /// The model is told, and the turn goes on.
    Told(Box<Told>),
    /// The turn ends with it.
    Interrupts(Box<Told>),
    /// The turn ends, and the call is left to the host.
    Deferred,
}

impl Refusal {
    fn told(told: Told) -> Self {
        Refusal::Told(Box::new(told))
    }
}

impl Told {
    fn failed(message: &str, meta: Option<ToolResultMeta<'static>>) -> Self {
        Told {
            content: Content::Text(message.to_owned().into()),
            is_error: true,
            result: Some(error_result(message)),
            meta,
        }
    }

    fn of(outcome: Result<Output, Failure>, meta: Option<ToolResultMeta<'static>>) -> Self {
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
                Told::failed(&text, Some(not_run()))
            }
        }
    }
}

/// Of a call that the user stopped.
fn not_run() -> ToolResultMeta<'static> {
    let mut meta = ToolResultMeta::new("");
    meta.non_execution_kind = Some("user-rejected".into());
    meta
}

/// What hosts get in place of a structured result where the tool failed.
fn error_result(message: &str) -> Raw<'static> {
    to_raw(&Str::from(format!("Error: {message}")))
}
