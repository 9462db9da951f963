//! What digests promise.

use std::path::Path;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{FieldEncoding, Provision, ProvisionDigest, ProvisionKind, digest_of};

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        "[a-c\"\\\\]{0,3}".prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            prop::collection::vec(("[a-c]{0,2}", inner), 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn encoded(value: &Value) -> FieldEncoding {
    let mut encoding = FieldEncoding::new("test");
    encoding.value(value);
    encoding
}

fn texts(texts: &[String]) -> FieldEncoding {
    let mut encoding = FieldEncoding::new("test");
    texts.iter().for_each(|text| encoding.text(text));
    encoding
}

/// The same value with the members of every object in the reverse order.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(reversed).collect()),
        Value::Object(members) => Value::Object(
            members.iter().rev().map(|(name, value)| (name.clone(), reversed(value))).collect::<Map<_, _>>(),
        ),
        other => other.clone(),
    }
}

proptest! {
    #[test]
    fn different_values_have_different_encodings(one in value(), other in value()) {
        prop_assert_eq!(one == other, encoded(&one) == encoded(&other));
    }

    #[test]
    fn formatting_and_order_of_members_mean_nothing(value in value()) {
        let pretty: Value = serde_json::from_str(&serde_json::to_string_pretty(&reversed(&value)).unwrap()).unwrap();
        prop_assert_eq!(encoded(&value), encoded(&pretty));
    }

    #[test]
    fn fields_never_run_into_each_other(
        one in prop::collection::vec("[ab]{0,2}", 0..4),
        other in prop::collection::vec("[ab]{0,2}", 0..4),
    ) {
        prop_assert_eq!(one == other, texts(&one) == texts(&other));
    }

    #[test]
    fn an_inventory_is_a_multiset(mut bytes in prop::collection::vec(0u8..4, 0..5), other in prop::collection::vec(0u8..4, 0..5)) {
        let digest = |bytes: &[u8]| digest_of(bytes.iter().map(|byte| ProvisionDigest::of(&[*byte])));
        let before = digest(&bytes);
        bytes.reverse();
        prop_assert_eq!(before, digest(&bytes));
        let sorted = |bytes: &[u8]| { let mut bytes = bytes.to_vec(); bytes.sort_unstable(); bytes };
        prop_assert_eq!(sorted(&bytes) == sorted(&other), before == digest(&other));
    }

    #[test]
    fn a_digest_is_read_as_it_is_written(bytes in any::<[u8; 8]>()) {
        let digest = ProvisionDigest::of(&bytes);
        prop_assert_eq!(ProvisionDigest::parse(&digest.to_string()), Some(digest));
    }
}

#[test]
fn everything_that_decides_what_it_does_is_in_the_digest() {
    let make = |kind, file: &str, name: &str, content: &Value| {
        Provision::new(kind, Path::new(file), name, content, String::new()).digest
    };
    let all = [
        make(ProvisionKind::Hook, "/p/a", "x", &json!("y")),
        make(ProvisionKind::Server, "/p/a", "x", &json!("y")),
        make(ProvisionKind::Hook, "/p/b", "x", &json!("y")),
        make(ProvisionKind::Hook, "/p/a", "xx", &json!("y")),
        make(ProvisionKind::Hook, "/p/a", "x", &json!("yy")),
        make(ProvisionKind::Hook, "/p/a", "x", &json!(["y"])),
        make(ProvisionKind::Hook, "/p/", "ax", &json!("y")),
    ];
    for (index, digest) in all.iter().enumerate() {
        assert!(!all[..index].contains(digest), "{index}");
    }
    let lined =
        Provision::new(ProvisionKind::Hook, Path::new("/p/a"), "x", &json!("y"), "shown".to_owned()).at(7);
    assert_eq!(lined.digest, all[0], "line and text for people are no part of it");
    for wrong in ["", "00", &"g".repeat(64), &"é".repeat(32)] {
        assert_eq!(ProvisionDigest::parse(wrong), None);
    }
}
