//! One call of a tool: from the model's block to its outcome.
//!
//! A call runs beside the model's stream and beside other calls, so nothing here changes the turn. What a call does to
//! the turn is in [`FinishedCall`], which the turn applies when it takes the result.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use aqueduct_rules::{Behavior, Context, Mode, Stage, decide};
use aqueduct_tools::{BASH, InvalidInput, ModeChange, OfferedTool, ToolFailure, ToolInvocation};
use aqueduct_wire::block::ToolUseBlock;
use aqueduct_wire::frame::{PermissionDenial, ToolResultMeta};
use aqueduct_wire::hook::HookEvent;
use aqueduct_wire::json::Raw;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::answer::CallBlock;
use super::results::{CallResult, REJECTED};
use super::tool_hooks::HookedResult;
use crate::hook::{HookedCall, HooksOutcome};
use crate::permission::{Gate, Permit, invalid_input};
use crate::session::AgentSession;
use crate::subagent::RunningSubagent;

/// What the model reads where it ends planning that has not begun.
const NOT_PLANNING: &str = "You are not in plan mode. Call EnterPlanMode to begin. If the user has approved \
    your plan, implement it.";

/// What a call did, and what the turn has to do about it.
#[derive(Default)]
pub(super) struct FinishedCall {
    /// The call's result; `None` where a hook leaves the call to the host.
    pub(super) result: Option<CallResult>,
    /// The outcomes of hooks, oldest first.
    pub(super) hook_outcomes: Vec<CallHookOutcome>,
    /// The call was denied.
    pub(super) denial: Option<PermissionDenial<'static>>,
    /// The turn ends with this call: the user interrupted it, or denied it together with the turn.
    pub(super) interrupts: bool,
    /// The model is not asked again after this call.
    pub(super) ends_turn: bool,
    /// The answer in the form that the host wants, or what it lacks.
    pub(super) form: Option<Result<Raw<'static>, Unformed>>,
}

/// What hooks said about a call.
pub(super) struct CallHookOutcome {
    /// The event and the tool.
    pub(super) label: String,
    pub(super) outcome: HooksOutcome,
    /// Whether refusals are for the model too.
    pub(super) with_blocks: bool,
}

/// A call that was allowed.
struct AllowedCall {
    tool: OfferedTool,
    input: Raw<'static>,
    meta: ToolResultMeta<'static>,
}

/// Whose call it is, and what ends it.
pub(super) struct CallContext<'t> {
    pub(super) session: &'t AgentSession,
    /// The subagent that makes the call.
    pub(super) by: Option<&'t RunningSubagent>,
    pub(super) cancel: CancellationToken,
    /// Set when the user is asked about the call, or when it runs.
    pub(super) is_settled: Arc<AtomicBool>,
}

impl<'t> CallContext<'t> {
    /// Makes a call: asks hooks, rules and host, runs the tool, and runs the hooks behind it.
    pub(super) async fn perform(self, call: Arc<CallBlock>) -> FinishedCall {
        let mut finished = FinishedCall::default();
        let Some(AllowedCall { tool, input, meta }) = self.permit(&call, &mut finished).await else {
            return finished;
        };
        let change = tool.mode_change();
        let answer = tool.is_form().then(|| input.clone());
        self.session.hide_files(self.by);
        self.is_settled.store(true, Ordering::Relaxed);
        let run = self.session.run_call(self.by, tool, &call.block.id, input, self.cancel.clone());
        let HookedResult { outcome, mut after } = run.await;
        if let (Ok(_), Some(change)) = (&outcome, change) {
            self.session.change_mode(change).await;
        }
        finished.form = answer.and_then(|answer| match &outcome {
            Ok(_) => Some(Ok(answer)),
            Err(ToolFailure::Failed(why) | ToolFailure::Rejected(why)) => Some(Err(Unformed(why.clone()))),
            Err(ToolFailure::Interrupted(_)) => None,
        });
        finished.ends_turn = outcome.as_ref().is_ok_and(|output| aqueduct_mcp::ends_turn(&output.result));
        finished.interrupts = matches!(outcome, Err(ToolFailure::Interrupted(_)));
        let succeeded = outcome.as_ref().is_ok_and(|output| !output.is_error);
        let event = if succeeded { "PostToolUse" } else { "PostToolUseFailure" };
        if !succeeded {
            // The model must receive a failure.
            after.stop = None;
        }
        let label = format!("{event}:{}", call.block.name);
        finished.hook_outcomes.push(CallHookOutcome { label, outcome: after, with_blocks: true });
        finished.result = Some(CallResult::of(outcome, Some(meta)));
        finished
    }

