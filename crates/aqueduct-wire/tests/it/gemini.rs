//! The events of Gemini CLI, as its version 0.61.0 sends them.

use std::collections::HashSet;

use aqueduct_wire::FromAgent;
use aqueduct_wire::gemini::GeminiEvent;
use aqueduct_wire::table::Definition;

const SESSION: &str = include_str!("../fixtures/gemini/session.jsonl");

#[test]
fn events_are_recognized_and_written_back() {
    for line in SESSION.lines() {
        let event = GeminiEvent::recognize(line).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(event.to_line(), line);
        let mut left = 0;
        event.leftovers(&mut |_| left += 1);
        assert_eq!(left, 0, "{line}");
    }
}

#[test]
fn every_kind_is_in_the_fixture() {
    let Definition::Union(union) = GeminiEvent::DEFINITION else { panic!("not a union") };
    let seen: HashSet<String> =
        SESSION.lines().filter_map(GeminiEvent::recognize).map(|event| event.tag().to_owned()).collect();
    for variant in union.variants {
        assert!(seen.contains(variant.tag), "{}", variant.tag);
    }
}

#[test]
fn frames_of_the_protocol_are_not_taken_for_events() {
    for line in [
        r#"{"type":"result","subtype":"success","is_error":false}"#,
        r#"{"type":"result","subtype":"success","timestamp":"2026-11-17T04:39:35.245Z"}"#,
        r#"{"type":"error","error":{"message":"x"}}"#,
        r#"{"type":"message","role":"user","content":"no timestamp"}"#,
        r#"{"type":"user","timestamp":"t","message":{"role":"user","content":"x"}}"#,
        "[]",
        "",
    ] {
        assert_eq!(GeminiEvent::recognize(line), None, "{line}");
    }
    assert!(SESSION.lines().all(|line| FromAgent::parse(line).is_ok()), "any object is a frame");
}

#[test]
fn unknown_kinds_and_members_survive() {
    let line = r#"{"type":"thought","timestamp":"t","text":"hm"}"#;
    assert_eq!(GeminiEvent::recognize(line), None);
    assert_eq!(GeminiEvent::parse(line).unwrap().to_line(), line);
    let line = r#"{"type":"init","timestamp":"t","session_id":"s","model":"m","new":[1]}"#;
    assert_eq!(GeminiEvent::recognize(line).unwrap().to_line(), line);
}
