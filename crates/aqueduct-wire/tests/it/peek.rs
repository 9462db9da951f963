use aqueduct_wire::json::ParseError;
use aqueduct_wire::{FromAgent, peek};

use crate::fixtures;

#[test]
fn a_control_frame_is_peeked_through_its_envelope() {
    let look = |line: &str| {
        let peek = peek(line).unwrap();
        [peek.kind, peek.subtype, peek.request_id].map(|text| text.map(|text| text.into_string()))
    };
    let expect = |kind: &str, subtype: &str, id: &str| [kind, subtype, id].map(|text| Some(text.to_owned()));
    assert_eq!(
        look(r#"{"type":"control_request","request_id":"r1","request":{"subtype":"interrupt"}}"#),
        expect("control_request", "interrupt", "r1"),
    );
    assert_eq!(
        look(
            r#"{"response":{"request_id":"r2","response":{"subtype":"x"},"subtype":"success"},"type":"control_response"}"#
        ),
        expect("control_response", "success", "r2"),
    );
}

#[test]
fn members_of_another_shape_count_as_absent() {
    let peek = peek(r#"{"type":5,"session_id":null,"subtype":["x"],"subtype":"last"}"#).unwrap();
    assert_eq!((peek.kind, peek.session_id), (None, None));
    assert_eq!(peek.subtype.as_deref(), Some("last"));
}

#[test]
fn strings_full_of_quotes_and_backslashes_are_passed_over() {
    let line = r#"{"a":"\\\\\"}{\n\t\"","b":["\\",{"c":"]\\\""}],"d":-1.5e3,"type":"user","e":"\\"}"#;
    assert_eq!(peek(line).unwrap().kind.as_deref(), Some("user"));
}

#[test]
fn a_line_that_is_not_an_object_is_refused() {
    assert_eq!(peek("[1,2]"), Err(ParseError::NotAnObject));
    assert!(matches!(peek(r#"{"type":"user","x":{"y":[1}"#), Err(ParseError::Syntax { .. })));
    assert!(matches!(peek(r#"{"type":"user","x":"no end\"}"#), Err(ParseError::Syntax { .. })));
    assert!(matches!(peek(r#"{"type":"user","x":flase}"#), Err(ParseError::Syntax { .. })));
    assert!(matches!(peek(r#"{"type":"user"} x"#), Err(ParseError::Syntax { .. })));
}

#[test]
fn peek_agrees_with_the_typed_frame() {
    for fixture in fixtures::frames() {
        let peek = peek(&fixture.line).unwrap();
        assert_eq!(
            peek.kind.as_deref(),
            Some(FromAgent::parse(&fixture.line).unwrap().tag()),
            "{}",
            fixture.line
        );
    }
}
