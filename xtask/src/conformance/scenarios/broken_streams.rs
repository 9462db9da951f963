//! Answers that break: streams without an end, with an error inside, with nothing in them, or with blocks
//! that are unknown.

use anyhow::Result;
use serde_json::{Value, json};

use super::super::stage::Stage;
use super::{PARTIAL, SKIP, Scenario, deep};

pub(super) const SCENARIOS: &[Scenario] = &[
    deep("stream-error-first", |stage| once(stage, &json!(["start", overloaded()]))),
    deep("stream-again-error-inside-text", |stage| {
        once(stage, &json!(["start", text_start(), text_delta("half a "), overloaded()]))
    }),
    deep("stream-error-always", |stage| always(stage, &json!(["start", ["text", "half"], overloaded()]))),
    deep("stream-cut-before-start", |stage| once(stage, &json!(["cut"]))),
    deep("stream-cut-inside-text", |stage| {
        once(stage, &json!(["start", text_start(), text_delta("half a "), SETTLED, "cut"]))
    }),
    deep("stream-cut-after-text", |stage| {
        once(stage, &json!(["start", ["text", "a whole block"], SETTLED, "cut"]))
    }),
    deep("stream-cut-after-tool", |stage| {
        once(stage, &json!(["start", ["tool", "Bash", r#"{"command":"echo ran >> log"}"#], SETTLED, "cut"]))
    }),
    deep("stream-again-without-events", |stage| once(stage, &json!([]))),
    deep("stream-again-without-events-ever", |stage| always(stage, &json!([]))),
    deep("stream-without-stop", |stage| once(stage, &json!(["start", ["text", "no end"]]))),
    deep("stream-without-content", |stage| once(stage, &json!(["start", ["stop", "end_turn"]]))),
    deep("stream-again-only-start", |stage| once(stage, &json!(["start"]))),
    deep("stream-empty-text", |stage| once(stage, &json!(["start", ["text", ""], ["stop", "end_turn"]]))),
    deep("stream-blank-text", |stage| once(stage, &json!(["start", ["text", " \n "], ["stop", "end_turn"]]))),
    deep("stream-invalid-tool-input", |stage| {
        once(stage, &json!(["start", ["tool", "Bash", r#"{"command":"ec"#], ["stop", "tool_use"]]))
    }),
    deep("stream-empty-tool-input", |stage| {
        once(stage, &json!(["start", ["tool", "Bash", ""], ["stop", "tool_use"]]))
    }),
    deep("stream-tool-input-no-object", |stage| {
        once(stage, &json!(["start", ["tool", "Bash", "[1]"], ["stop", "tool_use"]]))
    }),
    deep("stream-unknown-tool", |stage| {
        once(stage, &json!(["start", ["tool", "NoSuchTool", "{}"], ["stop", "tool_use"]]))
    }),
    deep("stream-unknown-event", |stage| {
        once(stage, &json!(["start", { "type": "news" }, ["text", "known"], ["stop", "end_turn"]]))
    }),
    deep("stream-redacted-thinking", |stage| {
        let block = json!({ "type": "redacted_thinking", "data": "c2VjcmV0" });
        let start = json!({ "type": "content_block_start", "index": 0, "content_block": block });
        let stop = json!({ "type": "content_block_stop", "index": 0 });
        let text = json!({ "type": "content_block_start", "index": 1, "content_block": { "type": "text", "text": "" } });
        let delta = json!({ "type": "content_block_delta", "index": 1, "delta": { "type": "text_delta", "text": "said" } });
        let end = json!({ "type": "content_block_stop", "index": 1 });
        once(stage, &json!(["start", start, stop, text, delta, end, ["stop", "end_turn"]]))
    }),
];

/// Seconds until a program has read what was sent, before the connection breaks.
const SETTLED: f64 = 0.5;

fn overloaded() -> Value {
    json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } })
}

fn text_start() -> Value {
    json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } })
}

fn text_delta(text: &str) -> Value {
    json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": text } })
}

/// The stream breaks once; the next call of the model succeeds.
fn once(stage: &mut Stage, steps: &Value) -> Result<()> {
    play(stage, &format!("@events 1 {steps} continued"))
}

fn always(stage: &mut Stage, steps: &Value) -> Result<()> {
    play(stage, &format!("@events 99 {steps} never"))
}

fn play(stage: &mut Stage, prompt: &str) -> Result<()> {
    let mut session = stage.start_with(&[PARTIAL, SKIP], &[("CLAUDE_CODE_MAX_RETRIES", "1")])?;
    session.user(prompt);
    session.result()?;
    session.user("@say next");
    session.result()?;
    session.end()
}
