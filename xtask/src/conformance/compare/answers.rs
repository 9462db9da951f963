//! Permission requests and results of calls, in a fixed order. A call is looked at and runs as soon as its block is
//! complete, beside the other calls of the message and beside the rest of the stream, so when either appears among the
//! frames of its message depends on the machine. The order among requests and results counts.

use serde_json::Value;

use super::frame::Frame;

const ANSWER: &str = "user/tool_result";
const REQUEST: &str = "control_request/can_use_tool";

/// Moves requests and results behind the message that they belong to. Results that follow one another are in the order
/// of the calls.
pub(super) fn settle(frames: Vec<Frame>) -> Vec<Frame> {
    let mut settled: Vec<Frame> = Vec::new();
    let mut held: Vec<Frame> = Vec::new();
    let mut message = Value::Null;
    for frame in frames {
        if frame.kind == ANSWER || frame.kind == REQUEST {
            held.push(frame);
            continue;
        }
        if !is_of(&frame, &message) {
            settled.append(&mut sorted(std::mem::take(&mut held)));
        }
        if frame.kind.starts_with("assistant/") {
            message = frame.value["message"]["id"].clone();
        }
        settled.push(frame);
    }
    settled.append(&mut sorted(held));
    settled
}

/// Sorts the results between two requests.
fn sorted(mut frames: Vec<Frame>) -> Vec<Frame> {
    for answers in frames.split_mut(|frame| frame.kind == REQUEST) {
        answers.sort_by_key(call);
    }
    frames
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
