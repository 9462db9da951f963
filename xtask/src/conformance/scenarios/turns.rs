//! Turns: how a prompt becomes frames and a result.

use anyhow::Result;
use serde_json::{Value, json};

use super::super::stage::Stage;
use super::{PARTIAL, SKIP, Scenario, bash, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("simple", simple),
    scenario("whole-messages", whole_messages),
    scenario("replayed-input", replayed_input),
    scenario("thinking", thinking),
    scenario("queue", queue),
    scenario("input-closed-midway", input_closed_midway),
    scenario("max-turns", max_turns),
    scenario("max-budget", max_budget),
    scenario("answers-in-a-form", answers_in_a_form),
    scenario("suggestion", suggestion),
];

fn simple(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[PARTIAL])?;
    for prompt in ["@say hello world", "@say and again"] {
        session.user(prompt);
        session.result()?;
    }
    session.end()
}

/// The prompt suggestion comes after the second result.
fn suggestion(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&["--prompt-suggestions"])?;
    for _ in 0..2 {
        session.user("@say done so far\n@say now run the tests");
        session.result()?;
    }
    session.wait("suggestion", |frame| frame["type"] == "prompt_suggestion")?;
    session.end()
}

fn whole_messages(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[])?;
    session.user("@say hello world");
    session.result()?;
    session.end()
}

fn replayed_input(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[PARTIAL, "--replay-user-messages"])?;
    session.user("@say hello world");
    session.result()?;
    session.end()
}

fn thinking(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start_with(&[PARTIAL], &[("MAX_THINKING_TOKENS", "5000")])?;
    session.user("@think let me see | the answer");
    session.result()?;
    session.end()
}

fn queue(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[PARTIAL])?;
    session.user("@slow 30 0.05");
    session.streaming()?;
    session.user("@say the one that waited");
    session.result()?;
    session.result()?;
    session.end()
}

fn input_closed_midway(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[PARTIAL])?;
    session.user("@slow 30 0.05");
    session.streaming()?;
    session.close_input();
    session.result()?;
    session.end()
}

fn answers_in_a_form(stage: &mut Stage) -> Result<()> {
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
    let mut session = stage.start(&["--json-schema", &schema.to_string()])?;
    let answer = |n: Value| tool("StructuredOutput", &json!({ "n": n }));
    for prompt in [
        answer(json!(1)),
        format!("{}\n{}", answer(json!("one")), answer(json!(2))),
        format!("@say plain\n{}", answer(json!(3))),
    ] {
        session.user(&prompt);
        session.result()?;
    }
    session.end()
}

fn max_turns(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP, "--max-turns", "1"])?;
    session.user(&format!("{}\n{}", bash("echo 1"), bash("echo 2")));
    session.result()?;
    session.user("@say more");
    session.result()?;
    session.end()
}

fn max_budget(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP, "--max-budget-usd", "0.0001"])?;
    session.user(&format!("{}\n{}", bash("echo 1"), bash("echo 2")));
    session.result()?;
    session.end()
}