    /// Whether a call may run, and with what. Where it may not, `finished` has the reason.
    async fn permit(&self, call: &CallBlock, finished: &mut FinishedCall) -> Option<AllowedCall> {
        let name = call.block.name.as_str();
        let tool = match self.session.checked_tool(self.by, call) {
            Ok(tool) => tool,
            Err(error) => {
                finished.result = Some(CallResult::invalid(&error, None));
                return None;
            }
        };
        let tool_context = self.session.tool_context_of(self.by);
        let agent = self.by.map(|by| &by.identity);
        let mut block = call.block.clone();
        if let Some(own) = tool.own() {
            block.input = own.coerced(block.input);
        }
        block.input = tool.spelled_out(tool_context, block.input);
        let is_settled = Some(&*self.is_settled);
        let gate = Gate { session: self.session, by: self.by, cancel: &self.cancel, is_settled };
        if let Some(reported) = self.rejected(&gate, &tool, &block, finished).await {
            finished.result = Some(reported);
            return None;
        }
        if self.session.has_hooks(&HookEvent::PreToolUse) {
            self.is_settled.store(true, Ordering::Relaxed);
        }
        let advice = self.session.before_tool(HookedCall::of(&block, agent), &self.cancel).await;
        if advice.interrupted {
            (finished.result, finished.interrupts) = (Some(CallResult::stopped(REJECTED)), true);
        } else {
            if let Some(input) = &advice.updated_input {
                block.input = tool.spelled_out(tool_context, input.clone());
            }
            match gate.permit(&tool, &block, &advice).await {
                Permit::Allowed { input, meta } => {
                    finished.push_hook_outcome(name, advice);
                    return match fitting(&tool, &block.input, input) {
                        Ok(input) => Some(AllowedCall { tool, input, meta }),
                        Err(error) => {
                            finished.result = Some(CallResult::invalid(&error, Some(invalid_input())));
                            None
                        }
                    };
                }
                Permit::Deferred => (),
                Permit::Denied { message, meta, interrupts } => {
                    finished.denial = Some(denial(&block));
                    finished.interrupts = interrupts;
                    finished.result = Some(match interrupts {
                        true => CallResult::stopped(REJECTED),
                        false => CallResult::failed(&message, Some(meta)),
                    });
                }
                Permit::Withdrawn => {
                    finished.denial = Some(denial(&block));
                    (finished.result, finished.interrupts) = (Some(CallResult::stopped(REJECTED)), true);
                }
            }
        }
        finished.push_hook_outcome(name, advice);
        None
    }
}

/// An answer does not have the form that the host wants; the text gives the reason.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Unformed(String);

/// A call that can't run. The model reads the text.
#[derive(Debug, thiserror::Error)]
pub(super) enum InvalidCall {
    /// There is no such tool.
    #[error("Error: No such tool available: {name}{}", case_hint(meant.as_deref()))]
    NoTool { name: String, meant: Option<String> },
    /// Its input is not valid JSON.
    #[error("The input of {0} is not valid JSON. Send the call again.")]
    NoJson(String),
    /// Its input does not fit the tool.
    #[error(transparent)]
    Input(InvalidInput),
    /// What the host changed does not fit the tool.
    #[error("The answer to the permission request has an invalid `updatedInput`. {0}")]
    UpdatedInput(InvalidInput),
}

impl InvalidCall {
    /// Whether the text begins with the name of the error.
    pub(super) fn is_named(&self) -> bool {
        match self {
            InvalidCall::NoTool { .. } | InvalidCall::Input(_) => true,
            InvalidCall::NoJson(_) | InvalidCall::UpdatedInput(_) => false,
        }
    }
}

fn case_hint(meant: Option<&str>) -> String {
    meant.map(|meant| format!(". Tool names are case-sensitive: call {meant}")).unwrap_or_default()
}

/// The input that a call was allowed with, if its tool can use it. What the host has changed may not fit.
fn fitting(
    tool: &OfferedTool,
    asked: &Raw<'static>,
    allowed: Raw<'static>,
) -> Result<Raw<'static>, InvalidCall> {
    let Some(own) = tool.own().filter(|_| asked.as_str() != allowed.as_str()) else { return Ok(allowed) };
    let input = own.known_members(allowed.to::<Value>().unwrap_or_default());
    own.check_input(&input).map_err(InvalidCall::UpdatedInput)?;
    Ok(Raw::from(&input).into_owned())
}

