//! A reply as stream events, in pieces small enough that a delta is a delta.

use std::io::{self, Write};
use std::thread;

use serde_json::{Value, json};

use super::http::EventStream;
use super::reply;
use super::script::Block;

const TEXT_PIECE: usize = 8;
const JSON_PIECE: usize = 20;

/// Sends a whole message.
pub(super) fn message<W: Write>(
    events: &mut EventStream<'_, W>,
    id: &str,
    model: &str,
    blocks: &[Block],
    mut next_id: impl FnMut() -> String,
) -> io::Result<()> {
    send(events, reply::opening(id, model))?;
    send(events, json!({ "type": "ping" }))?;
    for (index, block) in blocks.iter().enumerate() {
        send(
            events,
            json!({ "type": "content_block_start", "index": index, "content_block": opening(block, next_id()) }),
        )?;
        let mut delta = |delta: Value| {
            send(events, json!({ "type": "content_block_delta", "index": index, "delta": delta }))
        };
        match block {
            Block::Text(text) => {
                for piece in pieces(text, TEXT_PIECE) {
                    delta(json!({ "type": "text_delta", "text": piece }))?;
                }
            }
            Block::Slow { words, pause } => {
                for word in Block::slow_words(*words) {
                    delta(json!({ "type": "text_delta", "text": word }))?;
                    thread::sleep(*pause);
                }
            }
            Block::Thinking(thought) => {
                for word in thought.split_inclusive(' ') {
                    delta(json!({ "type": "thinking_delta", "thinking": word }))?;
                }
                delta(json!({ "type": "signature_delta", "signature": "c2ln" }))?;
            }
            Block::ToolUse { input, .. } => {
                for piece in pieces(&input.to_string(), JSON_PIECE) {
                    delta(json!({ "type": "input_json_delta", "partial_json": piece }))?;
                }
            }
        }
        send(events, json!({ "type": "content_block_stop", "index": index }))?;
    }
    send(events, reply::ending(reply::stop_reason(blocks)))?;
    send(events, json!({ "type": "message_stop" }))
}

/// The block before its first delta.
fn opening(block: &Block, id: String) -> Value {
    match block {
        Block::Text(_) | Block::Slow { .. } => json!({ "type": "text", "text": "" }),
        Block::Thinking(_) => json!({ "type": "thinking", "thinking": "", "signature": "" }),
        Block::ToolUse { name, .. } => json!({ "type": "tool_use", "id": id, "name": name, "input": {} }),
    }
}

fn pieces(text: &str, size: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(size).map(|piece| piece.iter().collect()).collect()
}

fn send<W: Write>(events: &mut EventStream<'_, W>, event: Value) -> io::Result<()> {
    events.send(event["type"].as_str().unwrap_or_default(), &event.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_in_the_order_of_the_protocol() {
        let mut out = Vec::new();
        let mut events = EventStream::open(&mut out, "req_1").expect("opens");
        let blocks = [Block::Text("a long text".into())];
        message(&mut events, "msg_1", "model", &blocks, || "toolu_1".to_owned()).expect("sends");
        let text = String::from_utf8(out).expect("is text");
        let kinds: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
        assert_eq!(
            kinds,
            [
                "message_start",
                "ping",
                "content_block_start",
                "content_block_delta",
                "content_block_delta",
                "content_block_stop",
                "message_delta",
                "message_stop"
            ]
        );
    }
}
