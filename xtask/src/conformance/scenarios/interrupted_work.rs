//! Interrupts at each stage of a turn, and what the next turn knows of it.

use std::time::Duration;

use anyhow::Result;
use serde_json::json;

use super::super::session::{Session, is_request, is_result};
use super::super::stage::Stage;
use super::{ASK, PARTIAL, SKIP, Scenario, bash, deep, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    deep("interrupted-before-the-turn", before),
    deep("interrupted-before-the-answer", before_the_answer),
    deep("interrupted-thinking", thinking),
    deep("interrupted-tool-input", tool_input),
    deep("interrupted-permission", permission),
    deep("interrupted-retry", retry),
    deep("interrupted-second-tool", second_tool),
    deep("interrupted-parallel-tools", parallel_tools),
    deep("interrupted-subagent", subagent),
    deep("interrupted-twice", twice),
    deep("interrupted-with-queue", with_queue),
    deep("interrupted-hook", hook),
];

/// Interrupts, and continues with another prompt.
fn interrupt(mut session: Session) -> Result<()> {
    session.request("interrupt", &json!({}));
    session.result()?;
    session.user("@say alive");
    session.result()?;
    session.end()
}

fn before(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[PARTIAL])?;
    session.initialize(&json!({}))?;
    session.control("interrupt", &json!({}));
    session.user("@say alive");
    session.result()?;
    session.end()
}

fn before_the_answer(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[PARTIAL])?;
    session.initialize(&json!({}))?;
    session.user("@events 1 [20, \"start\", [\"text\", \"late\"], [\"stop\", \"end_turn\"]] never");
    session.wait("status", |frame| frame["status"] == "requesting")?;
    interrupt(session)
}

fn thinking(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start_with(&[PARTIAL], &[("MAX_THINKING_TOKENS", "5000")])?;
    session.initialize(&json!({}))?;
    let start = json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "thinking", "thinking": "", "signature": "" } });
    let delta = json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "thinking_delta", "thinking": "let me see" } });
    session.user(&format!("@events 1 {} never", json!(["start", start, delta, 20])));
    session.streaming()?;
    interrupt(session)
}

fn tool_input(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[PARTIAL, SKIP])?;
    session.initialize(&json!({}))?;
    let start = json!({ "type": "content_block_start", "index": 1, "content_block": { "type": "tool_use", "id": "toolu_x1", "name": "Bash", "input": {} } });
    let delta = json!({ "type": "content_block_delta", "index": 1, "delta": { "type": "input_json_delta", "partial_json": "{\"command\":" } });
    session.user(&format!("@events 1 {} never", json!(["start", ["text", "I begin"], start, delta, 20])));
    session.wait("tool input", |frame| frame["event"]["delta"]["type"] == "input_json_delta")?;
    interrupt(session)
}

fn permission(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    session.user(&bash("touch made"));
    session.wait("request", is_request)?;
    interrupt(session)
}

fn retry(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[])?;
    session.initialize(&json!({}))?;
    let answer = json!({ "status": 529, "headers": { "retry-after": "20" }, "body": "" });
    session.user(&format!("@http 9 {answer} never"));
    session.wait("retry", |frame| frame["subtype"] == "api_retry")?;
    interrupt(session)
}

fn second_tool(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    session.initialize(&json!({}))?;
    session.user(&format!("{}\n{}", bash("echo first"), bash("touch began; sleep 60")));
    stage.wait_for_file("began")?;
    interrupt(session)
}

fn parallel_tools(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    session.initialize(&json!({}))?;
    let call = |command: &str| json!(["Bash", { "command": command, "description": "d" }]);
    session.user(&format!("@tools {}", json!([call("touch began; sleep 60"), call("sleep 61")])));
    stage.wait_for_file("began")?;
    interrupt(session)
}

fn subagent(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    session.initialize(&json!({}))?;
    let task = json!({
        "description": "d", "prompt": bash("touch began; sleep 60"), "subagent_type": "general-purpose",
        "run_in_background": false,
    });
    session.user(&tool("Agent", &task));
    stage.wait_for_file("began")?;
    interrupt(session)
}

fn twice(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    session.initialize(&json!({}))?;
    session.user(&bash("touch began; sleep 60"));
    stage.wait_for_file("began")?;
    session.request("interrupt", &json!({}));
    session.request("interrupt", &json!({}));
    session.result()?;
    session.user("@say alive");
    session.result()?;
    session.end()
}

fn with_queue(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    session.initialize(&json!({}))?;
    session.user(&bash("touch began; sleep 60"));
    stage.wait_for_file("began")?;
    session.user("@say the one that waited");
    session.request("interrupt", &json!({}));
    session.result()?;
    session.maybe(Duration::from_secs(4), is_result);
    session.end()
}

fn hook(stage: &mut Stage) -> Result<()> {
    let command = "touch \"$CLAUDE_PROJECT_DIR/began\"; sleep 60";
    let hooks =
        json!({ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": command }] }] } });
    let mut session = stage.start(&[SKIP, "--settings", &hooks.to_string()])?;
    session.initialize(&json!({}))?;
    session.user(&bash("echo hi"));
    stage.wait_for_file("began")?;
    interrupt(session)
}
