//! Hooks around the calls of a turn, and what the model receives of them.

use std::time::{Duration, Instant};

use aqueduct_tools::web::{Permits, WebCallContext};
use aqueduct_tools::{CallOutput, OfferedTool, ToolFailure, ToolInvocation};
use aqueduct_wire::FromAgent;
use aqueduct_wire::block::{Content, ContentBlock, TextBlock};
use aqueduct_wire::hook::{HookEvent, ToolCall};
use aqueduct_wire::json::{IntoOwned, Raw, Str};
use aqueduct_wire::message::UserMessage;
use aqueduct_wire::system::SystemFrame;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::answer::CallBlock;
use super::{Turn, TurnEnd};
use crate::clock::fresh_uuid;
use crate::hook::{HookedCall, HooksOutcome};
use crate::permission::Gate;
use crate::session::{AgentSession, proxy};
use crate::subagent::RunningSubagent;
use crate::transcript::UserLine;
use crate::wait_report::reported;

/// What a call gave, and what hooks said about it.
pub(super) struct HookedResult {
    pub(super) outcome: Result<CallOutput, ToolFailure>,
    pub(super) after: HooksOutcome,
}

impl AgentSession {
    /// Runs a call that may run, and then its hooks.
    pub(super) async fn run_call(
        &self,
        by: Option<&RunningSubagent>,
        tool: OfferedTool,
        id: &str,
        input: Raw<'static>,
        cancel: CancellationToken,
    ) -> HookedResult {
        let started = Instant::now();
        let resolved = self.tool_context_of(by).files.resolved_paths.take(id, input.as_str());
        let gate = Gate { session: self, by, cancel: &cancel, is_settled: None };
        let may_be_unread = gate.may_change_unread(&tool, &input).await;
        let call =
            ToolInvocation { id, input: input.clone(), resolved, may_be_unread, cancel: cancel.clone() };
        let mut outcome = match self.task_refusal(tool.name(), &input, &cancel).await {
            Some(why) => Err(ToolFailure::Failed(format!("A hook denied it: {why}"))),
            None if tool.is(|facts| facts.is_web) => self.run_web_call(by, &tool, call).await,
            None if tool.is(|facts| facts.is_for_worktrees) && by.is_none() => {
                self.tool_context.workspace.worktrees.set_service(self.worktree_service());
                tool.run(&self.tool_context, call).await
            }
            None => match tool.awaited() {
                Some(what) => {
                    let run = tool.run(self.tool_context_of(by), call);
                    reported(run, |waited| self.send_waiting(&what, id, waited)).await
                }
                None => tool.run(self.tool_context_of(by), call).await,
            },
        };
        if self.command_catalog.has_grown() {
            self.refresh_custom_commands().await;
        }
        let reported = HookedCall { tool: tool.name(), id, input: &input, agent: by.map(|by| &by.identity) };
        let after = self.follow_up(reported, &outcome, started.elapsed(), &cancel).await;
        if let Ok(output) = &mut outcome {
            replace(tool.name(), output, &after);
        }
        HookedResult { outcome, after }
    }

    /// Notifies the user that a turn waits for an MCP server.
    async fn send_waiting(&self, what: &str, id: &str, waited: Duration) {
        let text = format!("Waiting for {what} for {} s. Interrupt to stop it.", waited.as_secs());
        self.send_slow(text, "mcp_call_slow", Some(id)).await;
    }

    /// Runs a call that asks a model about the web, and counts what that used.
    async fn run_web_call(
        &self,
        by: Option<&RunningSubagent>,
        tool: &OfferedTool,
        call: ToolInvocation<'_>,
    ) -> Result<CallOutput, ToolFailure> {
        let tool_context = self.tool_context_of(by);
        tool_context.web.set_service(self.call_context(by));
        let outcome = tool.run(tool_context, call).await;
        for spent in tool_context.web.take_spent() {
            self.usage.count(&spent.model, &spent.usage, spent.took);
        }
        outcome
    }

    /// Who answers questions about the web, and what holds for it now.
    fn call_context(&self, by: Option<&RunningSubagent>) -> WebCallContext {
        let name = by.map_or_else(|| self.model(), RunningSubagent::model);
        let small = self.models.small(&self.environment, &name);
        let rules = self.permissions.rules();
        WebCallContext {
            small: (self.models.get(&small), small),
            main: (self.models.get(&name), name),
            permits: Permits::new(rules),
            proxy: proxy(&self.environment),
            user: self.id(),
        }
    }

    /// Runs the hooks that follow a call.
    async fn follow_up(
        &self,
        call: HookedCall<'_>,
        outcome: &Result<CallOutput, ToolFailure>,
        took: Duration,
        cancel: &CancellationToken,
    ) -> HooksOutcome {
        match outcome {
            Ok(output) if !output.is_error => self.after_tool(call, &output.result, took, cancel).await,
            Ok(output) => self.after_failed_tool(call, &text_of(&output.content), took, cancel).await,
            Err(ToolFailure::Failed(text) | ToolFailure::Rejected(text)) => {
                self.after_failed_tool(call, text, took, cancel).await
            }
            Err(ToolFailure::Interrupted(text)) => {
                self.interrupted_tool(call, text, took);
                HooksOutcome::default()
            }
        }
    }
}

