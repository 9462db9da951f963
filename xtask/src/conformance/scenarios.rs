//! The conversations that are recorded: every way through the protocol that a host can make an agent
//! take. One file a subject; each lists its own.

mod commands;
mod controls;
mod failures;
mod hooks;
mod input;
mod interrupts;
mod mcp;
mod permissions;
mod questions;
mod resuming;
mod streaming_tools;
mod tools;
mod turns;
mod web;

use anyhow::Result;
use serde_json::{Value, json};

use super::stage::Stage;

/// One conversation, or a few that belong together.
pub(super) struct Scenario {
    pub(super) name: &'static str,
    pub(super) play: fn(&mut Stage) -> Result<()>,
    /// Whether the host says things on purpose that no protocol has.
    pub(super) is_nonsense: bool,
}

const fn scenario(name: &'static str, play: fn(&mut Stage) -> Result<()>) -> Scenario {
    Scenario { name, play, is_nonsense: false }
}

const fn nonsense(name: &'static str, play: fn(&mut Stage) -> Result<()>) -> Scenario {
    Scenario { name, play, is_nonsense: true }
}

pub(super) fn all() -> impl Iterator<Item = &'static Scenario> {
    [
        turns::SCENARIOS,
        resuming::SCENARIOS,
        tools::SCENARIOS,
        web::SCENARIOS,
        permissions::SCENARIOS,
        questions::SCENARIOS,
        interrupts::SCENARIOS,
        streaming_tools::SCENARIOS,
        controls::SCENARIOS,
        hooks::SCENARIOS,
        mcp::SCENARIOS,
        commands::SCENARIOS,
        failures::SCENARIOS,
        input::SCENARIOS,
    ]
    .into_iter()
    .flatten()
}

const PARTIAL: &str = "--include-partial-messages";
/// Permission requests come to the host.
const ASK: &[&str] = &["--permission-prompt-tool", "stdio"];
const SKIP: &str = "--dangerously-skip-permissions";

/// A script line that runs a command in the shell.
fn bash(command: &str) -> String {
    tool("Bash", &json!({ "command": command, "description": "A step of the scenario" }))
}

fn tool(name: &str, input: &Value) -> String {
    format!("@tool {name} {input}")
}

/// Allows what a request asks for, as it is.
fn allow(request: &Value) -> Value {
    let request = &request["request"];
    json!({ "behavior": "allow", "updatedInput": request["input"], "toolUseID": request["tool_use_id"] })
}

fn deny(request: &Value) -> Value {
    json!({ "behavior": "deny", "message": "not now", "toolUseID": request["request"]["tool_use_id"] })
}
