//! Answers of tools, in a fixed order. A tool runs as soon as its call is complete, beside the other
//! calls of the message and beside the rest of the stream: when it ends is nobody's promise.

use serde_json::Value;

use super::frame::Frame;

const ANSWER: &str = "user/tool_result";

/// Moves answers behind the message whose calls they answer, in the order of the calls.
pub(super) fn settle(frames: Vec<Frame>) -> Vec<Frame> {
    let mut settled: Vec<Frame> = Vec::new();
    let mut answers: Vec<Frame> = Vec::new();
    let mut message = Value::Null;
    for frame in frames {
        if frame.kind == ANSWER {
            answers.push(frame);
            continue;
        }
        if !is_of(&frame, &message) {
            answers.sort_by_key(call);
            settled.append(&mut answers);
        }
        if frame.kind.starts_with("assistant/") {
            message = frame.value["message"]["id"].clone();
        }
        settled.push(frame);
    }
    answers.sort_by_key(call);
    settled.append(&mut answers);
    settled
}

/// Whether a frame is a later part of the message whose blocks are being answered.
fn is_of(frame: &Frame, message: &Value) -> bool {
    match frame.kind.split_once('/') {
        Some(("stream_event", event)) => event != "message_start",
        Some(("assistant", _)) => frame.value["message"]["id"] == *message,
        _ => false,
    }
}

/// The call that is answered. Calls are numbered in their order.
fn call(frame: &Frame) -> String {
    frame.value["message"]["content"][0]["tool_use_id"].as_str().unwrap_or_default().to_owned()
}
