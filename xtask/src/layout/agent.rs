//! What of the agent runs in every session: a conversation with the scripted model over HTTP.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::Step;
use super::callgrind::Run;
use crate::conformance::ScriptedApi;

pub(super) const STEPS: &[Step] = &[
    Step {
        name: "start",
        about: "from the start of the process to the answered `initialize`",
        run: |program| converse(program, &[initialize()]),
    },
    Step {
        name: "turn",
        about: "a prompt, its request to the model and its streamed answer",
        run: |program| converse(program, &[initialize(), prompt()]),
    },
];

/// stream-json both ways, with deltas.
const FLAGS: &[&str] = &[
    "-p",
    "--verbose",
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
    "--include-partial-messages",
];

fn initialize() -> Value {
    json!({ "type": "control_request", "request_id": "init", "request": { "subtype": "initialize" } })
}

fn prompt() -> Value {
    let content = json!([{ "type": "text", "text": "@say an answer of a few words" }]);
    json!({ "type": "user", "message": { "role": "user", "content": content } })
}

/// Sends frames, closes the agent's input and waits for its end.
fn converse(program: &Path, frames: &[Value]) -> Result<HashSet<String>> {
    let api = ScriptedApi::start()?;
    let run = Run::new()?;
    let input = run.place().join("input");
    let lines = frames.iter().map(|frame| format!("{frame}\n")).collect::<String>();
    fs::write(&input, lines).context("cannot write the agent's input")?;
    let mut agent = run.command(program);
    agent
        .args(FLAGS)
        .env("ANTHROPIC_BASE_URL", api.url())
        .env("ANTHROPIC_API_KEY", "not-a-key")
        .stdin(File::open(&input).context("cannot open the agent's input")?)
        .stdout(Stdio::null());
    let ended = agent.output().context("cannot run the agent under valgrind")?;
    ensure!(
        ended.status.success(),
        "the agent failed under valgrind:\n{}",
        String::from_utf8_lossy(&ended.stderr)
    );
    run.functions()
}
