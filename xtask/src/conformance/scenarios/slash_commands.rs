//! Built-in commands of a program, by name, and unknown names.

use anyhow::Result;
use serde_json::json;

use super::super::stage::Stage;
use super::{SKIP, Scenario, bash, scenario};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("slash-unknown", |stage| {
        prompts(stage, &["/no-such-command with words", "/usr/bin/env is a path", "/", "/ x"])
    }),
    scenario("slash-clear", |stage| prompts(stage, &["@say one", "/clear", "@say two"])),
    scenario("slash-clear-by-other-names", |stage| {
        prompts(stage, &["@say one", "/new", "@say two", "/reset", "@say three"])
    }),
    scenario("slash-cost", |stage| prompts(stage, &["/cost", "@say one", "/cost"])),
    scenario("slash-usage", |stage| prompts(stage, &["/usage", "@say one"])),
    scenario("slash-leading-space", |stage| prompts(stage, &["  /cost", "\n/cost", "@say one"])),
    scenario("slash-upper-case", |stage| prompts(stage, &["/COST", "@say one"])),
    scenario("slash-init", |stage| prompts(stage, &["/init", "@say one"])),
    scenario("slash-while-busy", while_busy),
];

fn prompts(stage: &mut Stage, prompts: &[&str]) -> Result<()> {
    let mut session = stage.start(&[])?;
    session.initialize(&json!({}))?;
    for prompt in prompts {
        session.user(prompt);
        session.result()?;
    }
    session.end()
}

fn while_busy(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    session.initialize(&json!({}))?;
    session.user(&bash("touch began; sleep 1"));
    stage.wait_for_file("began")?;
    session.user("/cost");
    session.result()?;
    session.result()?;
    session.end()
}
