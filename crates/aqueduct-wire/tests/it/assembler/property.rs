//! However the deltas are cut and whatever comes between them, the messages are the same.

use aqueduct_wire::assemble::{Assembler, MessageSoFar, MessageState};
use aqueduct_wire::json::Json;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use super::partial_json::object;
use super::{Frame, assistant_of, event_of, result, start_event};

/// A message to be sent in pieces.
#[derive(Debug, Clone)]
struct Sent {
    id: String,
    blocks: Vec<Value>,
    /// Where the text of each block is cut.
    cuts: Vec<Index>,
    /// Whether `assistant` frames come too.
    confirmed: bool,
}

fn block() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<String>().prop_map(|text| json!({"type": "text", "text": text})),
        (any::<String>(), "[a-zA-Z0-9+/]{0,20}").prop_map(
            |(text, signature)| json!({"type": "thinking", "thinking": text, "signature": signature})
        ),
        ("t-[0-9]{9}", object())
            .prop_map(|(id, input)| json!({"type": "tool_use", "id": id, "name": "Bash", "input": input})),
        Just(json!({"type": "redacted_thinking", "data": "…"})),
        Just(json!({"type": "hologram", "size": 3})),
    ]
}

fn sent() -> impl Strategy<Value = Sent> {
    let cuts = proptest::collection::vec(any::<Index>(), 0..6);
    ("msg_[0-9]{9}", proptest::collection::vec(block(), 0..5), cuts, any::<bool>())
        .prop_map(|(id, blocks, cuts, confirmed)| Sent { id, blocks, cuts, confirmed })
}

/// Splits a text at the cuts.
fn pieces<'t>(text: &'t str, cuts: &[Index]) -> Vec<&'t str> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
    places.retain(|place| text.is_char_boundary(*place));
    places.sort_unstable();
    let ends = places.iter().copied().chain([text.len()]);
    let starts = [0].into_iter().chain(places.iter().copied());
    starts.zip(ends).map(|(start, end)| &text[start..end]).collect()
}

/// How a block begins, and the deltas that complete it.
fn streamed(block: &Value, cuts: &[Index]) -> (Value, Vec<Value>) {
    let mut start = block.clone();
    let text = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
    let deltas = match block["type"].as_str().unwrap() {
        "text" => {
            start["text"] = json!("");
            let text = text("text");
            let deltas = pieces(&text, cuts);
            deltas.into_iter().map(|piece| json!({"type": "text_delta", "text": piece})).collect()
        }
        "thinking" => {
            start["thinking"] = json!("");
            start["signature"] = json!("");
            let thinking = text("thinking");
            let deltas = pieces(&thinking, cuts).into_iter();
            let deltas = deltas.map(|piece| json!({"type": "thinking_delta", "thinking": piece}));
            deltas.chain([json!({"type": "signature_delta", "signature": block["signature"]})]).collect()
        }
        "tool_use" => {
            start["input"] = json!({});
            let input = block["input"].to_string();
            let deltas = pieces(&input, cuts);
            deltas
                .into_iter()
                .map(|piece| json!({"type": "input_json_delta", "partial_json": piece}))
                .collect()
        }
        _ => Vec::new(),
    };
    (start, deltas)
}

/// The frames of a message, in the order of the reference.
fn frames(parent: Option<&str>, sent: &Sent) -> Vec<Frame> {
    let event = |event| event_of(parent, event);
    let mut frames = vec![event(start_event(&sent.id))];
    for (index, block) in sent.blocks.iter().enumerate() {
        let (start, deltas) = streamed(block, &sent.cuts);
        frames.push(event(json!({"type": "content_block_start", "index": index, "content_block": start})));
        let deltas = deltas.into_iter();
        frames.extend(
            deltas.map(|delta| event(json!({"type": "content_block_delta", "index": index, "delta": delta}))),
        );
        if sent.confirmed {
            frames.push(assistant_of(parent, &sent.id, "a-1", block.clone(), json!({})));
        }
        frames.push(event(json!({"type": "content_block_stop", "index": index})));
    }
    frames.push(event(json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}})));
    frames.push(event(json!({"type": "message_stop"})));
    frames
}

fn content(message: &MessageSoFar) -> Value {
    let mut json = String::new();
    message.to_message().write(&mut json);
    let value: Value = serde_json::from_str(&json).unwrap();
    value["content"].clone()
}

const PARENTS: [Option<&str>; 3] = [None, Some("t-1"), Some("t-2")];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn interleaved_messages_are_assembled(
        threads in proptest::array::uniform3(proptest::collection::vec(sent(), 0..3)),
        order in proptest::collection::vec(0_usize..3, 0..200),
    ) {
        let mut queues: Vec<_> = PARENTS
            .iter()
            .zip(&threads)
            .map(|(parent, sent)| sent.iter().flat_map(|sent| frames(*parent, sent)).collect::<Vec<_>>().into_iter())
            .collect();
        let mut assembler = Assembler::new();
        let mut finished = Vec::new();
        for next in order.into_iter().chain((0..3).flat_map(|n| std::iter::repeat_n(n, 10_000))) {
            if let Some(frame) = queues[next].next() {
                finished.extend(assembler.push(&frame).finished);
            }
        }
        finished.extend(assembler.push(&result()).finished);
        prop_assert!(assembler.message(None).is_none());
        finished.extend(assembler.reset());
        for (parent, sent) in PARENTS.iter().zip(&threads) {
            let messages: Vec<&MessageSoFar> =
                finished.iter().filter(|message| message.parent() == *parent).collect();
            prop_assert_eq!(messages.len(), sent.len());
            for (message, sent) in messages.into_iter().zip(sent) {
                prop_assert_eq!(message.id(), Some(sent.id.as_str()));
                prop_assert_eq!(message.state(), MessageState::Complete);
                prop_assert_eq!(content(message), Value::from(sent.blocks.clone()));
            }
        }
    }
}
