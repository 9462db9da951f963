//! Why a message of the model ends, and what follows.

use anyhow::Result;
use serde_json::{Value, json};

use super::super::stage::Stage;
use super::{PARTIAL, SKIP, Scenario, deep};

pub(super) const SCENARIOS: &[Scenario] = &[
    deep("stop-max-tokens", |stage| {
        stops(stage, 1, &json!(["start", ["text", "cut short"], ["stop", "max_tokens"]]))
    }),
    deep("stop-max-tokens-always", |stage| {
        always(stage, &json!(["start", ["text", "cut short"], ["stop", "max_tokens"]]))
    }),
    deep("stop-refusal-always", |stage| {
        always(stage, &json!(["start", ["text", "I can"], ["stop", "refusal"]]))
    }),
    deep("stop-tool-use-without-tool-always", |stage| {
        always(stage, &json!(["start", ["text", "no call"], ["stop", "tool_use"]]))
    }),
    deep("stop-without-content-always", |stage| always(stage, &json!(["start", ["stop", "end_turn"]]))),
    deep("stop-without-content-after-tool", |stage| {
        let call = json!(["start", ["tool", "Bash", r#"{"command":"echo hi"}"#], ["stop", "tool_use"]]);
        let empty = json!(["start", ["stop", "end_turn"]]);
        play(stage, &format!("@events 9 {call} no\n@events 9 {empty} no"))
    }),
    deep("stop-max-tokens-in-tool", |stage| {
        stops(stage, 1, &json!(["start", ["tool", "Bash", r#"{"command":"echo hi"#], ["stop", "max_tokens"]]))
    }),
    deep("stop-max-tokens-without-content", |stage| {
        stops(stage, 1, &json!(["start", ["stop", "max_tokens"]]))
    }),
    deep("stop-refusal", |stage| stops(stage, 1, &json!(["start", ["text", "I can"], ["stop", "refusal"]]))),
    deep("stop-refusal-without-content", |stage| stops(stage, 1, &json!(["start", ["stop", "refusal"]]))),
    deep("stop-pause-turn", |stage| {
        stops(stage, 1, &json!(["start", ["text", "wait"], ["stop", "pause_turn"]]))
    }),
    deep("stop-sequence", |stage| {
        stops(stage, 1, &json!(["start", ["text", "ended"], ["stop", "stop_sequence"]]))
    }),
    deep("stop-context-window", |stage| {
        stops(stage, 1, &json!(["start", ["text", "full"], ["stop", "model_context_window_exceeded"]]))
    }),
    deep("stop-unknown-reason", |stage| {
        stops(stage, 1, &json!(["start", ["text", "odd"], ["stop", "no_such_reason"]]))
    }),
    deep("stop-tool-use-without-tool", |stage| {
        stops(stage, 1, &json!(["start", ["text", "no call"], ["stop", "tool_use"]]))
    }),
    deep("stop-end-turn-with-tool", |stage| {
        stops(stage, 1, &json!(["start", ["tool", "Bash", r#"{"command":"echo hi"}"#], ["stop", "end_turn"]]))
    }),
];

fn stops(stage: &mut Stage, times: usize, steps: &Value) -> Result<()> {
    play(stage, &format!("@events {times} {steps} continued"))
}

/// Every message of the model is the same, for longer than a turn bears.
fn always(stage: &mut Stage, steps: &Value) -> Result<()> {
    play(stage, &vec![format!("@events 99 {steps} never"); 8].join("\n"))
}

fn play(stage: &mut Stage, prompt: &str) -> Result<()> {
    let mut session = stage.start(&[PARTIAL, SKIP])?;
    session.user(prompt);
    session.result()?;
    session.user("@say next");
    session.result()?;
    session.end()
}
