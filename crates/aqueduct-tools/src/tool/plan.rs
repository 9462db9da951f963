//! `EnterPlanMode` and `ExitPlanMode`: the model plans, the user decides.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;

use aqueduct_os::private_dir::make_private;
use aqueduct_wire::block::Content;
use aqueduct_wire::json::Raw;
use serde_json::Value;

use super::row::{Audience, ModeChange, ToolFacts, ToolNeed};
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolFuture, ToolInvocation};

/// The tool that begins planning.
pub(crate) const ENTER: BuiltInTool = BuiltInTool {
    name: "EnterPlanMode",
    description: "Enter plan mode: explore the code and plan a larger change before anything is changed. Use \
        it when there are several approaches, or when the user should agree first; not for small or clear \
        tasks.",
    schema: r#"{"type":"object","properties":{},"additionalProperties":true}"#,
    run: enter,
    facts: ToolFacts {
        needs: ToolNeed::User,
        audience: Audience::MainAgent,
        is_rare: true,
        mode_change: Some(ModeChange::BeginPlanning),
        ..ToolFacts::NONE
    },
};

/// The tool that ends it.
pub(crate) const EXIT: BuiltInTool = BuiltInTool {
    name: "ExitPlanMode",
    description: "Present the plan to the user and ask for approval. Call it in plan mode when the plan is \
        complete: what will be changed, where, in which order, and how it will be verified. Not for \
        questions that need no change.",
    schema: r#"{"type":"object","properties":{"plan":{"type":"string","description":"The plan, in Markdown"},"allowedPrompts":{"type":"array","description":"Kinds of commands that the plan needs","items":{"type":"object","properties":{"tool":{"type":"string"},"prompt":{"type":"string"}},"required":["tool","prompt"]}}},"additionalProperties":true}"#,
    run: exit,
    facts: ToolFacts {
        needs: ToolNeed::User,
        audience: Audience::MainAgent,
        is_rare: true,
        asks_user: true,
        mode_change: Some(ModeChange::EndPlanning),
        ..ToolFacts::NONE
    },
};

fn enter<'a>(_: &'a ToolContext, _: ToolInvocation<'a>) -> ToolFuture<'a> {
    Box::pin(async move {
        let message =
            "Plan mode is on. Explore the code, plan the change, and call ExitPlanMode with the plan.";
        let result = serde_json::json!({ "message": message });
        Ok(CallOutput {
            content: Content::Text(message.into()),
            result: Raw::from(&result).into_owned(),
            is_error: false,
        })
    })
}

/// The host has allowed it: that is the user's yes.
fn exit<'a>(tool_context: &'a ToolContext, call: ToolInvocation<'a>) -> ToolFuture<'a> {
    Box::pin(async move {
        let input: Value = call.input.to().map_err(|error| ToolFailure::Rejected(error.to_string()))?;
        let plan = input.get("plan").and_then(Value::as_str).filter(|plan| !plan.trim().is_empty());
        let file = match plan {
            Some(plan) => Some(keep(tool_context, plan).await?),
            None => None,
        };
        let mut text = "The user has approved the plan. Start with the implementation.".to_owned();
        if let Some(file) = &file {
            text.push_str(&format!(" It is saved in {file}."));
        }
        let result = serde_json::json!({ "plan": plan, "isAgent": false, "filePath": file });
        Ok(CallOutput {
            content: Content::Text(text.into()),
            result: Raw::from(&result).into_owned(),
            is_error: false,
        })
    })
}

/// Keeps the plan in a file that the user can read and edit.
async fn keep(tool_context: &ToolContext, plan: &str) -> Result<String, ToolFailure> {
    let path = tool_context.files.plan.clone();
    let (target, plan) = (path.clone(), format!("{}\n", plan.trim_end()));
    let written = tokio::task::spawn_blocking(move || {
        if let Some(folder) = target.parent() {
            make_private(folder)?;
        }
        let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&target)?;
        file.write_all(plan.as_bytes())
    });
    match written.await {
        Ok(Ok(())) => Ok(path.display().to_string()),
        Ok(Err(error)) => {
            Err(ToolFailure::Failed(format!("The plan can't be saved in {}: {error}", path.display())))
        }
        Err(error) => Err(ToolFailure::Failed(error.to_string())),
    }
}
