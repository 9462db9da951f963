//! Control requests of the SDKs, one by one.

use anyhow::Result;
use serde_json::{Value, json};

use super::super::stage::Stage;
use super::{SKIP, Scenario, bash, scenario};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("control-model", |stage| {
        requests(
            stage,
            &[],
            &[
                ("set_model", json!({ "model": "haiku" })),
                ("set_model", json!({ "model": "no-such-model" })),
                ("set_model", json!({})),
                ("set_model", json!({ "model": "default" })),
            ],
        )
    }),
    scenario("control-mode-bypass-allowed", |stage| {
        requests(
            stage,
            &["--allow-dangerously-skip-permissions"],
            &[
                ("set_permission_mode", json!({ "mode": "bypassPermissions" })),
                ("set_permission_mode", json!({ "mode": "default" })),
            ],
        )
    }),
    scenario("control-thinking", |stage| {
        requests(
            stage,
            &[],
            &[
                ("set_max_thinking_tokens", json!({ "max_thinking_tokens": 0 })),
                ("set_max_thinking_tokens", json!({ "max_thinking_tokens": 4000 })),
            ],
        )
    }),
    scenario("control-cancel-async", cancel_async),
    scenario("control-twice-the-same-id", |stage| {
        let mut session = stage.start(&[])?;
        session.initialize(&json!({}))?;
        for _ in 0..2 {
            session.send(&json!({ "type": "control_request", "request_id": "request-x", "request": { "subtype": "mcp_status" } }));
        }
        session.user("@say one");
        session.result()?;
        session.end()
    }),
];

const UUID: &str = "6f1d3c52-7f4e-4b1b-9a55-0c1f1f6f2a78";

/// Each request, with a turn after it.
fn requests(stage: &mut Stage, flags: &[&str], requests: &[(&str, Value)]) -> Result<()> {
    let mut session = stage.start(flags)?;
    session.initialize(&json!({}))?;
    for (subtype, fields) in requests {
        session.control(subtype, fields);
    }
    session.user("@say after");
    session.result()?;
    session.end()
}

/// A prompt that waits is taken back.
fn cancel_async(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    session.initialize(&json!({}))?;
    session.user(&bash("touch began; sleep 1"));
    stage.wait_for_file("began")?;
    session.send(
        &json!({ "type": "user", "uuid": UUID, "message": { "role": "user", "content": "@say taken back" } }),
    );
    session.control("cancel_async_message", &json!({ "message_uuid": UUID }));
    session.control("cancel_async_message", &json!({ "message_uuid": UUID }));
    session.result()?;
    session.user("@say after");
    session.result()?;
    session.end()
}
