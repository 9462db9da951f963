//! Subagents: kinds, limits, failures, and messages to them.

use anyhow::Result;
use serde_json::{Value, json};

use super::super::stage::Stage;
use super::{SKIP, Scenario, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("agent-foreground", |stage| call(stage, "", &json!({ "prompt": "@say found it" }))),
    scenario("agent-by-old-name", |stage| {
        let task = json!({ "description": "d", "prompt": "@say found it", "subagent_type": "general-purpose", "run_in_background": false });
        play(stage, &[SKIP], &[&tool("Task", &task)])
    }),
    scenario("agent-unknown", |stage| {
        call(stage, "", &json!({ "prompt": "@say hi", "subagent_type": "unknown" }))
    }),
    scenario("agent-without-type", |stage| {
        let task = json!({ "description": "d", "prompt": "@say hi", "run_in_background": false });
        play(stage, &[SKIP], &[&tool("Agent", &task)])
    }),
    scenario("agent-without-prompt", |stage| {
        play(stage, &[SKIP], &[&tool("Agent", &json!({ "description": "d" }))])
    }),
    scenario("agent-model", |stage| call(stage, "", &json!({ "prompt": "@say hi", "model": "haiku" }))),
    scenario("agent-own-model", |stage| call(stage, "model: haiku\n", &json!({ "prompt": "@say hi" }))),
    scenario("agents-side-by-side", |stage| {
        let task = |text: &str| json!(["Agent", { "description": "d", "prompt": text, "subagent_type": "general-purpose", "run_in_background": false }]);
        play(stage, &[SKIP], &[&format!("@tools {}", json!([task("@say first"), task("@say second")]))])
    }),
];

fn agent(members: &Value) -> String {
    let mut task =
        json!({ "description": "d", "subagent_type": "general-purpose", "run_in_background": false });
    if let (Some(task), Some(members)) = (task.as_object_mut(), members.as_object()) {
        task.extend(members.clone());
    }
    tool("Agent", &task)
}

fn own(stage: &Stage, front: &str) -> Result<()> {
    stage.write(".claude/agents/own.md", &format!("---\nname: own\ndescription: d\n{front}---\nBe brief.\n"))
}

/// Calls an agent of the project if there is front matter for one, and one of the program otherwise.
fn call(stage: &mut Stage, front: &str, members: &Value) -> Result<()> {
    let mut members = members.clone();
    if !front.is_empty() {
        own(stage, front)?;
        members["subagent_type"] = json!("own");
    }
    play(stage, &[SKIP], &[&agent(&members)])
}

fn play(stage: &mut Stage, flags: &[&str], prompts: &[&str]) -> Result<()> {
    let mut session = stage.start(flags)?;
    session.initialize(&json!({}))?;
    for prompt in prompts {
        session.user(prompt);
        session.converse(super::allow)?;
    }
    session.user("@say next");
    session.result()?;
    session.end()
}