impl CallContext<'_> {
    /// Rejects a call that can't work, or that is for a file that a rule denies: hooks don't run, and the user is not
    /// asked.
    async fn rejected(
        &self,
        gate: &Gate<'_>,
        tool: &OfferedTool,
        block: &ToolUseBlock<'static>,
        finished: &mut FinishedCall,
    ) -> Option<CallResult> {
        if let Some(Permit::Denied { message, meta, .. }) = gate.forbidden(tool, block).await {
            finished.denial = Some(denial(block));
            return Some(CallResult::of(Err(ToolFailure::Rejected(message)), Some(meta)));
        }
        if tool.mode_change() == Some(ModeChange::EndPlanning)
            && self.session.permissions.mode() != Mode::Plan
        {
            return Some(CallResult::of(Err(ToolFailure::Rejected(NOT_PLANNING.to_owned())), None));
        }
        let own = tool.own()?;
        let call = ToolInvocation {
            id: &block.id,
            input: block.input.clone(),
            resolved: None,
            may_be_unread: gate.may_change_unread(tool, &block.input).await,
            cancel: self.cancel.clone(),
        };
        match own.check(self.session.tool_context_of(self.by), call).await {
            Err(failure @ (ToolFailure::Rejected(_) | ToolFailure::Failed(_))) => {
                let (ToolFailure::Rejected(what)
                | ToolFailure::Failed(what)
                | ToolFailure::Interrupted(what)) = failure;
                Some(CallResult::of(Err(ToolFailure::Rejected(what)), None))
            }
            // An interrupt ends the call where the hooks would run.
            Err(ToolFailure::Interrupted(_)) | Ok(()) => None,
        }
    }
}

impl FinishedCall {
    fn push_hook_outcome(&mut self, tool: &str, outcome: HooksOutcome) {
        self.hook_outcomes.push(CallHookOutcome {
            label: format!("PreToolUse:{tool}"),
            outcome,
            with_blocks: false,
        });
    }
}

impl AgentSession {
    /// The tool that a call is for; what is wrong with the call, where it can't run.
    fn checked_tool(
        &self,
        by: Option<&RunningSubagent>,
        call: &CallBlock,
    ) -> Result<OfferedTool, InvalidCall> {
        let name = call.block.name.as_str();
        let Some(tool) = self.find_tool(by, name) else {
            let meant = self.tool_named_like(by, name);
            return Err(InvalidCall::NoTool { name: name.to_owned(), meant });
        };
        if call.is_broken {
            return Err(InvalidCall::NoJson(name.to_owned()));
        }
        let checked = call.block.input.to().map_or(Ok(()), |input| tool.check_input(&input));
        checked.map_err(InvalidCall::Input).map(|()| tool)
    }

    /// Whether a call may run beside others: it changes nothing, or it can't run at all.
    pub(super) fn runs_beside(&self, by: Option<&RunningSubagent>, call: &CallBlock) -> bool {
        match self.checked_tool(by, call) {
            Err(_) => true,
            Ok(tool) if tool.is(|facts| facts.runs_commands) => {
                let command = call.block.input.to::<Value>().unwrap_or_default();
                only_reads(&self.tool_context_of(by).workspace.cwd().to_string_lossy(), &command)
            }
            Ok(tool) => tool.runs_beside(),
        }
    }
}

/// Whether a command is known to change nothing, not even the working directory.
fn only_reads(cwd: &str, input: &Value) -> bool {
    let command = input.get("command").and_then(Value::as_str).unwrap_or_default();
    let moves = command
        .split(|char: char| !char.is_alphanumeric())
        .any(|word| matches!(word, "cd" | "pushd" | "popd"));
    let decision = decide(&Context::new(cwd), &aqueduct_rules::Call::new(BASH, input));
    !moves
        && decision.behavior == Behavior::Allow
        && decision.trace.iter().any(|step| step.step == Stage::Tool && step.behavior == Behavior::Allow)
}

fn denial(block: &ToolUseBlock<'static>) -> PermissionDenial<'static> {
    let mut denial = PermissionDenial::new(block.name.clone());
    denial.tool_use_id = Some(block.id.clone());
    denial.tool_input = Some(block.input.clone());
    denial
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn commands_that_change_nothing_run_beside_others() {
        for (command, expected) in [
            ("ls", true),
            ("sleep 1; ls", true),
            ("git status", false),
            ("touch a", false),
            ("ls > a", false),
            ("cd src && ls", false),
            ("$(cat a)", false),
            ("", false),
        ] {
            assert_eq!(only_reads("/project", &json!({ "command": command })), expected, "{command}");
        }
    }
}
