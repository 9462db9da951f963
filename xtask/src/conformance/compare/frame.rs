//! A frame and its kind. Deltas that follow one another are joined and counted: a text that quotes a
//! program's own words has another length, and so other deltas.

use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Frame {
    pub(super) kind: String,
    pub(super) value: Value,
}

impl Frame {
    /// Whether it is from a subagent, and not the agent itself.
    pub(super) fn is_of_a_subagent(&self) -> bool {
        self.value["parent_tool_use_id"].is_string()
    }
}

/// Members of deltas that hold a piece of something longer.
const PIECES: &[&str] = &["text", "thinking", "partial_json"];

pub(super) fn frames(values: Vec<Value>) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    for mut value in values {
        if value["event"]["type"] == "content_block_delta" {
            value["event"]["pieces"] = json!(1);
        }
        let frame = Frame { kind: kind(&value), value };
        let last = frames.last_mut().filter(|last| last.kind == frame.kind);
        if !last.is_some_and(|last| join(&mut last.value, &frame.value)) {
            frames.push(frame);
        }
    }
    frames
}

/// What frames are aligned by. What else distinguishes frames is a member and compared as one.
pub(super) fn kind(frame: &Value) -> String {
    let word = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    let main = word(&frame["type"]);
    let parts = match main.as_str() {
        "system" => vec![word(&frame["subtype"])],
        "stream_event" => match frame["event"]["delta"]["type"].as_str() {
            Some(delta) => vec![word(&frame["event"]["type"]), delta.to_owned()],
            None => vec![word(&frame["event"]["type"])],
        },
        "control_request" => vec![word(&frame["request"]["subtype"])],
        "assistant" => vec![block(frame)],
        "user" if frame["isReplay"] == true => vec!["replay".to_owned()],
        "user" => vec![block(frame)],
        _ => Vec::new(),
    };
    [vec![main], parts].concat().join("/")
}

fn block(frame: &Value) -> String {
    match &frame["message"]["content"] {
        Value::Array(blocks) => {
            blocks.first().and_then(|block| block["type"].as_str()).unwrap_or("nothing").to_owned()
        }
        _ => "text".to_owned(),
    }
}

/// Joins a delta to the one before it, if both belong to the same block. Counts the pieces.
fn join(last: &mut Value, next: &Value) -> bool {
    if next["event"]["type"] != "content_block_delta" || last["event"]["index"] != next["event"]["index"] {
        return false;
    }
    let delta = &next["event"]["delta"];
    let Some((member, piece)) = PIECES.iter().find_map(|name| Some((*name, delta[*name].as_str()?))) else {
        return false;
    };
    let Some(text) = last["event"]["delta"][member].as_str().map(|text| text.to_owned() + piece) else {
        return false;
    };
    last["event"]["delta"][member] = json!(text);
    last["event"]["pieces"] = json!(last["event"]["pieces"].as_u64().unwrap_or_default() + 1);
    true
}
