//! `TaskOutput` and `TaskStop` for subagents.

use std::time::Duration;

use aqueduct_wire::block::Content;
use aqueduct_wire::json::Raw;
use aqueduct_wire::tool::TaskStopResult;
use serde_json::json;

use super::{CallOutput, ToolFailure, ToolInvocation};
use crate::subagent::{PoolMember, SubagentEnd, TASK_TYPE};

/// What a subagent reports, waited for no longer than this.
pub(super) async fn output(
    member: &PoolMember,
    wait: Duration,
    call: &ToolInvocation<'_>,
) -> Result<CallOutput, ToolFailure> {
    let mut waited = "success";
    if member.report().is_none() {
        waited = tokio::select! {
            biased;
            () = call.cancel.cancelled() => return Err(ToolFailure::Interrupted(String::new())),
            _ = member.done() => "success",
            () = tokio::time::sleep(wait) => if wait.is_zero() { "not_ready" } else { "timeout" },
        };
    }
    let report = member.report();
    let status = match report.as_ref().map(|report| &report.ended) {
        None => "running",
        Some(SubagentEnd::Completed) => "completed",
        Some(SubagentEnd::Failed(_)) => "failed",
        Some(SubagentEnd::Stopped) => "stopped",
    };
    let identity = &member.identity;
    let mut text = format!(
        "<retrieval_status>{waited}</retrieval_status>\n\n<task_id>{}</task_id>\n\n\
         <task_type>{TASK_TYPE}</task_type>\n\n<status>{status}</status>",
        identity.id
    );
    if let Some(report) = &report {
        if let SubagentEnd::Failed(why) = &report.ended {
            text.push_str(&format!("\n\n<error>{why}</error>"));
        }
        text.push_str(&format!("\n\n<output>\n{}\n</output>", report.framed()));
    }
    let report_text = report.map(|report| report.text.clone()).unwrap_or_default();
    let result = json!({
        "retrieval_status": waited,
        "task": {
            "task_id": identity.id,
            "task_type": TASK_TYPE,
            "status": status,
            "description": identity.description,
            "output": report_text,
        },
    });
    Ok(CallOutput { content: Content::Text(text.into()), result: Raw::from(&result), is_error: false })
}

/// Stops a subagent, and waits until it has.
pub(super) async fn stop(member: &PoolMember) -> Result<CallOutput, ToolFailure> {
    let identity = &member.identity;
    if member.report().is_some() {
        return Err(ToolFailure::Rejected(format!("The subagent {} is already done.", identity.id)));
    }
    member.stop();
    member.done().await;
    let mut result = TaskStopResult::new();
    result.message = Some(format!("Stopped the subagent {}: {}", identity.id, identity.description).into());
    result.task_id = Some(identity.id.as_str().into());
    result.task_type = Some(TASK_TYPE.into());
    let result = Raw::written(&result);
    Ok(CallOutput { content: Content::Text(result.as_str().to_owned().into()), result, is_error: false })
}
