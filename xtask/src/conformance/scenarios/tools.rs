//! Tools: calls, results, failures, files, subagents.

use std::time::Duration;

use anyhow::Result;
use serde_json::json;

use super::super::session::is_result;
use super::super::stage::Stage;
use super::{ASK, PARTIAL, SKIP, Scenario, bash, deny, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("tool", one),
    scenario("tool-fails", fails),
    scenario("tools-in-parallel", in_parallel),
    scenario("files", files),
    scenario("file-outside", file_outside),
    scenario("subagent", |stage| subagent(stage, "Task")),
    scenario("subagent-in-background", |stage| subagent(stage, "Agent")),
];

fn one(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[PARTIAL, SKIP])?;
    session.user(r#"@saytool I will look | Bash {"command":"echo hello","description":"Echo"}"#);
    session.result()?;
    session.end()
}

fn fails(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    session.user(&bash("echo out; echo err >&2; exit 3"));
    session.result()?;
    session.end()
}

fn in_parallel(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[PARTIAL, SKIP])?;
    let call = |text: &str| json!(["Bash", { "command": format!("echo {text}"), "description": text }]);
    session.user(&format!("@tools {}", json!([call("a"), call("b")])));
    session.result()?;
    session.end()
}

fn files(stage: &mut Stage) -> Result<()> {
    let flags = [ASK, &["--permission-mode", "acceptEdits"]].concat();
    let path = stage.project().join("a.txt");
    let script = [
        tool("Write", &json!({ "file_path": path, "content": "one\ntwo\n" })),
        tool("Read", &json!({ "file_path": path })),
        tool("Edit", &json!({ "file_path": path, "old_string": "two", "new_string": "TWO" })),
        tool("Grep", &json!({ "pattern": "TWO", "path": stage.project(), "output_mode": "content" })),
        tool("Glob", &json!({ "pattern": "**/*.txt" })),
        bash("touch z"),
        tool(
            "TodoWrite",
            &json!({ "todos": [{ "content": "a", "status": "pending", "activeForm": "doing a" }] }),
        ),
    ];
    let mut session = stage.start(&flags)?;
    session.initialize(&json!({}))?;
    session.user(&script.join("\n"));
    session.converse(deny)?;
    session.end()
}

/// Edits are accepted in the project only: for this one the host is asked.
fn file_outside(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[ASK, &["--permission-mode", "acceptEdits"]].concat())?;
    session.initialize(&json!({}))?;
    session.user(&tool("Write", &json!({ "file_path": "/var/tmp/outside.txt", "content": "x" })));
    session.converse(deny)?;
    session.end()
}

/// The tool has had two names. Newer versions run it in the background and start a turn of their own when it ends.
fn subagent(stage: &mut Stage, name: &str) -> Result<()> {
    let mut session = stage.start(&[PARTIAL, SKIP])?;
    let input =
        json!({ "description": "sub", "prompt": bash("echo inner"), "subagent_type": "general-purpose" });
    session.user(&tool(name, &input));
    session.result()?;
    session.maybe(Duration::from_secs(5), is_result);
    session.end()
}
