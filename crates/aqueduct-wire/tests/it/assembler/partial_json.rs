//! JSON that has not come to its end.

use aqueduct_wire::assemble::complete;
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn beginnings_and_what_they_are_completed_to() {
    for (beginning, completed) in [
        ("", ""),
        (" \n", ""),
        ("{", "{}"),
        ("{\"", "{}"),
        ("{\"a", "{}"),
        ("{\"a\"", "{}"),
        ("{\"a\" :", "{}"),
        ("{\"a\":\"", "{\"a\":\"\"}"),
        ("{\"a\":\"x\\", "{\"a\":\"x\"}"),
        ("{\"a\":\"x\\u", "{\"a\":\"x\"}"),
        ("{\"a\":\"x\\u00e", "{\"a\":\"x\"}"),
        ("{\"a\":\"x\\u00e9", "{\"a\":\"x\\u00e9\"}"),
        ("{\"a\":\"x\\ud83d", "{\"a\":\"x\"}"),
        ("{\"a\":\"x\\ud83d\\ude0", "{\"a\":\"x\"}"),
        ("{\"a\":\"x\\ud83d\\ude00", "{\"a\":\"x\\ud83d\\ude00\"}"),
        ("{\"a\":\"x\\ud83dy", "{\"a\":\"x\\ud83dy\"}"),
        ("{\"a\":\"x\",", "{\"a\":\"x\"}"),
        ("{\"a\":\"x\", \"b\":[", "{\"a\":\"x\", \"b\":[]}"),
        ("{\"a\":[1,2", "{\"a\":[1]}"),
        ("{\"a\":[1,2 ", "{\"a\":[1,2]}"),
        ("{\"a\":[1,-", "{\"a\":[1]}"),
        ("{\"a\":1.5e", "{}"),
        ("{\"a\":1.5e3,", "{\"a\":1.5e3}"),
        ("{\"a\":tru", "{}"),
        ("{\"a\":true", "{\"a\":true}"),
        ("{\"a\":{\"b\":{\"c\":null", "{\"a\":{\"b\":{\"c\":null}}}"),
        ("[[\"x\",[", "[[\"x\",[]]]"),
        ("\"text", "\"text\""),
        ("12", ""),
        ("{} trailing", "{}"),
    ] {
        assert_eq!(complete(beginning), completed, "for {beginning}");
    }
}

#[test]
fn text_that_is_not_json_is_completed_up_to_the_fault() {
    for (text, completed) in [
        ("{\"a\":1,,", "{\"a\":1}"),
        ("{\"a\":1]", "{\"a\":1}"),
        ("{\"a\":01,", "{}"),
        ("{\"a\":1.e2,", "{}"),
        ("{\"a\":\"x\ny\"", "{\"a\":\"x\"}"),
        ("{\"a\":\"x\\qy\"", "{\"a\":\"x\"}"),
        ("{a:1}", "{}"),
        ("[1,]", "[1]"),
        ("nonsense", ""),
    ] {
        assert_eq!(complete(text), completed, "for {text}");
    }
}

#[test]
fn nesting_is_bounded() {
    let deep = "[".repeat(100_000);
    let completed = complete(&deep);
    assert!(aqueduct_wire::json::Raw::parse(&completed).is_ok());
}

/// Any JSON value.
pub(super) fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        // A fraction that a double holds, so that reading and writing it gives the same digits.
        any::<i32>().prop_map(|eighths| Value::from(f64::from(eighths) / 8.0)),
        any::<String>().prop_map(Value::from),
        "[\\\\\"/\n\u{1}\u{1f600}]{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from), object_of(inner),]
    })
}

/// Any JSON object.
pub(super) fn object() -> impl Strategy<Value = Value> {
    object_of(value())
}

fn object_of(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    proptest::collection::vec((any::<String>(), inner), 0..4)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
}

/// Whether `part` contains nothing that `all` does not: strings are beginnings, and what comes after a
/// member that is not all there is missing.
fn is_beginning(part: &Value, all: &Value) -> bool {
    match (part, all) {
        (Value::String(part), Value::String(all)) => all.starts_with(part.as_str()),
        (Value::Array(part), Value::Array(all)) => {
            part.len() <= all.len() && part.iter().zip(all).all(|(part, all)| is_beginning(part, all))
        }
        (Value::Object(part), Value::Object(all)) => {
            part.iter().all(|(key, part)| all.get(key).is_some_and(|all| is_beginning(part, all)))
        }
        (part, all) => part == all,
    }
}

/// The same JSON with everything beyond ASCII escaped.
fn escaped(json: &str) -> String {
    let mut units = [0; 2];
    json.chars()
        .map(|c| match c.is_ascii() {
            true => c.to_string(),
            false => c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
        })
        .collect()
}

proptest! {
    #[test]
    fn every_beginning_of_an_object_is_completed_to_a_beginning(object in object(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&object).unwrap() } else { object.to_string() };
        for text in [escaped(&text), text] {
            let mut longest = 0;
            for end in (1..=text.len()).filter(|end| text.is_char_boundary(*end)) {
                let completed = complete(&text[..end]);
                let part: Value = serde_json::from_str(&completed).unwrap();
                prop_assert!(part.is_object());
                prop_assert!(is_beginning(&part, &object), "{completed} is not a prefix of {text}");
                longest = longest.max(completed.len());
            }
            prop_assert_eq!(&complete(&text), &text);
            prop_assert!(longest <= text.len() + 8);
        }
    }

    #[test]
    fn any_text_is_completed_to_json_or_nothing(text in "[\\[\\]{}:,\"\\\\u0-9a-fnrtlse+.\\- \n]{0,40}") {
        let completed = complete(&text);
        prop_assert!(completed.is_empty() || serde_json::from_str::<serde::de::IgnoredAny>(&completed).is_ok());
    }
}

#[test]
fn the_property_holds_for_an_example() {
    assert!(is_beginning(&json!({"a": ["x"]}), &json!({"a": ["xy", 1], "b": 2})));
    assert!(!is_beginning(&json!({"a": 1}), &json!({"a": 12})));
}
