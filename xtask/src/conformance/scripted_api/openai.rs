//! The same scripts behind the Chat Completions API, for agents that call that.

use std::io::{self, Write};
use std::thread;

use serde_json::{Value, json};

use super::http::EventStream;
use super::script::Block;

const PIECE: usize = 20;

/// The body of a Messages API that is equivalent, as far as a script needs it.
pub(super) fn as_messages(body: &Value) -> Value {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let messages: Vec<Value> = messages
        .iter()
        .map(|message| match message["role"].as_str() {
            Some("tool") => {
                let result = json!({ "type": "tool_result", "content": message["content"] });
                json!({ "role": "user", "content": [result] })
            }
            _ => message.clone(),
        })
        .collect();
    json!({ "messages": messages })
}

/// A complete answer.
pub(super) fn completion(
    id: &str,
    model: &str,
    blocks: &[Block],
    mut next_id: impl FnMut() -> String,
) -> Value {
    let mut message = json!({ "role": "assistant", "content": text(blocks) });
    let calls: Vec<Value> = blocks.iter().filter_map(|block| call(block, &next_id())).collect();
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    let choice = json!({ "index": 0, "message": message, "finish_reason": reason(blocks) });
    json!({ "id": id, "object": "chat.completion", "created": 1, "model": model, "choices": [choice], "usage": usage() })
}

/// Streams an answer.
pub(super) fn stream<W: Write>(
    events: &mut EventStream<'_, W>,
    id: &str,
    model: &str,
    blocks: &[Block],
    mut next_id: impl FnMut() -> String,
) -> io::Result<()> {
    let chunk = |choices: Value, usage: Value| {
        json!({
            "id": id, "object": "chat.completion.chunk", "created": 1, "model": model,
            "choices": choices, "usage": usage,
        })
        .to_string()
    };
    let delta = |delta: Value, reason: Value| {
        chunk(json!([{ "index": 0, "delta": delta, "finish_reason": reason }]), Value::Null)
    };
    events.data(&delta(json!({ "role": "assistant", "content": "" }), Value::Null))?;
    for (index, block) in blocks.iter().enumerate() {
        match block {
            Block::Text(text) => {
                for piece in pieces(text) {
                    events.data(&delta(json!({ "content": piece }), Value::Null))?;
                }
            }
            Block::Slow { words, pause } => {
                for word in Block::slow_words(*words) {
                    events.data(&delta(json!({ "content": word }), Value::Null))?;
                    thread::sleep(*pause);
                }
            }
            Block::Thinking(thought) => {
                events.data(&delta(json!({ "reasoning_content": thought }), Value::Null))?;
            }
            Block::ToolUse { name, input } => {
                let function = json!({ "name": name, "arguments": "" });
                let opening =
                    json!({ "index": index, "id": next_id(), "type": "function", "function": function });
                events.data(&delta(json!({ "tool_calls": [opening] }), Value::Null))?;
                for piece in pieces(&input.to_string()) {
                    let more = json!({ "index": index, "function": { "arguments": piece } });
                    events.data(&delta(json!({ "tool_calls": [more] }), Value::Null))?;
                }
            }
        }
    }
    events.data(&delta(json!({}), json!(reason(blocks))))?;
    events.data(&chunk(json!([]), usage()))?;
    events.data("[DONE]")
}

fn call(block: &Block, id: &str) -> Option<Value> {
    let Block::ToolUse { name, input } = block else { return None };
    let function = json!({ "name": name, "arguments": input.to_string() });
    Some(json!({ "id": id, "type": "function", "function": function }))
}

fn text(blocks: &[Block]) -> String {
    let texts = blocks.iter().map(|block| match block {
        Block::Text(text) => text.clone(),
        Block::Slow { words, .. } => Block::slow_words(*words).collect(),
        Block::Thinking(_) | Block::ToolUse { .. } => String::new(),
    });
    texts.collect()
}

fn reason(blocks: &[Block]) -> &'static str {
    match blocks.iter().any(|block| matches!(block, Block::ToolUse { .. })) {
        true => "tool_calls",
        false => "stop",
    }
}

fn usage() -> Value {
    json!({ "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15 })
}

fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(PIECE).map(|piece| piece.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_tools_are_read_as_the_script_reads_them() {
        let body = json!({ "messages": [{ "role": "tool", "content": "a.txt" }] });
        let result = json!({ "type": "tool_result", "content": "a.txt" });
        assert_eq!(as_messages(&body), json!({ "messages": [{ "role": "user", "content": [result] }] }));
    }

    #[test]
    fn a_call_is_streamed_in_pieces() {
        let mut out = Vec::new();
        let mut events = EventStream::open(&mut out, "req_1").expect("opens");
        let blocks =
            [Block::ToolUse { name: "read_file".into(), input: json!({ "path": "a/long/path/to/a/file" }) }];
        stream(&mut events, "c", "m", &blocks, || "call_1".to_owned()).expect("sends");
        let text = String::from_utf8(out).expect("is text");
        let arguments: String = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok())
            .filter_map(|chunk| {
                let call = &chunk["choices"][0]["delta"]["tool_calls"][0];
                call["function"]["arguments"].as_str().map(str::to_owned)
            })
            .collect();
        assert_eq!(arguments, r#"{"path":"a/long/path/to/a/file"}"#);
        assert!(text.contains("data: [DONE]\n\n"), "{text}");
    }
}
