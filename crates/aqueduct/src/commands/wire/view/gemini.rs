//! Events of Gemini CLI, shown as the equivalent frames.

use std::io::{self, Write};

use aqueduct_wire::FromAgent;
use aqueduct_wire::gemini::{
    GeminiEvent, GeminiFailure, GeminiResult, GeminiRole, GeminiSeverity, GeminiStatus,
};
use aqueduct_wire::json::Number;
use serde_json::{Value, json};

use super::conversation::ViewedConversation;
use crate::terminal::Tone;

pub(super) fn show<W: Write>(view: &mut ViewedConversation<W>, event: &GeminiEvent<'_>) -> io::Result<()> {
    match event {
        GeminiEvent::Message(message) if message.role == GeminiRole::Assistant => {
            let is_piece = message.delta == Some(true);
            if is_piece {
                return view.page.stream(0, Tone::Plain, &message.content);
            }
            frame(
                view,
                json!({
                    "type": "assistant",
                    "message": {"role": "assistant", "content": [{"type": "text", "text": &*message.content}]},
                }),
            )
        }
        GeminiEvent::Message(message) => frame(
            view,
            json!({
                "type": "user",
                "isReplay": true,
                "message": {"role": "user", "content": &*message.content},
            }),
        ),
        GeminiEvent::Init(init) => frame(
            view,
            json!({
                "type": "system",
                "subtype": "init",
                "session_id": &*init.session_id,
                "model": init.model.as_deref(),
                "cwd": "",
                "tools": [],
            }),
        ),
        GeminiEvent::ToolUse(call) => {
            let input: Value = call
                .parameters
                .as_ref()
                .and_then(|input| serde_json::from_str(input.as_str()).ok())
                .unwrap_or_else(|| json!({}));
            frame(
                view,
                json!({
                    "type": "assistant",
                    "message": {"role": "assistant", "content": [
                        {"type": "tool_use", "id": &*call.tool_id, "name": &*call.tool_name, "input": input},
                    ]},
                }),
            )
        }
        GeminiEvent::ToolResult(result) => {
            let failed = result.error.as_ref().map(failure);
            let text = failed.as_deref().or(result.output.as_deref()).unwrap_or_default();
            frame(
                view,
                json!({
                    "type": "user",
                    "message": {"role": "user", "content": [{
                        "type": "tool_result",
                        "tool_use_id": &*result.tool_id,
                        "content": text,
                        "is_error": result.status != GeminiStatus::Success,
                    }]},
                }),
            )
        }
        GeminiEvent::Error(error) => {
            let tone = if error.severity == GeminiSeverity::Warning { Tone::Yellow } else { Tone::Red };
            view.page.line(0, &[(tone, "! "), (tone, &error.message)])
        }
        GeminiEvent::Result(result) => frame(view, end(result)),
        other => view.page.line(0, &[(Tone::Dim, "gemini  "), (Tone::Dim, other.tag())]),
    }
}

/// The end of a run.
fn end(result: &GeminiResult<'_>) -> Value {
    let failed = result.status != GeminiStatus::Success;
    let stats = result.stats.as_ref();
    let count = |number: Option<&Number<'_>>| number.and_then(|number| number.as_str().parse::<f64>().ok());
    json!({
        "type": "result",
        "subtype": if failed { "error_during_execution" } else { "success" },
        "is_error": failed,
        "errors": result.error.iter().map(failure).collect::<Vec<_>>(),
        "duration_ms": count(stats.and_then(|stats| stats.duration_ms.as_ref())),
        "usage": {
            "input_tokens": count(stats.and_then(|stats| stats.input.as_ref())),
            "cache_read_input_tokens": count(stats.and_then(|stats| stats.cached.as_ref())),
            "output_tokens": count(stats.and_then(|stats| stats.output_tokens.as_ref())),
        },
    })
}

fn failure(failure: &GeminiFailure<'_>) -> String {
    failure.message.as_deref().or(failure.kind.as_deref()).unwrap_or("no reason given").to_owned()
}

fn frame<W: Write>(view: &mut ViewedConversation<W>, frame: Value) -> io::Result<()> {
    let line = frame.to_string();
    match FromAgent::parse(&line) {
        Ok(frame) => view.frame(&frame),
        Err(error) => view.page.line(0, &[(Tone::Yellow, "! "), (Tone::Plain, &error.to_string())]),
    }
}
