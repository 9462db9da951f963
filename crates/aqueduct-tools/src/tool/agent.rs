//! `Agent`: the model sends a subagent.

use aqueduct_wire::tool::{AgentInput, AgentIsolation};

use super::row::{Audience, CallSummary, ToolFacts};
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolFuture, ToolInvocation};
use crate::subagent::SubagentRequest;

/// The kind of subagent where the model names none.
pub const DEFAULT_SUBAGENT: &str = "general-purpose";

/// The tool.
pub(super) const TOOL: BuiltInTool = BuiltInTool {
    name: "Agent",
    description: "Start a subagent: another agent with its own conversation, which does one task and reports \
        the result. Use it for work of several steps whose details you do not need, and for several tasks at \
        once: make several calls in one message. Do small tasks yourself. The system prompt lists the \
        subagent types.\n\nThe subagent knows nothing about this conversation: `prompt` must contain \
        everything that it needs, what exactly it should do, whether it may change files, and what its \
        report must contain. SendMessage with its agentId continues it with its conversation; another call \
        of this tool starts a new one. The user does not see the report: pass on what matters.\n\nA subagent \
        runs in the background, and you are notified when it is done. With `run_in_background: false` the \
        call waits for the report: use that when you can't continue without it.",
    schema: r#"{"type":"object","properties":{"description":{"type":"string","description":"The task in three to five words, for the user"},"prompt":{"type":"string","description":"The task, with everything that the subagent must know"},"subagent_type":{"type":"string","description":"The subagent type; default: general-purpose"},"name":{"type":"string","description":"A name that SendMessage can address"},"model":{"type":"string","description":"Overrides the model of the subagent type: sonnet, opus or haiku"},"run_in_background":{"type":"boolean","description":"false: wait for the report"},"isolation":{"type":"string","enum":["worktree"],"description":"worktree: run in a separate git worktree, which is removed afterwards if it has no changes"},"max_turns":{"type":"integer","description":"Maximum number of model calls"}},"required":["description","prompt"]}"#,
    run: |tool_context, call| Box::pin(send(tool_context, call)) as ToolFuture<'_>,
    facts: ToolFacts {
        older_names: &["Task"],
        listed_as: Some("Task"),
        is_concurrent: true,
        starts_subagents: true,
        audience: Audience::NotReaders,
        summary: Some(CallSummary { verb: "", members: &["description"] }),
        ..ToolFacts::NONE
    },
};

async fn send(tool_context: &ToolContext, call: ToolInvocation<'_>) -> Result<CallOutput, ToolFailure> {
    let order = order(tool_context, &call)?;
    tool_context.subagents.send(order, &call.cancel).await
}

fn order(tool_context: &ToolContext, call: &ToolInvocation<'_>) -> Result<SubagentRequest, ToolFailure> {
    let Some(input) = call.input.view::<AgentInput<'_>>() else {
        return Err(ToolFailure::Rejected(
            "InputValidationError: Agent needs `prompt`, a string.".to_owned(),
        ));
    };
    let kind = input.subagent_type.as_deref().filter(|kind| !kind.is_empty()).unwrap_or(DEFAULT_SUBAGENT);
    let types = &tool_context.subagents.types;
    // Its file may be new.
    let found = types.find_type(kind).or_else(|| types.reread().then(|| types.find_type(kind)).flatten());
    let Some(subagent_type) = found else {
        let names = types.type_names();
        let what = format!("Agent type '{kind}' not found. Available agents: {}", names.join(", "));
        return Err(ToolFailure::Failed(what));
    };
    let is_isolated = match &input.isolation {
        None => subagent_type.is_isolated,
        Some(AgentIsolation::Worktree) => true,
        Some(_) => {
            let what = "InputValidationError: `isolation` must be \"worktree\" or omitted.";
            return Err(ToolFailure::Rejected(what.to_owned()));
        }
    };
    let sender = tool_context.subagents.owner.clone();
    // A subagent that has reported can't receive the results of its own subagent any more.
    let is_background =
        sender.is_none() && (subagent_type.is_background || input.run_in_background.unwrap_or(true));
    let description = input.description.as_deref().unwrap_or(kind).to_owned();
    let max_turns =
        input.max_turns.as_ref().and_then(|max| max.as_u64()).and_then(|max| u32::try_from(max).ok());
    Ok(SubagentRequest {
        kind: subagent_type.name,
        prompt: input.prompt.to_string(),
        description,
        name: input.name.as_ref().map(|name| name.to_string()).filter(|name| !name.is_empty()),
        continues: None,
        model: input.model.as_ref().map(|model| model.to_string()).filter(|model| model != "inherit"),
        max_turns: max_turns.filter(|max| *max > 0),
        is_background,
        is_isolated,
        tool_use_id: call.id.to_owned(),
        sender,
    })
}