impl Turn<'_> {
    /// Adds the output of an event's hooks: the model receives it before its next answer.
    pub(super) fn add_contexts(&mut self, label: &str, outcome: &HooksOutcome, with_blocks: bool) {
        let blocks = outcome.blocks.iter().filter(|_| with_blocks);
        let added = blocks.chain(&outcome.contexts).map(|text| format!("{label} hook: {text}"));
        self.contexts.extend(added);
        self.notices.extend(outcome.notices.iter().cloned());
        if let Some(why) = &outcome.stop {
            self.halt.get_or_insert_with(|| why.clone());
        }
    }

    /// Sends what hooks want people to read.
    pub(super) async fn send_notices(&mut self) {
        for notice in std::mem::take(&mut self.notices) {
            self.session.send(FromAgent::System(SystemFrame::Informational(Box::new(notice)))).await;
        }
    }

    /// Remembers a result for the hooks that look at all calls of a message.
    pub(super) fn note_call(&mut self, call: &CallBlock, content: &Content<'_>) {
        if !self.session.has_hooks(&HookEvent::PostToolBatch) {
            return;
        }
        let mut reported = ToolCall::new();
        reported.tool_name = Some(call.block.name.clone());
        reported.tool_input = Some(call.block.input.clone());
        reported.tool_use_id = Some(call.block.id.clone());
        reported.tool_response = Some(Raw::written(&Str::from(text_of(content))));
        self.batch.push(reported);
    }

    /// Runs the hooks that follow all calls of a message.
    pub(super) async fn end_batch(&mut self) {
        let calls = std::mem::take(&mut self.batch);
        if calls.is_empty() {
            return;
        }
        let outcome = self.session.after_tools(calls, self.agent(), &self.cancel).await;
        // A no to all of them can only mean that the turn is to end.
        if let Some(why) = outcome.refusal() {
            self.halt.get_or_insert(why);
        }
        self.add_contexts("PostToolBatch", &outcome, false);
    }

    /// Ends the turn where a hook wants it.
    pub(super) fn halted(&mut self) -> Option<TurnEnd> {
        self.halt.take().map(TurnEnd::Halted)
    }

    /// Records the output of hooks for the model.
    pub(super) fn send_contexts(&mut self) -> Result<(), TurnEnd> {
        if self.by.is_none() {
            let late = self.session.hooks.late();
            self.late_contexts.extend(late.iter().cloned());
            self.contexts.extend(late);
        }
        if self.contexts.is_empty() {
            return Ok(());
        }
        let text = std::mem::take(&mut self.contexts).join("\n\n");
        let block = TextBlock::new(format!("<system-reminder>\n{text}\n</system-reminder>"));
        let mut message = UserMessage::new(Content::Blocks(vec![ContentBlock::Text(block)]));
        message.role = Some("user".into());
        let (uuid, message) = (fresh_uuid(), Raw::written(&message));
        let mut line = UserLine::new(&uuid, &message);
        line.is_meta = true;
        self.dialogue.user(&line)?;
        self.reminders.push(uuid);
        Ok(())
    }
}

/// Puts the result that a hook wants in the tool's place.
fn replace(tool: &str, output: &mut CallOutput, after: &HooksOutcome) {
    let mcp = after.updated_mcp_output.as_ref().filter(|_| tool.starts_with("mcp__"));
    let Some(updated) = after.updated_output.as_ref().or(mcp) else { return };
    let is_object = |raw: &Raw<'_>| raw.as_str().trim_start().starts_with('{');
    // Hosts read the results of the agent's own tools by their members.
    if !tool.starts_with("mcp__") && is_object(&output.result) && !is_object(updated) {
        return;
    }
    output.result = updated.clone();
    let is_known = |block: &ContentBlock<'_>| !matches!(block, ContentBlock::Unknown(_));
    output.content = match updated.view::<Content<'_>>().map(IntoOwned::into_owned) {
        Some(Content::Text(text)) => Content::Text(text),
        Some(Content::Blocks(blocks)) if blocks.iter().all(is_known) => Content::Blocks(blocks),
        _ => Content::Text(as_text(updated).into()),
    };
}

/// What the model reads of a structured result: what a command printed, or the whole.
fn as_text(result: &Raw<'_>) -> String {
    let value = result.to::<Value>().unwrap_or_default();
    let printed: Vec<&str> = ["stdout", "stderr"]
        .iter()
        .filter_map(|name| value.get(*name)?.as_str())
        .filter(|text| !text.is_empty())
        .collect();
    if value.get("stdout").is_some() { printed.join("\n") } else { result.as_str().to_owned() }
}

pub(super) fn text_of(content: &Content<'_>) -> String {
    match content {
        Content::Text(text) => text.to_string(),
        content => content.text(),
    }
}
