//! `TaskOutput` and `TaskStop`: what becomes of commands and subagents in the background.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_wire::block::Content;
use aqueduct_wire::json::Raw;
use aqueduct_wire::tool::{TaskOutputInput, TaskStopInput, TaskStopResult};

use super::row::ToolFacts;
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolInvocation, subagent_task};
use crate::command::BackgroundCommand;
use crate::notice::BackgroundCommandState;

/// The default time to wait for a task, in milliseconds.
const DEFAULT_WAIT: u64 = 30_000;
/// How long to wait for a task at all, in milliseconds.
const MAX_WAIT: u64 = 600_000;
/// How many bytes of a task's output the model gets: the last ones.
const SHOWN: u64 = 30_000;
/// What hosts call a command in the background.
const TASK_TYPE: &str = "local_bash";

/// Asks for a task's output.
pub(crate) const OUTPUT: BuiltInTool = BuiltInTool {
    name: "TaskOutput",
    description: "Returns the output of a background command, or the report of a subagent, and whether it is \
still running. With `block` (the default) it waits for the end, at most `timeout` milliseconds. Read shows \
the output file at any time.",
    schema: r#"{"type":"object","properties":{"task_id":{"type":"string","description":"The ID of the background command or subagent"},"block":{"type":"boolean","default":true,"description":"Whether to wait for its end"},"timeout":{"type":"number","minimum":0,"maximum":600000,"default":30000,"description":"How long to wait, in milliseconds"}},"required":["task_id"],"additionalProperties":false}"#,
    run: |tool_context, call| Box::pin(output(tool_context, call)),
    facts: ToolFacts { reads_only: true, is_rare: true, ..ToolFacts::NONE },
};

/// Stops a task.
pub(crate) const STOP: BuiltInTool = BuiltInTool {
    name: "TaskStop",
    description: "Stops a background command or subagent, with everything it started.",
    schema: r#"{"type":"object","properties":{"task_id":{"type":"string","description":"The ID of the background command or subagent"},"shell_id":{"type":"string","description":"The older name of task_id"}},"additionalProperties":false}"#,
    run: |tool_context, call| Box::pin(stop(tool_context, call)),
    facts: ToolFacts { older_names: &["KillShell", "KillBash"], is_rare: true, ..ToolFacts::NONE },
};

async fn output(tool_context: &ToolContext, call: ToolInvocation<'_>) -> Result<CallOutput, ToolFailure> {
    let Some(input) = call.input.view::<TaskOutputInput<'_>>() else {
        return Err(ToolFailure::Rejected(
            "InputValidationError: TaskOutput needs `task_id`, a string.".into(),
        ));
    };
    let wait = input.timeout.as_ref().and_then(|time| time.as_u64()).unwrap_or(DEFAULT_WAIT).min(MAX_WAIT);
    let wait = Duration::from_millis(wait).saturating_mul(u32::from(input.block.unwrap_or(true)));
    if let Some(member) = tool_context.subagents.pool.find(&input.task_id) {
        return subagent_task::output(&member, wait, &call).await;
    }
    let task = found(tool_context, &input.task_id)?;
    let mut waited = "success";
    if task.state() == BackgroundCommandState::Running {
        waited = tokio::select! {
            biased;
            () = call.cancel.cancelled() => return Err(ToolFailure::Interrupted(String::new())),
            _ = task.ended() => "success",
            () = tokio::time::sleep(wait) => if wait.is_zero() { "not_ready" } else { "timeout" },
        };
    }
    let state = task.state();
    let printed = tail(&task.output)
        .map_err(|error| ToolFailure::Failed(format!("{} can't be read: {error}", task.output.display())))?;
    let mut text = format!(
        "<retrieval_status>{waited}</retrieval_status>\n\n<task_id>{}</task_id>\n\n\
         <task_type>{TASK_TYPE}</task_type>\n\n<status>{}</status>",
        task.label.id,
        state.name()
    );
    if let Some(code) = state.code() {
        text.push_str(&format!("\n\n<exit_code>{code}</exit_code>"));
    }
    if let BackgroundCommandState::Failed(why) = &state {
        text.push_str(&format!("\n\n<error>{why}</error>"));
    }
    if !printed.is_empty() {
        text.push_str(&format!("\n\n<output>\n{}\n</output>", printed.trim_end()));
    }
    let result = serde_json::json!({
        "retrieval_status": waited,
        "task": {
            "task_id": task.label.id,
            "task_type": TASK_TYPE,
            "status": state.name(),
            "description": task.label.description,
            "output": printed,
            "exitCode": state.code(),
        },
    });
    Ok(CallOutput { content: Content::Text(text.into()), result: Raw::from(&result), is_error: false })
}

async fn stop(tool_context: &ToolContext, call: ToolInvocation<'_>) -> Result<CallOutput, ToolFailure> {
    let input = call.input.view::<TaskStopInput<'_>>();
    let Some(id) = input.as_ref().and_then(|input| input.task_id.as_ref().or(input.shell_id.as_ref())) else {
        return Err(ToolFailure::Rejected("Missing required parameter: task_id".into()));
    };
    if let Some(member) = tool_context.subagents.pool.find(id) {
        return subagent_task::stop(&member).await;
    }
    let task = found(tool_context, id)?;
    if task.state() != BackgroundCommandState::Running {
        return Err(ToolFailure::Rejected(format!(
            "No task found with ID: {id}. The command has already ended: {}.",
            task.state().name()
        )));
    }
    task.stop().await;
    // The loop reports the end before the turn continues.
    tokio::task::yield_now().await;
    let mut result = TaskStopResult::new();
    result.message = Some(format!("Successfully stopped task: {id} ({})", task.command).into());
    result.task_id = Some(task.label.id.as_str().into());
    result.task_type = Some(TASK_TYPE.into());
    result.command = Some(task.command.as_str().into());
    let result = Raw::written(&result);
    Ok(CallOutput { content: Content::Text(result.as_str().to_owned().into()), result, is_error: false })
}

fn found(tool_context: &ToolContext, id: &str) -> Result<Arc<BackgroundCommand>, ToolFailure> {
    tool_context
        .commands
        .background
        .find(id)
        .ok_or_else(|| ToolFailure::Rejected(format!("No task found with ID: {id}")))
}

/// The last part of a file as text; if earlier bytes are left out, a first line states that.
fn tail(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let total = file.seek(SeekFrom::End(0))?;
    let start = total.saturating_sub(SHOWN);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(SHOWN).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(match start {
        0 => text.into_owned(),
        _ => format!("[{start} earlier bytes are in {}]\n{text}", path.display()),
    })
}
