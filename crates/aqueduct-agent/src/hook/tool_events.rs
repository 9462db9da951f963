//! Events around the calls of tools.

use std::sync::Arc;
use std::time::Duration;

use aqueduct_tools::subagent::SubagentIdentity;
use aqueduct_wire::block::ToolUseBlock;
use aqueduct_wire::hook::{
    HookEvent, PermissionDeniedInput, PermissionRequestInput, PostToolBatchInput, PostToolUseFailureInput,
    PostToolUseInput, PreToolUseInput, ToolCall,
};
use aqueduct_wire::json::Raw;
use aqueduct_wire::permission::PermissionUpdate;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::input::reported;
use super::occasion::HookOccurrence;
use super::outcome::HooksOutcome;
use crate::session::AgentSession;

/// A call, as hooks receive it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HookedCall<'c> {
    /// The tool's name.
    pub(crate) tool: &'c str,
    /// The id of the call.
    pub(crate) id: &'c str,
    /// Its input: the model's, or what hooks and host made of it.
    pub(crate) input: &'c Raw<'static>,
    /// The subagent whose call it is.
    pub(crate) agent: Option<&'c Arc<SubagentIdentity>>,
}

impl<'c> HookedCall<'c> {
    /// The call as the model made it.
    pub(crate) fn of(block: &'c ToolUseBlock<'static>, agent: Option<&'c Arc<SubagentIdentity>>) -> Self {
        HookedCall { tool: block.name.as_str(), id: block.id.as_str(), input: &block.input, agent }
    }

    fn occasion(&self, event: &HookEvent<'_>) -> HookOccurrence {
        HookOccurrence::of_call(event, self.tool, self.id, self.input).in_agent(self.agent.cloned())
    }
}

impl AgentSession {
    /// Before a tool runs: hooks may allow, forbid, ask, change the input, or end the turn.
    pub(crate) async fn before_tool(&self, call: HookedCall<'_>, cancel: &CancellationToken) -> HooksOutcome {
        let occasion = call.occasion(&HookEvent::PreToolUse);
        self.fire(occasion, cancel, |base| {
            let mut input = PreToolUseInput::new(call.tool.to_owned(), call.input.clone());
            input.tool_use_id = Some(call.id.to_owned().into());
            reported!(base, in a turn, PreToolUse(input))
        })
        .await
    }

    /// After a tool has run: hooks may change its result, add to it, or end the turn.
    pub(crate) async fn after_tool(
        &self,
        call: HookedCall<'_>,
        response: &Raw<'static>,
        took: Duration,
        cancel: &CancellationToken,
    ) -> HooksOutcome {
        let occasion = call.occasion(&HookEvent::PostToolUse);
        self.fire(occasion, cancel, |base| {
            let mut input = PostToolUseInput::new(call.tool.to_owned(), call.input.clone());
            input.tool_response = Some(response.clone());
            input.tool_use_id = Some(call.id.to_owned().into());
            input.duration_ms = Some((took.as_millis() as u64).into());
            reported!(base, in a turn, PostToolUse(input))
        })
        .await
    }

    /// After a tool has failed.
    pub(crate) async fn after_failed_tool(
        &self,
        call: HookedCall<'_>,
        error: &str,
        took: Duration,
        cancel: &CancellationToken,
    ) -> HooksOutcome {
        let occasion = call.occasion(&HookEvent::PostToolUseFailure);
        self.fire(occasion, cancel, |base| {
            let mut input = PostToolUseFailureInput::new(call.tool.to_owned(), call.input.clone());
            input.tool_use_id = Some(call.id.to_owned().into());
            input.error = Some(error.to_owned().into());
            input.is_interrupt = Some(false);
            input.duration_ms = Some((took.as_millis() as u64).into());
            reported!(base, in a turn, PostToolUseFailure(input))
        })
        .await
    }

    /// A tool was interrupted: hooks are notified in the background.
    pub(crate) fn interrupted_tool(&self, call: HookedCall<'_>, error: &str, took: Duration) {
        let occasion = call.occasion(&HookEvent::PostToolUseFailure).without_host();
        self.observe(occasion, |base| {
            let mut input = PostToolUseFailureInput::new(call.tool.to_owned(), call.input.clone());
            input.tool_use_id = Some(call.id.to_owned().into());
            input.error = Some(error.to_owned().into());
            input.is_interrupt = Some(true);
            input.duration_ms = Some((took.as_millis() as u64).into());
            reported!(base, in a turn, PostToolUseFailure(input))
        });
    }

    /// After all tools that the model called at once.
    pub(crate) async fn after_tools(
        &self,
        calls: Vec<ToolCall<'static>>,
        agent: Option<&Arc<SubagentIdentity>>,
        cancel: &CancellationToken,
    ) -> HooksOutcome {
        let occasion = HookOccurrence::new(&HookEvent::PostToolBatch, None).in_agent(agent.cloned());
        self.fire(occasion, cancel, |base| {
            let mut input = PostToolBatchInput::new();
            input.tool_calls = Some(calls);
            reported!(base, in a turn, PostToolBatch(input))
        })
        .await
    }

    /// The user is about to be asked about a call: hooks may answer instead. They continue if the user answers first,
    /// because some only send notifications; an interrupt ends them. `None` if there are no hooks.
    pub(crate) fn permission_requested(
        &self,
        call: HookedCall<'_>,
        suggestions: Vec<PermissionUpdate<'static>>,
        cancel: &CancellationToken,
    ) -> Option<oneshot::Receiver<HooksOutcome>> {
        let occasion = call.occasion(&HookEvent::PermissionRequest);
        self.fire_apart(occasion, cancel, |base| {
            let mut input = PermissionRequestInput::new(call.tool.to_owned(), call.input.clone());
            input.permission_suggestions = (!suggestions.is_empty()).then_some(suggestions);
            reported!(base, in a turn, PermissionRequest(input))
        })
    }

    /// A call was denied without a prompt to the user.
    pub(crate) async fn permission_denied(
        &self,
        call: HookedCall<'_>,
        reason: &str,
        cancel: &CancellationToken,
    ) -> HooksOutcome {
        let occasion = call.occasion(&HookEvent::PermissionDenied);
        self.fire(occasion, cancel, |base| {
            let mut input = PermissionDeniedInput::new(call.tool.to_owned(), call.input.clone());
            input.tool_use_id = Some(call.id.to_owned().into());
            input.reason = Some(reason.to_owned().into());
            reported!(base, in a turn, PermissionDenied(input))
        })
        .await
    }
}
