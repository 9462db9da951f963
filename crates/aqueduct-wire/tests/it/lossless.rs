//! Every line is written back as it was read.

use aqueduct_wire::{FromAgent, ToAgent, peek};
use proptest::prelude::*;

use crate::exact::{Exact, exact};
use crate::fixtures;

/// Member names and string values that mean something, so that objects get past the discriminators.
const WORDS: &[&str] = &[
    "type",
    "subtype",
    "message",
    "content",
    "text",
    "thinking",
    "tool_use",
    "tool_result",
    "input",
    "id",
    "name",
    "request",
    "request_id",
    "response",
    "event",
    "delta",
    "index",
    "content_block",
    "usage",
    "system",
    "init",
    "assistant",
    "user",
    "result",
    "stream_event",
    "control_request",
    "control_response",
    "can_use_tool",
    "success",
    "error",
    "hook_callback",
    "hook_event_name",
    "PreToolUse",
    "status",
    "text_delta",
    "content_block_delta",
    "session_id",
    "uuid",
    "parent_tool_use_id",
    "is_error",
    "tools",
    "model",
    "updatedInput",
    "behavior",
    "allow",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(WORDS).prop_map(|word| format!("\"{word}\"")),
        1 => "[a-z]{0,3}".prop_map(|word| format!("\"{word}\"")),
        1 => prop::sample::select(vec![
            r#""\u0074ype""#, r#""\ud800""#, r#""\ud83d\ude00""#, r#""\"\\\/\b\f\n\r\t""#, "\"\u{2028}é😀\"", "\"\"",
        ]).prop_map(String::from),
    ]
}

fn number() -> impl Strategy<Value = String> {
    r"-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,4})?([eE][+-]?[0-9]{1,3})?"
}

fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        word(),
        number(),
        prop::sample::select(vec!["null", "true", "false"]).prop_map(String::from),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            members(inner),
        ]
    })
}

fn members(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let space = prop::sample::select(vec!["", "", "", " ", "\t", "  "]);
    prop::collection::vec((word(), space, value), 0..6).prop_map(|members| {
        let members: Vec<String> = members
            .iter()
            .map(|(name, space, value)| format!("{space}{name}{space}:{space}{value}{space}"))
            .collect();
        format!("{{{}}}", members.join(","))
    })
}

fn object() -> impl Strategy<Value = String> {
    members(json())
}

fn check(line: &str) -> Result<(), TestCaseError> {
    let agent = FromAgent::parse(line).expect("an object is a frame");
    let host = ToAgent::parse(line).expect("an object is a frame");
    for written in [agent.to_line(), host.to_line()] {
        prop_assert_eq!(exact(&written), exact(line), "{} came back as {}", line, written);
    }
    let kind = peek(line).expect("an object can be peeked").kind;
    let type_of_line = match exact(line) {
        Exact::Object(members) => members.get(&"type".encode_utf16().collect::<Vec<_>>()).cloned(),
        _ => None,
    };
    let peeked = kind.map(|kind| kind.encode_utf16().collect::<Vec<_>>());
    match type_of_line {
        Some(Exact::Text(text)) if !text.contains(&0xd800) => prop_assert_eq!(peeked, Some(text)),
        Some(Exact::Text(_)) => {}
        _ => prop_assert_eq!(peeked, None),
    }
    let owned = agent.clone().into_owned();
    prop_assert_eq!(owned.to_line(), agent.to_line());
    prop_assert_eq!(&owned, &agent);
    Ok(())
}

/// Turns the members of an object, and of all objects in it, around.
fn reordered(value: &serde_json::Value, seed: u64) -> String {
    match value {
        serde_json::Value::Object(object) => {
            let mut members: Vec<String> = object
                .iter()
                .map(|(name, value)| format!("{}:{}", serde_json::json!(name), reordered(value, seed)))
                .collect();
            let len = members.len().max(1);
            members.rotate_left(seed as usize % len);
            if seed & 64 == 64 {
                members.reverse();
            }
            format!("{{{}}}", members.join(","))
        }
        serde_json::Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| reordered(item, seed)).collect();
            format!("[{}]", items.join(","))
        }
        leaf => leaf.to_string(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_object_survives(line in object()) {
        check(&line)?;
    }

    #[test]
    fn real_frames_survive_in_any_order(pick in any::<prop::sample::Index>(), seed in any::<u64>()) {
        let frames = fixtures::frames();
        let frame = &frames[pick.index(frames.len())];
        let value: serde_json::Value = serde_json::from_str(&frame.line).unwrap();
        let turned = reordered(&value, seed);
        check(&turned)?;
        let kind = |line: &str| (
            FromAgent::parse(line).unwrap().tag().to_owned(),
            matches!(FromAgent::parse(line).unwrap(), FromAgent::Unknown(_)),
        );
        prop_assert_eq!(kind(&turned), kind(&frame.line));
    }

    #[test]
    fn a_value_put_anywhere_into_a_real_frame_survives(
        pick in any::<prop::sample::Index>(), place in any::<prop::sample::Index>(), value in json(),
    ) {
        let frames = fixtures::frames();
        let frame = &frames[pick.index(frames.len())];
        let tree: serde_json::Value = serde_json::from_str(&frame.line).unwrap();
        let mut pointers = Vec::new();
        pointers_of(&tree, String::new(), &mut pointers);
        let mut tree = tree;
        *tree.pointer_mut(&pointers[place.index(pointers.len())]).unwrap() = serde_json::json!("@@@");
        check(&tree.to_string().replacen("\"@@@\"", &value, 1))?;
    }

    #[test]
    fn mutated_frames_never_panic(
        pick in any::<prop::sample::Index>(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..6),
    ) {
        let frames = fixtures::frames();
        let mut bytes = frames[pick.index(frames.len())].line.clone().into_bytes();
        for (place, byte, action) in cuts {
            if bytes.is_empty() { break }
            let at = place.index(bytes.len());
            match action {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 => { bytes.remove(at); }
                _ => bytes.truncate(at),
            }
        }
        if let Ok(frame) = FromAgent::parse_bytes(&bytes) {
            let text = std::str::from_utf8(&bytes).unwrap();
            prop_assert_eq!(exact(&frame.to_line()), exact(text));
        }
        let _ = ToAgent::parse_bytes(&bytes);
    }
}

/// Every place in a value but its root.
fn pointers_of(value: &serde_json::Value, at: String, found: &mut Vec<String>) {
    if !at.is_empty() {
        found.push(at.clone());
    }
    match value {
        serde_json::Value::Object(object) => {
            for (name, value) in object {
                pointers_of(value, format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        serde_json::Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointers_of(item, format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}
