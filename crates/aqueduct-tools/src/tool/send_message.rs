//! `SendMessage`: the model continues a subagent.

use aqueduct_wire::block::{Content, ContentBlock, TextBlock};
use aqueduct_wire::json::Raw;
use serde_json::{Value, json};

use super::row::ToolFacts;
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolFuture, ToolInvocation};
use crate::subagent::SubagentRequest;

/// The tool.
pub(super) const TOOL: BuiltInTool = BuiltInTool {
    name: "SendMessage",
    description: "Continue a subagent with its whole conversation: send it a message by the agentId that the Agent \
        tool returned, or by its name. A subagent that is working receives the message before its next step. One that \
        has reported works again in the background; you are notified when it reports.",
    schema: r#"{"type":"object","properties":{"to":{"type":"string","description":"The agentId or the name of the subagent"},"message":{"type":"string","description":"What it should do now"},"summary":{"type":"string","description":"The message in five to ten words, for the user"}},"required":["to","message"]}"#,
    run: |tool_context, call| Box::pin(send(tool_context, call)) as ToolFuture<'_>,
    facts: ToolFacts { continues_subagents: true, is_rare: true, ..ToolFacts::NONE },
};

async fn send(tool_context: &ToolContext, call: ToolInvocation<'_>) -> Result<CallOutput, ToolFailure> {
    let input: Value = call.input.to().map_err(|error| ToolFailure::Rejected(error.to_string()))?;
    let (Some(to), Some(message)) = (input["to"].as_str(), input["message"].as_str()) else {
        let what = "InputValidationError: SendMessage needs `to` and `message`, both strings.";
        return Err(ToolFailure::Rejected(what.to_owned()));
    };
    if let Some(member) = tool_context.subagents.pool.find(to).filter(|member| member.report().is_none()) {
        member.post(message);
        let what = format!(
            "Message queued for {to}: it is delivered before the subagent's next step. If the subagent reports first, it \
             continues with the message and you are notified again."
        );
        return Ok(output(json!({ "success": true, "message": what }), &json!({})));
    }
    let Some(earlier) = tool_context.subagents.earlier(to) else {
        let what = format!("No agent named '{to}' is reachable.");
        let display = format!("Not sent: no agent named '{to}' is reachable.");
        return Ok(output(json!({ "success": false, "message": what }), &json!({ "display": display })));
    };
    let Some(subagent_type) = tool_context.subagents.types.find_type(&earlier.kind) else {
        let what = format!("The subagent type {:?} does not exist any more.", earlier.kind);
        return Err(ToolFailure::Failed(what));
    };
    let (id, sender) = (earlier.id.clone(), tool_context.subagents.owner.clone());
    let order = SubagentRequest {
        kind: subagent_type.name,
        prompt: message.to_owned(),
        description: earlier.description.clone(),
        name: earlier.name.clone(),
        model: None,
        max_turns: None,
        is_background: sender.is_none(),
        is_isolated: earlier.is_isolated,
        tool_use_id: call.id.to_owned(),
        continues: Some(earlier),
        sender,
    };
    let waits = !order.is_background;
    let report = tool_context.subagents.send(order, &call.cancel).await?;
    if waits {
        return Ok(report);
    }
    let short: String = id.chars().take(7).collect();
    let reported =
        json!({ "success": true, "message": format!("Resuming agent {short}"), "resumedAgentId": id });
    Ok(output(reported, &json!({ "revivedAgentId": id })))
}

/// A result: what the model reads, and what hosts read beside it.
fn output(reported: Value, more: &Value) -> CallOutput {
    let text = reported.to_string();
    let mut result = reported;
    if let (Value::Object(result), Value::Object(more)) = (&mut result, more) {
        result.extend(more.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
    let content = Content::Blocks(vec![ContentBlock::Text(TextBlock::new(text))]);
    CallOutput { content, result: Raw::from(&result), is_error: false }
}
