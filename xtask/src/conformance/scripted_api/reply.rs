//! A reply as one JSON body: the complete message, or the error.

use serde_json::{Value, json};

use super::script::Block;

/// The tokens of an answer in one piece, and of one that is streamed.
const TOKENS: u64 = 7;
pub(super) const STREAMED_TOKENS: u64 = 12;

pub(super) fn message(id: &str, model: &str, blocks: &[Block], mut next_id: impl FnMut() -> String) -> Value {
    let content: Vec<Value> = blocks.iter().map(|block| block.complete(&next_id())).collect();
    json!({
        "id": id, "type": "message", "role": "assistant", "model": model, "content": content,
        "stop_reason": stop_reason(blocks), "stop_sequence": null, "usage": usage(TOKENS)
    })
}

/// The event that opens a message, with the usage known before the first token.
pub(super) fn opening(id: &str, model: &str) -> Value {
    json!({ "type": "message_start", "message": {
        "id": id, "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage(1)
    } })
}

/// The event that gives the reason why a message ends.
pub(super) fn ending(stop_reason: &str) -> Value {
    let delta = json!({ "stop_reason": stop_reason, "stop_sequence": null });
    json!({ "type": "message_delta", "delta": delta, "usage": { "output_tokens": STREAMED_TOKENS } })
}

/// The usage of an answer with so many tokens.
pub(super) fn usage(output_tokens: u64) -> Value {
    json!({
        "input_tokens": 10, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 50,
        "output_tokens": output_tokens, "service_tier": "standard"
    })
}

pub(super) fn stop_reason(blocks: &[Block]) -> &'static str {
    match blocks.iter().any(|block| matches!(block, Block::ToolUse { .. })) {
        true => "tool_use",
        false => "end_turn",
    }
}

pub(super) fn error(status: u16) -> Value {
    let kind = match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    };
    json!({ "type": "error", "error": { "type": kind, "message": format!("scripted {status}") } })
}
