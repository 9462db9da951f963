//! Messages survive a round trip.

use aqueduct_bridge::message::{BridgeMessage, ClientMessage};
use proptest::prelude::*;
use serde_json::Value;

use super::exact::exact;
use super::fixtures::{BRIDGE, CLIENT};

/// Member names and string values that mean something, so that objects get past the discriminator.
const WORDS: &[&str] = &[
    "type",
    "input",
    "text",
    "start",
    "projectPath",
    "sessionId",
    "requestId",
    "approve",
    "id",
    "images",
    "data",
    "mediaType",
    "blocks",
    "document",
    "source",
    "priority",
    "queue",
    "answer",
    "answers",
    "toolUseId",
    "assistant",
    "message",
    "content",
    "tool_result",
    "status",
    "history",
    "messages",
    "seq",
    "time",
    "partial",
    "index",
    "kind",
    "permission_request",
    "toolName",
    "updates",
    "addRules",
    "rules",
    "session",
    "agent_event",
    "event",
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

fn json() -> impl Strategy<Value = String> {
    let number = r"-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,4})?([eE][+-]?[0-9]{1,3})?";
    let constant = prop::sample::select(vec!["null", "true", "false"]).prop_map(String::from);
    prop_oneof![word(), number, constant].prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            members(inner),
        ]
    })
}

fn members(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop::collection::vec((word(), value), 0..6).prop_map(|members| {
        let members: Vec<String> = members.iter().map(|(name, value)| format!("{name} :{value}")).collect();
        format!("{{{}}}", members.join(", "))
    })
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let client = ClientMessage::parse_open(text).expect("an object");
    let bridge = BridgeMessage::parse(text).expect("an object");
    for written in [client.to_json(), bridge.to_json()] {
        prop_assert_eq!(exact(&written), exact(text), "{} came back as {}", text, written);
    }
    let owned = bridge.clone().into_owned();
    prop_assert_eq!(owned.to_json(), bridge.to_json());
    if let Err(refusal) = ClientMessage::parse(text) {
        prop_assert!(!refusal.message.is_empty());
        prop_assert!(refusal.member.is_some(), "{} is refused without a member: {}", text, refusal);
    }
    Ok(())
}

fn fixture(pick: prop::sample::Index) -> &'static str {
    let lines: Vec<&str> = CLIENT.lines().chain(BRIDGE.lines()).collect();
    lines[pick.index(lines.len())]
}

/// Every place in a value but its root.
fn places(value: &Value, at: String, found: &mut Vec<String>) {
    if !at.is_empty() {
        found.push(at.clone());
    }
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                places(value, format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_object_survives(text in members(json())) {
        check(&text)?;
    }

    #[test]
    fn a_value_put_anywhere_into_a_message_survives(
        pick in any::<prop::sample::Index>(), place in any::<prop::sample::Index>(), value in json(),
    ) {
        let mut tree: Value = serde_json::from_str(fixture(pick)).unwrap();
        let mut found = Vec::new();
        places(&tree, String::new(), &mut found);
        *tree.pointer_mut(&found[place.index(found.len())]).unwrap() = Value::from("@@@");
        check(&tree.to_string().replacen("\"@@@\"", &value, 1))?;
    }

    #[test]
    fn broken_messages_are_refused_and_nothing_panics(
        pick in any::<prop::sample::Index>(), cut in any::<prop::sample::Index>(), put in any::<char>(),
    ) {
        let mut text = fixture(pick).to_owned();
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let at = places[cut.index(places.len())];
        text.insert(at, put);
        if let Ok(message) = ClientMessage::parse(&text) {
            prop_assert_eq!(exact(&message.to_json()), exact(&text));
        }
        text.truncate(at);
        prop_assert!(ClientMessage::parse(&text).is_err());
    }
}
