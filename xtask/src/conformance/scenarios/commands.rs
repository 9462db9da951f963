//! Slash commands: a project's own, skills, those the program answers by itself, and unknown ones.

use anyhow::Result;
use serde_json::json;

use super::super::stage::Stage;
use super::{Scenario, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] =
    &[scenario("commands-of-the-project", own), scenario("commands-built-in", built_in)];

fn own(stage: &mut Stage) -> Result<()> {
    stage.write(
        ".claude/commands/hi.md",
        "---\ndescription: Say hi\nargument-hint: <name>\n---\n@say hi $ARGUMENTS\n",
    )?;
    stage.write(".claude/commands/db/migrate.md", "@say migrating $ARGUMENTS\n")?;
    stage.write(
        ".claude/skills/greet/SKILL.md",
        "---\nname: greet\ndescription: Greets people\n---\n@say greeted $ARGUMENTS\n",
    )?;
    let mut session = stage.start(&[])?;
    session.initialize(&json!({}))?;
    let skill = tool("Skill", &json!({ "skill": "greet", "args": "Zed" }));
    for prompt in ["/hi Bob", "/db:migrate now", "/greet Ann", "/no-such-command", &skill] {
        session.user(prompt);
        session.result()?;
    }
    session.end()
}

fn built_in(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[])?;
    session.initialize(&json!({}))?;
    for prompt in [
        "@say something to remember",
        "/cost",
        "/context",
        "/model",
        "/status",
        "/compact",
        "/clear",
        "@say after",
    ] {
        session.user(prompt);
        session.result()?;
    }
    session.end()
}
