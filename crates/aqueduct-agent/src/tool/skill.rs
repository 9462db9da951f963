//! `Skill`: the model calls a skill, or a command that is described to it.

use aqueduct_wire::block::Content;
use aqueduct_wire::tool::{SkillInput, SkillResult};

use super::{Call, Failure, Output, Running, Tool, Workshop, lock};
use crate::json_text::to_raw;
use crate::recipe::Launch;

/// The tool.
pub(crate) const TOOL: Tool = Tool {
    name: "Skill",
    description: "Call a skill: instructions, and often scripts, for a kind of task. The skills there are stand in \
        the system prompt, with what each is for. What the skill says follows as the next message; do as it says. \
        Do not call a skill that is at work already, and do not guess names.",
    schema: r#"{"type":"object","properties":{"skill":{"type":"string","description":"The skill's name"},"args":{"type":"string","description":"What the skill is to work on"}},"required":["skill"]}"#,
    reads_only: false,
    run,
};

fn run<'a>(workshop: &'a Workshop, call: Call<'a>) -> Running<'a> {
    Box::pin(async move { launch(workshop, &call) })
}

fn launch(workshop: &Workshop, call: &Call<'_>) -> Result<Output, Failure> {
    let Some(input) = call.input.view::<SkillInput<'_>>() else {
        return Err(Failure::Rejected("Skill needs the name of a skill.".to_owned()));
    };
    let name = input.skill.trim_start_matches('/');
    let offered = workshop.shelf.for_model();
    let meant = workshop.shelf.find(name).map_or_else(|| name.to_owned(), |recipe| recipe.name);
    let Some(recipe) = offered.iter().find(|recipe| recipe.name == meant) else {
        let what = match workshop.shelf.find(name) {
            Some(_) => format!("Only the user can call {name}."),
            None => {
                let names: Vec<&str> = offered.iter().map(|recipe| recipe.name.as_str()).collect();
                format!("There is no skill {name:?}. There are: {}.", names.join(", "))
            }
        };
        return Err(Failure::Rejected(what));
    };
    let mut result = SkillResult::new();
    result.success = Some(true);
    result.command_name = Some(recipe.name.clone().into());
    let arguments = input.args.as_deref().unwrap_or_default().to_owned();
    lock(&workshop.launched).push(Launch {
        recipe: recipe.clone(),
        arguments,
        tool_use_id: call.id.to_owned(),
    });
    Ok(Output {
        content: Content::Text(format!("The skill {name} begins; what it says follows.").into()),
        result: to_raw(&result),
        is_error: false,
    })
}
