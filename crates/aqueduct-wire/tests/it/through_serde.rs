//! Serde's traits go through the JSON text, so that `serde_json` loses nothing.

use std::collections::HashMap;

use aqueduct_wire::json::{Number, Raw, Str};
use aqueduct_wire::permission::PermissionMode;
use aqueduct_wire::{FromAgent, ToAgent};
use serde::de::DeserializeOwned;

use crate::fixtures::frames;

fn again<T: DeserializeOwned + serde::Serialize>(text: &str) -> String {
    serde_json::to_string(&serde_json::from_str::<T>(text).unwrap()).unwrap()
}

#[test]
fn frames_are_lossless_through_serde_json() {
    for fixture in frames() {
        let line = &fixture.line;
        if fixture.from_agent {
            let frame = FromAgent::parse(line).unwrap();
            let text = serde_json::to_string(&frame).unwrap();
            assert_eq!(serde_json::from_str::<FromAgent<'_>>(&text).unwrap(), frame, "{}", fixture.place);
            assert_eq!(again::<FromAgent<'static>>(line), text, "{}", fixture.place);
        } else {
            let frame = ToAgent::parse(line).unwrap();
            let text = serde_json::to_string(&frame).unwrap();
            assert_eq!(serde_json::from_str::<ToAgent<'_>>(&text).unwrap(), frame, "{}", fixture.place);
            assert_eq!(again::<ToAgent<'static>>(line), text, "{}", fixture.place);
        }
    }
}

#[test]
fn values_keep_their_text() {
    assert_eq!(again::<Number<'static>>("-0.0e2"), "-0.0e2");
    assert_eq!(again::<Raw<'static>>(r#"{"a" :[1e2]}"#), r#"{"a" :[1e2]}"#);
    assert_eq!(again::<Str<'static>>(r#""\ud800x""#), r#""\ud800x""#);
    assert_eq!(again::<Str<'static>>(r#""a\u0062""#), r#""ab""#);
    assert_eq!(again::<Vec<PermissionMode<'static>>>(r#"["plan","brand_new"]"#), r#"["plan","brand_new"]"#);
    assert_eq!(again::<HashMap<String, Raw<'static>>>(r#"{"k":1.50}"#), r#"{"k":1.50}"#);
}

#[test]
fn what_does_not_fit_is_an_error() {
    for text in ["1", "[]", "{"] {
        assert!(serde_json::from_str::<Str<'_>>(text).is_err(), "{text}");
        assert!(serde_json::from_str::<aqueduct_wire::usage::Usage<'_>>(text).is_err(), "{text}");
    }
}

#[test]
fn frames_are_members_of_other_types() {
    let value = serde_json::json!({ "type": "keep_alive", "n": 1 });
    let frame: FromAgent<'static> = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(frame.tag(), "keep_alive");
    assert_eq!(serde_json::to_value(&frame).unwrap(), value);
}
