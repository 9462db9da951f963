//! Scenarios: given these frames, this is the message so far.

mod endings;
mod late;
mod partial_json;
mod property;
mod threads;
mod turns;

use std::fmt::Write;

use aqueduct_wire::FromAgent;
use aqueduct_wire::assemble::{Assembler, ChangeKind, MessageSoFar};
use serde_json::{Value, json};

type Frame = FromAgent<'static>;

fn frame(value: Value) -> Frame {
    FromAgent::parse(&value.to_string()).unwrap().into_owned()
}

/// A stream event of the main conversation.
fn event(event: Value) -> Frame {
    event_of(None, event)
}

fn event_of(parent: Option<&str>, event: Value) -> Frame {
    frame(json!({
        "type": "stream_event", "event": event, "parent_tool_use_id": parent,
        "uuid": "e-1", "session_id": "s-1",
    }))
}

fn message_start(id: &str) -> Frame {
    event(start_event(id))
}

fn start_event(id: &str) -> Value {
    json!({"type": "message_start", "message": {
        "id": id, "type": "message", "role": "assistant", "model": "m-1", "content": [],
        "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 10, "cache_read_input_tokens": 50, "output_tokens": 1},
    }})
}

fn block_start(index: u64, block: Value) -> Frame {
    event(json!({"type": "content_block_start", "index": index, "content_block": block}))
}

fn text_start(index: u64) -> Frame {
    block_start(index, json!({"type": "text", "text": ""}))
}

fn delta(index: u64, delta: Value) -> Frame {
    event(json!({"type": "content_block_delta", "index": index, "delta": delta}))
}

fn text_delta(index: u64, text: &str) -> Frame {
    delta(index, json!({"type": "text_delta", "text": text}))
}

fn json_delta(index: u64, json: &str) -> Frame {
    delta(index, json!({"type": "input_json_delta", "partial_json": json}))
}

fn block_stop(index: u64) -> Frame {
    event(json!({"type": "content_block_stop", "index": index}))
}

fn message_delta(stop_reason: Option<&str>) -> Frame {
    event(json!({
        "type": "message_delta",
        "delta": {"stop_reason": stop_reason, "stop_sequence": null},
        "usage": {"output_tokens": 7, "input_tokens": null},
    }))
}

fn message_stop() -> Frame {
    event(json!({"type": "message_stop"}))
}

fn assistant(id: &str, uuid: &str, block: Value) -> Frame {
    assistant_of(None, id, uuid, block, json!({}))
}

/// An `assistant` frame with one block and more members.
fn assistant_of(parent: Option<&str>, id: &str, uuid: &str, block: Value, more: Value) -> Frame {
    let mut value = json!({
        "type": "assistant",
        "message": {
            "id": id, "type": "message", "role": "assistant", "model": "m-1", "content": [block],
            "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 10, "output_tokens": 1},
        },
        "parent_tool_use_id": parent, "uuid": uuid, "session_id": "s-1",
    });
    value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    frame(value)
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn tool(id: &str, input: Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Bash", "input": input})
}

fn user(content: Value) -> Frame {
    frame(json!({
        "type": "user", "message": {"role": "user", "content": content},
        "parent_tool_use_id": null, "uuid": "u-1", "session_id": "s-1",
    }))
}

fn interruption() -> Frame {
    user(json!([text("[Request interrupted by user]")]))
}

fn tool_result(id: &str, is_error: bool) -> Frame {
    user(json!([{"type": "tool_result", "tool_use_id": id, "content": "…", "is_error": is_error}]))
}

fn result() -> Frame {
    frame(json!({
        "type": "result", "subtype": "success", "is_error": false, "duration_ms": 1, "num_turns": 1,
        "result": "", "session_id": "s-1", "uuid": "r-1",
    }))
}

/// Plays frames and writes down what each changed, what was handed out, and what is left at the end.
fn play(frames: &[Frame]) -> String {
    let mut assembler = Assembler::new();
    let mut story = String::new();
    for frame in frames {
        let change = assembler.push(frame);
        if change.kind != ChangeKind::Nothing || !change.finished.is_empty() {
            let thread = change.thread.map(|thread| format!("{thread}: ")).unwrap_or_default();
            writeln!(story, "{thread}{:?}", change.kind).unwrap();
        }
        if !change.retracted.is_empty() {
            writeln!(story, "  retracted {:?}", change.retracted).unwrap();
        }
        for message in &change.finished {
            write!(story, "  handed out {}", shown(message)).unwrap();
        }
    }
    for message in assembler.messages() {
        write!(story, "left: {}", shown(message)).unwrap();
    }
    story
}

fn shown(message: &MessageSoFar) -> String {
    let mut shown = message.id().unwrap_or("(no id)").to_owned();
    if let Some(parent) = message.parent() {
        write!(shown, " of {parent}").unwrap();
    }
    write!(shown, " {:?}", message.state()).unwrap();
    if let Some(reason) = &message.head().stop_reason {
        write!(shown, " {reason}").unwrap();
    }
    shown.push('\n');
    for block in message.blocks() {
        let mut json = String::new();
        aqueduct_wire::json::Json::write(&block.to_block(), &mut json);
        write!(shown, "    {:?} {json}", block.state()).unwrap();
        if let Some(uuid) = block.uuid() {
            write!(shown, " by {uuid}").unwrap();
        }
        for other in block.other_deltas() {
            write!(shown, " + {}", other.tag()).unwrap();
        }
        shown.push('\n');
    }
    shown
}
