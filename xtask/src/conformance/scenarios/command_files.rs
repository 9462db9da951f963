//! Commands that a project brings: front matter, commands inside, files, names; and files that a prompt names.

use anyhow::Result;
use serde_json::json;

use super::super::stage::Stage;
use super::{ASK, Scenario, scenario};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("command-model", |stage| {
        own(stage, "---\nmodel: haiku\n---\n@say with the small one\n", &["/own", "@say after"])
    }),
    scenario("command-no-model-invocation", |stage| {
        let skill = super::tool("Skill", &json!({ "skill": "own" }));
        own(stage, "---\ndisable-model-invocation: true\n---\n@say hi\n", &["/own", &skill])
    }),
    scenario("command-of-the-user", |stage| {
        let folder = stage.home().join(".claude/commands");
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("own.md"), "@say of the user\n")?;
        prompts(stage, &["/own", "/user:own"])
    }),
    scenario("command-many-lines", |stage| {
        own(stage, "@say all: $ARGUMENTS\n", &["/own first line\nsecond line", "/own\nonly second"])
    }),
    scenario("mention-file", |stage| {
        stage.write("notes.txt", "some notes\n")?;
        stage.write("two words.txt", "more\n")?;
        prompts(
            stage,
            &["@say ok\nsee @notes.txt", "@say ok\nsee @\"two words.txt\"", "@say ok\n@notes.txt#L1-1"],
        )
    }),
    scenario("mention-folder", |stage| {
        stage.write("part/notes.txt", "some notes\n")?;
        prompts(stage, &["@say ok\nsee @part", "@say ok\nsee @part/"])
    }),
    scenario("mention-missing", |stage| prompts(stage, &["@say ok\nsee @missing.txt and a@b.c"])),
    scenario("memory-imports", |stage| {
        stage.write("CLAUDE.md", "Base.\n@more.md\n@missing.md\n`@quoted.md`\n")?;
        stage.write("more.md", "More.\n")?;
        stage.write("quoted.md", "Quoted.\n")?;
        stage.write("CLAUDE.local.md", "Local.\n")?;
        prompts(stage, &["@say ok"])
    }),
];

fn own(stage: &mut Stage, body: &str, texts: &[&str]) -> Result<()> {
    stage.write(".claude/commands/own.md", body)?;
    prompts(stage, texts)
}

fn prompts(stage: &mut Stage, texts: &[&str]) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    for prompt in texts {
        session.user(prompt);
        session.converse(super::deny)?;
    }
    session.end()
}
