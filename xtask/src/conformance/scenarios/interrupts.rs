//! Ways to stop a turn, polite and not.

use std::time::Duration;

use anyhow::Result;
use rustix::process::Signal;
use serde_json::json;

use super::super::session::is_result;
use super::super::stage::Stage;
use super::{PARTIAL, SKIP, Scenario, bash, scenario};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("interrupt-text", text),
    scenario("interrupt-tool", tool),
    scenario("interrupt-idle", idle),
    scenario("interrupt-unknown-frame", unknown_frame),
    scenario("signal-interrupt", |stage| signal(stage, Signal::INT)),
    scenario("signal-terminate", |stage| signal(stage, Signal::TERM)),
];

fn text(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[PARTIAL])?;
    session.initialize(&json!({}))?;
    session.user("@slow 200 0.05");
    session.streaming()?;
    session.request("interrupt", &json!({}));
    session.result()?;
    session.user("@say alive");
    session.result()?;
    session.end()
}

fn tool(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[PARTIAL, SKIP])?;
    session.initialize(&json!({}))?;
    // The file shows that the command runs: an interrupt before that stops a tool that never began.
    session.user(&bash("touch began; sleep 60"));
    session.wait("assistant message", |frame| frame["type"] == "assistant")?;
    stage.wait_for_file("began")?;
    session.request("interrupt", &json!({}));
    session.result()?;
    session.user("@say alive");
    session.result()?;
    session.end()
}

fn idle(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[PARTIAL])?;
    session.initialize(&json!({}))?;
    session.user("@say hello");
    session.result()?;
    session.control("interrupt", &json!({}));
    session.user("@say alive");
    session.result()?;
    session.end()
}

/// Some hosts send this form. No version stops for it; the oldest ends.
fn unknown_frame(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[PARTIAL])?;
    session.user("@slow 20 0.05");
    session.streaming()?;
    session.send(&json!({ "type": "control", "action": "abort" }));
    session.maybe(Duration::from_secs(10), is_result);
    session.end()
}

fn signal(stage: &mut Stage, signal: Signal) -> Result<()> {
    let mut session = stage.start(&[PARTIAL])?;
    session.user("@slow 100 0.05");
    session.streaming()?;
    session.signal(signal)?;
    session.end()
}
