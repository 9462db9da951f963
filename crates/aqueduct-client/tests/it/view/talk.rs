//! Makes the frames of a conversation, with and without partial messages.

use std::sync::atomic::{AtomicU64, Ordering};

use aqueduct_client::view::{Run, View};
use aqueduct_wire::FromAgent;
use serde_json::{Value, json};

/// A conversation on the wire. Which of its frames are only there with partial messages is known.
#[derive(Debug, Clone, Default)]
pub(super) struct Talk {
    frames: Vec<(Value, bool)>,
}

/// Every frame of a test has another uuid.
static UUIDS: AtomicU64 = AtomicU64::new(0);

/// A block of the model's message, and how its deltas are cut: in pieces of so many characters.
pub(super) struct Block {
    pub(super) whole: Value,
    pub(super) piece: usize,
}

pub(super) fn text(text: &str) -> Block {
    Block { whole: json!({ "type": "text", "text": text }), piece: 4 }
}

pub(super) fn thinking(text: &str) -> Block {
    Block { whole: json!({ "type": "thinking", "thinking": text, "signature": "c2ln" }), piece: 5 }
}

pub(super) fn tool(id: &str, name: &str, input: Value) -> Block {
    Block { whole: json!({ "type": "tool_use", "id": id, "name": name, "input": input }), piece: 7 }
}

impl Talk {
    pub(super) fn new() -> Self {
        Talk::default()
    }

    /// Adds a frame of any kind.
    pub(super) fn frame(&mut self, frame: Value) -> &mut Self {
        self.frames.push((frame, false));
        self
    }

    fn uuid(&self) -> String {
        format!("{:08x}-0000-4000-8000-000000000000", UUIDS.fetch_add(1, Ordering::Relaxed))
    }

    fn stream(&mut self, parent: Option<&str>, event: Value) {
        let frame = json!({ "type": "stream_event", "event": event, "parent_tool_use_id": parent, "session_id": "s" });
        self.frames.push((frame, true));
    }

    pub(super) fn state(&mut self, state: &str) -> &mut Self {
        self.system(json!({ "subtype": "session_state_changed", "state": state }))
    }

    pub(super) fn init(&mut self) -> &mut Self {
        self.system(json!({ "subtype": "init", "model": "example-model", "cwd": "/proj",
            "permissionMode": "default", "claude_code_version": "2.1.325" }))
    }

    pub(super) fn system(&mut self, mut frame: Value) -> &mut Self {
        frame["type"] = json!("system");
        frame["session_id"] = json!("s");
        frame["uuid"] = json!(self.uuid());
        self.frame(frame)
    }

    /// The beginning of a message that is streamed.
    pub(super) fn start(&mut self, parent: Option<&str>, id: &str) -> &mut Self {
        let message = json!({ "id": id, "type": "message", "role": "assistant", "model": "example-model",
            "content": [], "stop_reason": null, "usage": { "input_tokens": 10, "output_tokens": 1 } });
        self.stream(parent, json!({ "type": "message_start", "message": message }));
        self
    }

    /// A block, in deltas and as a whole. Returns the whole frame's uuid.
    pub(super) fn block(&mut self, parent: Option<&str>, id: &str, index: usize, block: &Block) -> String {
        self.deltas(parent, index, block, usize::MAX);
        let uuid = self.whole(parent, id, &block.whole, json!({}));
        self.stream(parent, json!({ "type": "content_block_stop", "index": index }));
        uuid
    }

    /// The beginning of a block: at most so many deltas of it.
    pub(super) fn deltas(&mut self, parent: Option<&str>, index: usize, block: &Block, most: usize) {
        let whole = &block.whole;
        let (empty, text, key, kind) = match whole["type"].as_str() {
            Some("text") => (
                json!({ "type": "text", "text": "" }),
                whole["text"].as_str().unwrap().to_owned(),
                "text",
                "text_delta",
            ),
            Some("thinking") => (
                json!({ "type": "thinking", "thinking": "", "signature": "" }),
                whole["thinking"].as_str().unwrap().to_owned(),
                "thinking",
                "thinking_delta",
            ),
            _ => (
                json!({ "type": "tool_use", "id": whole["id"], "name": whole["name"], "input": {} }),
                whole["input"].to_string(),
                "partial_json",
                "input_json_delta",
            ),
        };
        self.stream(parent, json!({ "type": "content_block_start", "index": index, "content_block": empty }));
        let characters: Vec<char> = text.chars().collect();
        for piece in characters.chunks(block.piece.max(1)).take(most) {
            let mut delta = json!({ "type": kind });
            delta[key] = json!(piece.iter().collect::<String>());
            self.stream(parent, json!({ "type": "content_block_delta", "index": index, "delta": delta }));
        }
    }

    /// An `assistant` frame with one block. Returns its uuid.
    pub(super) fn whole(&mut self, parent: Option<&str>, id: &str, block: &Value, more: Value) -> String {
        let uuid = self.uuid();
        let mut frame = json!({ "type": "assistant", "message": { "id": id, "type": "message", "role": "assistant",
            "model": "example-model", "content": [block], "stop_reason": null,
            "usage": { "input_tokens": 10, "output_tokens": 1 } },
            "parent_tool_use_id": parent, "session_id": "s", "uuid": uuid });
        for (key, value) in more.as_object().unwrap() {
            frame[key] = value.clone();
        }
        self.frame(frame);
        uuid
    }

