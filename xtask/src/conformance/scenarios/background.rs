//! Commands in the background, and commands that take long.

use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use super::super::session::{Session, is_result};
use super::super::stage::Stage;
use super::{SKIP, Scenario, scenario, tool};

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("background-ends", ends),
    scenario("background-fails", fails),
    scenario("background-during-turn", during_turn),
    scenario("background-stopped", stopped),
    scenario("background-input-ends", input_ends),
    scenario("background-session-ends", session_ends),
    scenario("background-resumed", resumed),
    scenario("background-timeout", timeout),
    scenario("foreground-long", |stage| foreground(stage, "sleep 5; true")),
    scenario("foreground-long-fails", |stage| foreground(stage, "sleep 5; false")),
];

const ID: &str = "6f1d3c52-7f4e-4b1b-9a55-0c1f1f6f2b01";

/// How long a turn that begins by itself may take to begin.
const PATIENCE: Duration = Duration::from_secs(10);

fn command(command: &str, more: &Value) -> String {
    let mut input = json!({ "command": command, "description": "Work" });
    if let (Some(input), Some(more)) = (input.as_object_mut(), more.as_object()) {
        input.extend(more.clone());
    }
    tool("Bash", &input)
}

fn in_background(text: &str) -> String {
    command(text, &json!({ "run_in_background": true }))
}

/// Starts a command in the background; its task.
fn begin(session: &mut Session, text: &str) -> Result<Value> {
    session.user(&format!("{}\n@say on\n@say noticed", in_background(text)));
    let started = session.wait("a task", |frame| frame["subtype"] == "task_started")?;
    session.result()?;
    Ok(started["task_id"].clone())
}

fn ends(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    begin(&mut session, "sleep 2; echo done")?;
    session.maybe(PATIENCE, is_result);
    session.end()
}

fn fails(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    begin(&mut session, "sleep 2; exit 3")?;
    session.maybe(PATIENCE, is_result);
    session.end()
}

fn during_turn(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    let waits = command("until [ -e go ]; do sleep 0.1; done", &json!({}));
    session.user(&format!("{}\n{waits}\n@say both", in_background("true")));
    session.wait("an end", |frame| frame["subtype"] == "task_notification")?;
    stage.write("go", "")?;
    session.result()?;
    session.end()
}

fn stopped(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    for (name, member) in [("TaskStop", "task_id"), ("KillShell", "shell_id"), ("KillBash", "shell_id")] {
        let task = begin(&mut session, "tail -f /dev/null")?;
        session.user(&format!("{}\n@say off", tool(name, &json!({ member: task }))));
        session.result()?;
    }
    let task = begin(&mut session, "tail -f /dev/null")?;
    session.control("stop_task", &json!({ "task_id": task }));
    session.end()
}

fn input_ends(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    begin(&mut session, "sleep 2; echo done")?;
    session.end()
}

fn session_ends(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    begin(&mut session, "tail -f /dev/null")?;
    session.control("end_session", &json!({}));
    session.end()
}

fn resumed(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&["--session-id", ID, SKIP])?;
    begin(&mut session, "tail -f /dev/null")?;
    session.control("end_session", &json!({}));
    session.end()?;

    let mut session = stage.start(&["--resume", ID, SKIP])?;
    session.result()?;
    session.user("@say hello");
    session.result()?;
    session.end()
}

fn timeout(stage: &mut Stage) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    let late = command("echo begun; sleep 4; echo done", &json!({ "timeout": 1000 }));
    session.user(&format!("{late}\n@say on\n@say noticed"));
    session.result()?;
    session.maybe(PATIENCE, is_result);
    session.end()
}

fn foreground(stage: &mut Stage, text: &str) -> Result<()> {
    let mut session = stage.start(&[SKIP])?;
    session.user(&format!("{}\n@say done", command(text, &json!({}))));
    session.result()?;
    session.end()
}
