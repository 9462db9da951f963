//! Hooks: callbacks to the host, and commands from settings.

use anyhow::Result;
use serde_json::{Value, json};

use super::super::stage::Stage;
use super::{ASK, PARTIAL, SKIP, Scenario, allow, bash, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("hook-callbacks", |stage| callbacks(stage, |_| json!({ "continue": true }))),
    scenario("hook-denies", |stage| callbacks(stage, denied)),
    scenario("hook-commands", |stage| commands(stage, &[PARTIAL, SKIP])),
    // An option the older versions do not have: they end at once, and say so to people only.
    scenario("hook-events", |stage| commands(stage, &[PARTIAL, SKIP, "--include-hook-events"]).or(Ok(()))),
    scenario("hook-display", display),
];

/// What is shown is not what was said.
fn display(stage: &mut Stage) -> Result<()> {
    let answer =
        json!({ "hookSpecificOutput": { "hookEventName": "MessageDisplay", "displayContent": "shown" } });
    let hook = json!([{ "type": "command", "command": format!("echo '{answer}'") }]);
    let settings = json!({ "hooks": { "MessageDisplay": [{ "hooks": hook }] } }).to_string();
    let mut session = stage.start(&[PARTIAL, "--settings", &settings])?;
    for prompt in ["@say said", &bash("echo hello")] {
        session.user(prompt);
        session.result()?;
    }
    session.end()
}

fn callbacks(stage: &mut Stage, hook: fn(&Value) -> Value) -> Result<()> {
    let mut session = stage.start(&[ASK, &["--allowed-tools", "Bash"]].concat())?;
    session.initialize(&json!({ "hooks": {
        "PreToolUse": [{ "matcher": "Bash", "hookCallbackIds": ["before"] }],
        "PostToolUse": [{ "matcher": "Bash", "hookCallbackIds": ["after"] }],
        "UserPromptSubmit": [{ "hookCallbackIds": ["prompt"] }],
        "Stop": [{ "hookCallbackIds": ["stop"] }],
    } }))?;
    session.user(&bash("echo hello"));
    session.converse(|request| match request["request"]["subtype"].as_str() {
        Some("hook_callback") => hook(request),
        _ => allow(request),
    })?;
    session.end()
}

fn denied(request: &Value) -> Value {
    if request["request"]["callback_id"] != "before" {
        return json!({ "continue": true });
    }
    json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "blocked by policy"
    } })
}

fn commands(stage: &mut Stage, flags: &[&str]) -> Result<()> {
    let hook = |command: &str| json!([{ "type": "command", "command": command }]);
    let settings = json!({ "hooks": {
        "SessionStart": [{ "hooks": hook("echo a session begins") }],
        "PreToolUse": [{ "matcher": "Bash", "hooks": hook("echo not allowed >&2; exit 2") }],
        "PostToolUse": [{ "matcher": "Read", "hooks": hook("cat > read.json") }],
    } });
    stage.write(".claude/settings.json", &settings.to_string())?;
    stage.trust()?;
    stage.write("f.txt", "one\ntwo\n")?;
    let read = tool("Read", &json!({ "file_path": stage.project().join("f.txt") }));
    let mut session = stage.start(flags)?;
    session.user(&format!("{}\n{read}", bash("echo 1")));
    session.result()?;
    session.end()
}