    /// The end of a message that was streamed.
    pub(super) fn stop(&mut self, parent: Option<&str>, output_tokens: u64) -> &mut Self {
        let delta = json!({ "stop_reason": "end_turn", "stop_sequence": null });
        self.stream(
            parent,
            json!({ "type": "message_delta", "delta": delta, "usage": { "output_tokens": output_tokens } }),
        );
        self.stream(parent, json!({ "type": "message_stop" }));
        self
    }

    /// A whole message.
    pub(super) fn message(&mut self, parent: Option<&str>, id: &str, blocks: &[Block]) -> &mut Self {
        self.start(parent, id);
        for (index, block) in blocks.iter().enumerate() {
            self.block(parent, id, index, block);
        }
        self.stop(parent, 12)
    }

    /// What a tool gave back.
    pub(super) fn answer(
        &mut self,
        parent: Option<&str>,
        call: &str,
        text: &str,
        is_error: bool,
    ) -> &mut Self {
        self.answer_with(parent, call, text, is_error, Value::Null)
    }

    pub(super) fn answer_with(
        &mut self,
        parent: Option<&str>,
        call: &str,
        text: &str,
        is_error: bool,
        structured: Value,
    ) -> &mut Self {
        let mut block = json!({ "tool_use_id": call, "type": "tool_result", "content": text });
        if is_error {
            block["is_error"] = json!(true);
        }
        let mut frame = json!({ "type": "user", "message": { "role": "user", "content": [block] },
            "parent_tool_use_id": parent, "session_id": "s", "uuid": self.uuid() });
        if !structured.is_null() {
            frame["tool_use_result"] = structured;
        }
        self.frame(frame)
    }

    pub(super) fn user_text(&mut self, parent: Option<&str>, text: &str, more: Value) -> &mut Self {
        let mut frame = json!({ "type": "user", "message": { "role": "user", "content": text },
            "parent_tool_use_id": parent, "session_id": "s", "uuid": self.uuid() });
        for (key, value) in more.as_object().unwrap() {
            frame[key] = value.clone();
        }
        self.frame(frame)
    }

    pub(super) fn ask(&mut self, request: &str, call: &str, name: &str, input: Value) -> &mut Self {
        self.frame(json!({ "type": "control_request", "request_id": request, "request": {
            "subtype": "can_use_tool", "tool_name": name, "input": input, "tool_use_id": call } }))
    }

    pub(super) fn result(&mut self, cost: f64, more: Value) -> &mut Self {
        let mut frame = json!({ "type": "result", "subtype": "success", "is_error": false, "num_turns": 1,
            "session_id": "s", "total_cost_usd": cost, "usage": { "input_tokens": 30, "output_tokens": 24,
            "cache_read_input_tokens": 5, "cache_creation_input_tokens": 7 },
            "modelUsage": { "example-model": { "inputTokens": 40, "outputTokens": 30, "cacheReadInputTokens": 5,
            "cacheCreationInputTokens": 7, "costUSD": cost } },
            "permission_denials": [], "result": "done", "uuid": self.uuid() });
        for (key, value) in more.as_object().unwrap() {
            frame[key] = value.clone();
        }
        self.frame(frame)
    }

    /// The frames, with or without partial messages.
    pub(super) fn frames(&self, partial: bool) -> impl Iterator<Item = &Value> {
        self.frames.iter().filter(move |(_, is_partial)| partial || !is_partial).map(|(frame, _)| frame)
    }

    /// The view of all of it.
    pub(super) fn view(&self, partial: bool) -> View {
        let mut view = View::new();
        self.push_to(&mut view, partial);
        view
    }

    /// Shows a view all of it, and returns the runs that it has completed.
    pub(super) fn push_to(&self, view: &mut View, partial: bool) -> Vec<Run> {
        self.frames(partial).filter_map(|frame| push(view, frame)).map(|run| *run).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    /// The position of the `assistant` frame of a call.
    pub(super) fn place_of_call(&self, id: &str) -> usize {
        let is_it =
            |frame: &Value| frame["message"]["content"][0]["id"] == id && frame["type"] == "assistant";
        self.frames.iter().position(|(frame, _)| is_it(frame)).expect("the call is there")
    }

    /// Puts the frames of another conversation among these, the nth before the place that is nth in `places`.
    pub(super) fn merge(&self, other: &Talk, places: &[usize]) -> Talk {
        let mut merged = Talk::new();
        let mut others =
            other.frames.iter().zip(places.iter().chain(std::iter::repeat(&usize::MAX))).peekable();
        for (at, frame) in self.frames.iter().enumerate() {
            while let Some((other, _)) = others.next_if(|(_, place)| **place <= at) {
                merged.frames.push(other.clone());
            }
            merged.frames.push(frame.clone());
        }
        merged.frames.extend(others.map(|(other, _)| other.clone()));
        merged
    }
}

pub(super) fn push(view: &mut View, frame: &Value) -> Option<Box<Run>> {
    view.push(&FromAgent::parse(&frame.to_string()).unwrap())
}
