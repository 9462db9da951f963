//! Forms of input that hosts send: blocks, images, marks, several prompts, requests at odd times.

use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use super::super::session::is_result;
use super::super::stage::Stage;
use super::{PARTIAL, SKIP, Scenario, bash, scenario};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("form-several-texts", |stage| content(stage, &json!([text("first part"), text("@say both")]))),
    scenario("form-image", |stage| content(stage, &json!([image(), text("@say seen")]))),
    scenario("form-image-only", |stage| content(stage, &json!([image()]))),
    scenario("form-document", |stage| {
        let source = json!({ "type": "text", "media_type": "text/plain", "data": "a document" });
        content(stage, &json!([{ "type": "document", "source": source, "title": "d" }, text("@say read")]))
    }),
    scenario("form-empty-text", |stage| content(stage, &json!([text("")]))),
    scenario("form-blank-string", |stage| content(stage, &json!("  \n "))),
    scenario("form-no-blocks", |stage| content(stage, &json!([]))),
    scenario("form-meta", |stage| with(stage, &json!({ "isMeta": true }))),
    scenario("form-parent", |stage| with(stage, &json!({ "parent_tool_use_id": "toolu_x" }))),
    scenario("form-null-parent", |stage| {
        with(stage, &json!({ "parent_tool_use_id": null, "session_id": "" }))
    }),
    scenario("form-other-session", |stage| with(stage, &json!({ "session_id": "another" }))),
    scenario("form-uuid", |stage| with(stage, &json!({ "uuid": UUID }))),
    scenario("form-bad-uuid", |stage| with(stage, &json!({ "uuid": "not-a-uuid" }))),
    scenario("form-uuid-twice", uuid_twice),
    scenario("form-priority-now", |stage| while_busy(stage, &json!({ "priority": "now" }))),
    scenario("form-priority-next", |stage| while_busy(stage, &json!({ "priority": "next" }))),
    scenario("form-priority-later", |stage| while_busy(stage, &json!({ "priority": "later" }))),
    scenario("form-requests-before-initialize", before_initialize),
    scenario("form-environment", environment),
    scenario("form-closed-during-tool", closed_during_tool),
];

const UUID: &str = "6f1d3c52-7f4e-4b1b-9a55-0c1f1f6f2a77";
/// A picture of one point.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn image() -> Value {
    json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": PNG } })
}

fn prompt(content: &Value, members: &Value) -> Value {
    let mut frame = json!({ "type": "user", "message": { "role": "user", "content": content } });
    if let (Some(frame), Some(members)) = (frame.as_object_mut(), members.as_object()) {
        frame.extend(members.clone());
    }
    frame
}

fn content(stage: &mut Stage, content: &Value) -> Result<()> {
    raw(stage, &prompt(content, &json!({})))
}

fn with(stage: &mut Stage, members: &Value) -> Result<()> {
    raw(stage, &prompt(&json!("@say ok"), members))
}

/// The frame, and a plain prompt after it.
fn raw(stage: &mut Stage, frame: &Value) -> Result<()> {
    let mut session = stage.start(&["--replay-user-messages"])?;
    session.send(frame);
    session.maybe(Duration::from_secs(6), is_result);
    session.user("@say next");
    session.maybe(Duration::from_secs(6), is_result);
    session.end()
}

fn uuid_twice(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&["--replay-user-messages"])?;
    session.send(&prompt(&json!("@say one"), &json!({ "uuid": UUID })));
    session.result()?;
    session.send(&prompt(&json!("@say two"), &json!({ "uuid": UUID })));
    session.maybe(Duration::from_secs(3), is_result);
    session.user("@say three");
    session.result()?;
    session.end()
}

fn while_busy(stage: &mut Stage, members: &Value) -> Result<()> {
    let mut session = stage.start(&[PARTIAL])?;
    session.user("@slow 40 0.05");
    session.streaming()?;
    session.send(&prompt(&json!("@say the second"), members));
    session.result()?;
    session.maybe(Duration::from_secs(6), is_result);
    session.end()
}

fn before_initialize(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[])?;
    session.control("set_permission_mode", &json!({ "mode": "acceptEdits" }));
    session.control("set_model", &json!({ "model": "haiku" }));
    session.control("mcp_status", &json!({}));
    session.control("interrupt", &json!({}));
    session.initialize(&json!({}))?;
    session.user("@say ok");
    session.result()?;
    session.end()
}

fn environment(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    session
        .send(&json!({ "type": "update_environment_variables", "variables": { "GREETING": "hello there" } }));
    session.user(&bash("echo $GREETING > said"));
    session.result()?;
    session.user(&bash("cat said"));
    session.result()?;
    session.end()
}

fn closed_during_tool(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    session.user(&format!("{}\n@say done", bash("touch began; sleep 1; echo finished")));
    stage.wait_for_file("began")?;
    session.close_input();
    session.result()?;
    session.end()
}
