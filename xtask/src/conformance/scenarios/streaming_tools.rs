//! Calls that run while the rest of their message still streams.

use anyhow::Result;
use serde_json::json;

use super::super::session::is_request;
use super::super::stage::Stage;
use super::{ASK, PARTIAL, SKIP, Scenario, allow, deny, scenario};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("stream-tool-result", result),
    scenario("stream-tool-permission", permission),
    scenario("stream-tool-denied", denied),
    scenario("stream-tool-interrupt", interrupt),
    scenario("stream-tool-permission-interrupt", permission_interrupt),
];

/// A message that calls a command and then sends some text, so slowly that the command is done before the
/// second.
fn slow_call(command: &str) -> String {
    let input = json!({ "command": command, "description": "A step of the scenario" });
    format!("@toolslow Bash {input} | 4 1")
}

fn result(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[PARTIAL, SKIP])?;
    session.initialize(&json!({}))?;
    session.user(&slow_call("touch made"));
    session.wait("tool result", |frame| frame["type"] == "user")?;
    session.result()?;
    session.end()
}

fn permission(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    session.user(&slow_call("touch made"));
    session.converse(allow)?;
    session.end()
}

fn denied(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    session.user(&slow_call("touch made"));
    session.converse(deny)?;
    session.end()
}

fn interrupt(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    session.initialize(&json!({}))?;
    session.user(&slow_call("touch began; sleep 60"));
    stage.wait_for_file("began")?;
    session.request("interrupt", &json!({}));
    session.result()?;
    session.user("@say alive");
    session.result()?;
    session.end()
}

fn permission_interrupt(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    session.user(&slow_call("touch made"));
    session.wait("permission request", is_request)?;
    session.request("interrupt", &json!({}));
    session.result()?;
    session.user("@say alive");
    session.result()?;
    session.end()
}
