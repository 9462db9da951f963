//! Skills: asked for by the user and by the model.

use anyhow::Result;
use serde_json::json;

use super::super::stage::Stage;
use super::{ASK, Scenario, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("skill-by-user", |stage| skill(stage, "", "@say done $ARGUMENTS", &["/own it all"])),
    scenario("skill-by-model", |stage| {
        skill(stage, "", "@say done $ARGUMENTS", &[&call("own"), "@say after"])
    }),
    scenario("skill-not-for-model", |stage| {
        skill(stage, "disable-model-invocation: true\n", "@say hi", &["/own", &call("own")])
    }),
    scenario("skill-with-folder", |stage| {
        skill(stage, "", "@say in ${CLAUDE_SKILL_DIR} of ${CLAUDE_SESSION_ID}", &["/own", "@say after"])
    }),
    scenario("skill-denied", |stage| {
        stage.write(".claude/skills/own/SKILL.md", "---\nname: own\ndescription: d\n---\n@say hi\n")?;
        let mut session = stage.start(&[ASK, &["--disallowedTools", "Skill(own)"]].concat())?;
        session.initialize(&json!({}))?;
        session.user(&call("own"));
        session.converse(super::allow)?;
        session.end()
    }),
];

fn call(name: &str) -> String {
    tool("Skill", &json!({ "skill": name, "args": "it all" }))
}

fn skill(stage: &mut Stage, front: &str, body: &str, prompts: &[&str]) -> Result<()> {
    stage.write(
        ".claude/skills/own/SKILL.md",
        &format!("---\nname: own\ndescription: Does it\n{front}---\n{body}\n"),
    )?;
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    for prompt in prompts {
        session.user(prompt);
        session.converse(super::allow)?;
    }
    session.end()
}
