//! `Skill`: the model calls a skill, or a command that is described to it.

use aqueduct_wire::block::Content;
use aqueduct_wire::json::Raw;
use aqueduct_wire::tool::{SkillInput, SkillResult};

use super::row::{Audience, CallCheck, ToolFacts, ToolNeed};
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolFuture, ToolInvocation};
use crate::skill_catalog::Launch;

/// The tool.
pub(crate) const TOOL: BuiltInTool = BuiltInTool {
    name: "Skill",
    description: "Run a skill: instructions, and often scripts, for a kind of task. The system prompt lists \
        the skills and their purposes. The skill's instructions follow as the next message; follow them. Do \
        not call a skill that is already running, and do not guess names.",
    schema: r#"{"type":"object","properties":{"skill":{"type":"string","description":"The skill's name"},"args":{"type":"string","description":"Arguments for the skill"}},"required":["skill"]}"#,
    run,
    facts: ToolFacts {
        needs: ToolNeed::Skills,
        audience: Audience::NotVerifiers,
        check: Some(CallCheck::Call(check)),
        ..ToolFacts::NONE
    },
};

fn run<'a>(tool_context: &'a ToolContext, call: ToolInvocation<'a>) -> ToolFuture<'a> {
    Box::pin(async move { launch(tool_context, &call) })
}

/// Checks whether the skill exists, before permission is requested.
pub(super) fn check(tool_context: &ToolContext, call: &ToolInvocation<'_>) -> Result<(), ToolFailure> {
    meant(tool_context, &wanted(call)?).map(drop)
}

fn wanted<'c>(call: &'c ToolInvocation<'_>) -> Result<SkillInput<'c>, ToolFailure> {
    let input = call.input.view::<SkillInput<'_>>();
    input.ok_or_else(|| ToolFailure::Rejected("Skill needs `skill`, the name of a skill.".to_owned()))
}

/// The full name of the skill that a call names.
fn meant(tool_context: &ToolContext, input: &SkillInput<'_>) -> Result<String, ToolFailure> {
    let name = input.skill.trim_start_matches('/');
    let known = tool_context.skills.catalog.skill_named(name);
    let callable = tool_context.skills.catalog.callable();
    let full_name = known.as_deref().unwrap_or(name);
    if callable.iter().any(|callable| callable == full_name) {
        return Ok(full_name.to_owned());
    }
    Err(ToolFailure::Rejected(match known {
        Some(_) => format!("Only the user can call {name}."),
        None => format!("Unknown skill {name:?}. Available skills: {}.", callable.join(", ")),
    }))
}

fn launch(tool_context: &ToolContext, call: &ToolInvocation<'_>) -> Result<CallOutput, ToolFailure> {
    let input = wanted(call)?;
    let skill = meant(tool_context, &input)?;
    let name = input.skill.trim_start_matches('/');
    let mut result = SkillResult::new();
    result.success = Some(true);
    result.command_name = Some(skill.clone().into());
    let arguments = input.args.as_deref().unwrap_or_default().to_owned();
    tool_context.skills.launch(Launch { skill, arguments, tool_use_id: call.id.to_owned() });
    Ok(CallOutput {
        content: Content::Text(format!("Launching skill {name}; its instructions follow.").into()),
        result: Raw::written(&result),
        is_error: false,
    })
}
