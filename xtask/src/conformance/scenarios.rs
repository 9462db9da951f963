//! The conversations that are recorded: every way through the protocol that a host can make an agent
//! take. One file a subject; each lists its own.

mod api_failures;
mod background;
mod broken_streams;
mod command_files;
mod command_lines;
mod commands;
mod control_requests;
mod controls;
mod failures;
mod hook_answers;
mod hook_callbacks;
mod hook_events;
mod hooks;
mod input;
mod input_forms;
mod interrupted_work;
mod interrupts;
mod mcp;
mod permission_answers;
mod permissions;
mod questions;
mod resuming;
mod skills;
mod slash_commands;
mod stop_reasons;
mod streaming_tools;
mod subagents;
mod switches;
mod tool_checks;
mod tool_order;
mod tools;
mod turns;
mod web;

use anyhow::Result;
use serde_json::{Value, json};

use super::reference;
use super::stage::Stage;

/// One conversation, or a few that belong together.
pub(super) struct Scenario {
    pub(super) name: &'static str,
    pub(super) play: fn(&mut Stage) -> Result<()>,
    /// Whether the host deliberately sends what no protocol has.
    pub(super) is_nonsense: bool,
    /// Whether what the model was asked and what the transcript holds are compared too.
    pub(super) is_deep: bool,
}

const fn scenario(name: &'static str, play: fn(&mut Stage) -> Result<()>) -> Scenario {
    Scenario { name, play, is_nonsense: false, is_deep: false }
}

/// A scenario of which the requests to the model and the transcript are compared too.
const fn deep(name: &'static str, play: fn(&mut Stage) -> Result<()>) -> Scenario {
    Scenario { is_deep: true, ..scenario(name, play) }
}

const fn nonsense(name: &'static str, play: fn(&mut Stage) -> Result<()>) -> Scenario {
    Scenario { is_nonsense: true, ..scenario(name, play) }
}

/// Every scenario.
pub(super) fn all() -> impl Iterator<Item = &'static Scenario> {
    ACROSS_VERSIONS.iter().chain(NEWEST).copied().flatten()
}

/// The scenarios that a version of the reference can play.
pub(super) fn of(version: &str) -> impl Iterator<Item = &'static Scenario> {
    let newest = if version == reference::NEWEST { NEWEST } else { &[] };
    ACROSS_VERSIONS.iter().chain(newest).copied().flatten()
}

const ACROSS_VERSIONS: &[&[Scenario]] = &[
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
];

/// Scenarios with flags, frames and failures that only the newest version has.
const NEWEST: &[&[Scenario]] = &[
    api_failures::SCENARIOS,
    background::SCENARIOS,
    broken_streams::SCENARIOS,
    command_files::SCENARIOS,
    command_lines::SCENARIOS,
    control_requests::SCENARIOS,
    hook_answers::SCENARIOS,
    hook_callbacks::SCENARIOS,
    hook_events::SCENARIOS,
    input_forms::SCENARIOS,
    interrupted_work::SCENARIOS,
    permission_answers::SCENARIOS,
    skills::SCENARIOS,
    slash_commands::SCENARIOS,
    stop_reasons::SCENARIOS,
    subagents::SCENARIOS,
    switches::SCENARIOS,
    tool_checks::SCENARIOS,
    tool_order::SCENARIOS,
];

const PARTIAL: &str = "--include-partial-messages";
/// Permission requests come to the host.
const ASK: &[&str] = &["--permission-prompt-tool", "stdio"];
const SKIP: &str = "--dangerously-skip-permissions";
/// Frames report every hook that runs.
const SHOWN: &str = "--include-hook-events";

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
