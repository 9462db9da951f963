//! Control requests of a host, known and unknown, right and wrong.

use std::time::Duration;

use anyhow::Result;
use serde_json::json;

use super::super::session::is_result;
use super::super::stage::Stage;
use super::{ASK, Scenario, nonsense, scenario};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("controls", controls),
    nonsense("controls-nonsense", nonsensical),
    nonsense("controls-invalid", invalid),
    scenario("end-session", end_session),
    scenario("session-title", session_title),
    scenario("effort-and-fast-mode", effort_and_fast_mode),
];

const UNKNOWN: &str = "00000000-0000-4000-8000-000000000000";

fn controls(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({ "hooks": null, "appendSystemPrompt": "Be brief." }))?;
    let requests = [
        ("mcp_status", json!({})),
        ("set_permission_mode", json!({ "mode": "acceptEdits" })),
        ("set_permission_mode", json!({ "mode": "plan" })),
        ("set_permission_mode", json!({ "mode": "bypassPermissions" })),
        ("set_model", json!({ "model": "claude-haiku-4-5" })),
        ("set_max_thinking_tokens", json!({ "max_thinking_tokens": 1000 })),
        ("set_max_thinking_tokens", json!({ "max_thinking_tokens": null })),
        ("mcp_set_servers", json!({ "servers": {} })),
        ("mcp_reconnect", json!({ "serverName": "none" })),
        ("mcp_toggle", json!({ "serverName": "none", "enabled": false })),
        ("rewind_files", json!({ "user_message_id": UNKNOWN })),
        ("rewind_files", json!({ "user_message_id": UNKNOWN, "dry_run": true })),
        ("supported_commands", json!({})),
        ("get_settings", json!({})),
        ("get_context_usage", json!({})),
        ("stop_task", json!({ "task_id": "none" })),
        ("apply_flag_settings", json!({ "settings": { "model": "opus" } })),
        ("initialize", json!({})),
        ("interrupt", json!({})),
    ];
    for (subtype, fields) in requests {
        session.control(subtype, &fields);
    }
    session.user("@say done");
    session.result()?;
    session.end()
}

/// Titles that the host asks for, with and without keeping them.
fn session_title(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    let title = |text: &str, persist: bool| json!({ "description": format!("@say {}", json!({ "title": text })), "persist": persist });
    for fields in [title("Draft", false), title("Kept", true), title("Not kept", true), title("", false)] {
        session.control("generate_session_title", &fields);
    }
    session.control("generate_session_title", &json!({ "description": "  ", "persist": false }));
    session.user("@say done");
    session.result()?;
    for fields in [json!({ "title": " Mine " }), json!({ "title": "" }), title("Other", true)] {
        let subtype = if fields.get("title").is_some() { "rename_session" } else { "generate_session_title" };
        session.control(subtype, &fields);
    }
    session.end()
}

/// What pickers of hosts set while the session runs.
fn effort_and_fast_mode(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[ASK, &["--effort", "high"]].concat())?;
    session.initialize(&json!({}))?;
    for settings in [
        json!({ "effortLevel": "low" }),
        json!({ "effortLevel": "no-such-level" }),
        json!({ "effortLevel": null }),
        json!({ "effortLevel": "max" }),
        json!({ "fastMode": true }),
    ] {
        session.control("apply_flag_settings", &json!({ "settings": settings }));
        session.control("get_settings", &json!({}));
    }
    session.user("@say fast");
    session.result()?;
    session.control("apply_flag_settings", &json!({ "settings": { "model": "sonnet", "fastMode": false } }));
    session.user("@say slow");
    session.result()?;
    session.end()
}

/// Newer versions answer with errors, the oldest not at all.
fn nonsensical(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    session.control("no_such_request", &json!({}));
    session.control("set_permission_mode", &json!({ "mode": "no-such-mode" }));
    session.user("@say done");
    session.result()?;
    session.end()
}

/// Known requests with wrong members: each is refused, and nothing of it counts.
fn invalid(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    for settings in [
        json!(5),
        json!([]),
        json!(null),
        json!({ "model": 5 }),
        json!({ "model": "sonnet", "permissions": 5 }),
        json!({ "permissions": { "defaultMode": "no-such-mode" } }),
        json!({ "model": "sonnet", "env": 5 }),
        json!({ "hooks": { "PreToolUse": 5 } }),
        json!({ "outputStyle": 5 }),
    ] {
        session.control("apply_flag_settings", &json!({ "settings": settings }));
    }
    session.control("apply_flag_settings", &json!({}));
    for tokens in [json!("x"), json!(1.5), json!(true), json!([])] {
        session.control("set_max_thinking_tokens", &json!({ "max_thinking_tokens": tokens }));
    }
    for mode in [json!(5), json!([]), json!(null), json!(""), json!("Plan")] {
        session.control("set_permission_mode", &json!({ "mode": mode }));
    }
    session.control("set_permission_mode", &json!({}));
    session.user("@say done");
    session.result()?;
    session.end()
}

fn end_session(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(ASK)?;
    session.initialize(&json!({}))?;
    session.control("end_session", &json!({ "reason": "the scenario is over" }));
    session.user("@say is anyone there");
    session.maybe(Duration::from_secs(5), is_result);
    session.end()
}
