//! The JSON core by itself.

use aqueduct_wire::FromAgent;
use aqueduct_wire::json::{MAX_DEPTH, Number, ParseError, Raw};

use crate::exact::exact;

fn round_trip(line: &str) -> String {
    let frame = FromAgent::parse(line).unwrap();
    let written = frame.to_line();
    assert_eq!(exact(&written), exact(line), "{line} came back as {written}");
    written
}

#[test]
fn numbers_keep_their_digits() {
    let line = r#"{"type":"result","subtype":"success","total_cost_usd":1e2,"duration_ms":-0.0,"num_turns":12345678901234567890123,"x":1E+9}"#;
    let written = round_trip(line);
    for digits in ["1e2", "-0.0", "12345678901234567890123", "1E+9"] {
        assert!(written.contains(digits), "{written}");
    }
}

/// The content of a message, with blocks inside each other.
fn nested(depth: usize, before: &str, after: &str) -> String {
    let mut content = String::from("\"x\"");
    for _ in 0..depth {
        content = format!("[{{{before}\"content\":{content}{after}}}]");
    }
    format!(r#"{{"type":"user","message":{{"role":"user","content":{content}}}}}"#)
}

/// Work that doubled with each level would not end before the machine does.
#[test]
fn objects_that_are_read_twice_cost_no_more_inside_each_other() {
    let cases = [
        // A discriminator that occurs twice, or three times.
        (r#""type":"tool_result","tool_use_id":"a","#, r#","type":"mcp_tool_result""#),
        (r#""tool_use_id":"a","type":"tool_result","#, r#","type":"mcp_tool_result""#),
        (r#""type":"tool_result","tool_use_id":"a","type":"text","#, r#","type":"tool_result""#),
        (r#""type":"brand_new","tool_use_id":"a","#, r#","type":"tool_result""#),
        // A known kind that lacks what makes it one.
        (r#""type":"tool_result","#, ""),
        (r#""x":1,"type":"tool_result","#, ""),
        (r#""type":"search_result","#, r#","type":"tool_result""#),
    ];
    for (before, after) in cases {
        round_trip(&nested(60, before, after));
    }
}

#[test]
fn a_few_objects_with_two_discriminators_have_the_kind_of_the_last() {
    let line = nested(4, r#""type":"text","tool_use_id":"a","#, r#","type":"tool_result""#);
    let mut faults = 0;
    FromAgent::parse(&line).unwrap().leftovers(&mut |_| faults += 1);
    assert_eq!(faults, 0, "all four are results of tools");
}

#[test]
fn a_number_can_be_read_as_what_it_is() {
    let number = |text| Raw::parse(text).unwrap().view::<Number<'_>>().unwrap().into_parts();
    assert_eq!(number("1e2"), (Some(100), Some(100), 100.0));
    assert_eq!(number("100.0"), (Some(100), Some(100), 100.0));
    assert_eq!(number("-3"), (None, Some(-3), -3.0));
    assert_eq!(number("18446744073709551615"), (Some(u64::MAX), None, u64::MAX as f64));
    assert_eq!(number("0.5"), (None, None, 0.5));
    assert_eq!(Number::from_f64(f64::NAN), None);
    assert_eq!(Number::from_f64(0.25).unwrap().as_str(), "0.25");
}

#[test]
fn a_whole_number_is_written_as_it_was_read_or_not_read_at_all() {
    let whole = |text| Raw::parse(text).unwrap().view::<u64>();
    assert_eq!(whole("0"), Some(0));
    assert_eq!(whole("18446744073709551615"), Some(u64::MAX));
    for other in ["-0", "-1", "1.0", "1e2", "18446744073709551616", "\"1\"", "null", "[]"] {
        assert_eq!(whole(other), None, "{other}");
    }
}

trait Parts {
    fn into_parts(self) -> (Option<u64>, Option<i64>, f64);
}

impl Parts for Number<'_> {
    fn into_parts(self) -> (Option<u64>, Option<i64>, f64) {
        (self.as_u64(), self.as_i64(), self.as_f64())
    }
}

#[test]
fn half_a_surrogate_pair_survives() {
    let line = r#"{"type":"prompt_suggestion","suggestion":"cut \ud83d","\udc00":"\ud83d\ude00"}"#;
    let written = round_trip(line);
    let FromAgent::PromptSuggestion(frame) = FromAgent::parse(&written).unwrap() else { panic!("{written}") };
    assert_eq!(frame.suggestion.as_str(), "cut \u{fffd}");
    assert!(frame.suggestion.is_broken());
}

#[test]
fn null_and_absent_are_different() {
    assert!(
        round_trip(r#"{"type":"result","subtype":"success","stop_reason":null}"#).contains("stop_reason")
    );
    assert!(!round_trip(r#"{"type":"result","subtype":"success"}"#).contains("stop_reason"));
}

#[test]
fn a_member_of_another_shape_is_kept_and_the_rest_is_typed() {
    let line = r#"{"type":"result","subtype":"success","is_error":"yes","num_turns":[1],"result":"done"}"#;
    round_trip(line);
    let FromAgent::Result(frame) = FromAgent::parse(line).unwrap() else { panic!("{line}") };
    assert_eq!(frame.is_error, None);
    assert_eq!(frame.extra.get("is_error").unwrap().as_str(), r#""yes""#);
    assert_eq!(frame.result.as_deref(), Some("done"));
}

#[test]
fn the_last_of_duplicate_members_counts() {
    for (line, expected) in [
        (r#"{"type":"result","subtype":"success","is_error":false,"is_error":true}"#, Some(true)),
        (r#"{"type":"result","subtype":"success","is_error":"no","is_error":true}"#, Some(true)),
        (r#"{"type":"result","subtype":"success","is_error":true,"is_error":null}"#, None),
        (r#"{"type":"result","subtype":"success","is_error":true,"is_error":7}"#, None),
        (r#"{"type":"system","subtype":"success","is_error":true,"type":"result"}"#, Some(true)),
        (r#"{"type":"result","subtype":"success","is_error":true,"type":"result"}"#, Some(true)),
    ] {
        round_trip(line);
        let FromAgent::Result(frame) = FromAgent::parse(line).unwrap() else { panic!("{line}") };
        assert_eq!(frame.is_error, expected, "{line}");
    }
    for line in [
        r#"{"type":"zzz","type":"result","subtype":"success"}"#,
        r#"{"type":"system","subtype":"zzz","type":"result","subtype":"success"}"#,
        r#"{"type":"system","subtype":"init","type":"result","subtype":"success"}"#,
    ] {
        round_trip(line);
        assert!(matches!(FromAgent::parse(line).unwrap(), FromAgent::Result(_)), "{line}");
    }
    round_trip(r#"{"type":"result","subtype":"success","x":1,"x":2}"#);
    round_trip(r#"{"type":"result","subtype":"success","type":null}"#);
    round_trip(r#"{"type":"system","subtype":"init","type":"assistant"}"#);
    round_trip(r#"{"type":"system","subtype":"init","subtype":"status","status":null}"#);
}

#[test]
fn a_set_member_replaces_the_one_that_was_kept() {
    let line = r#"{"type":"result","subtype":"success","is_error":"yes"}"#;
    let FromAgent::Result(mut frame) = FromAgent::parse(line).unwrap() else { panic!("{line}") };
    frame.is_error = Some(true);
    assert_eq!(
        FromAgent::Result(frame).to_line(),
        r#"{"type":"result","subtype":"success","is_error":true}"#
    );
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| format!("{{\"x\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    assert!(FromAgent::parse(&nested(MAX_DEPTH)).is_ok());
    assert!(matches!(FromAgent::parse(&nested(MAX_DEPTH + 1)), Err(ParseError::TooDeep { .. })));
    assert!(matches!(FromAgent::parse(&nested(1_000_000)), Err(ParseError::TooDeep { .. })));
    let blocks = |depth: usize| {
        let open = r#"{"type":"tool_result","tool_use_id":"t","content":["#;
        let inner = open.repeat(depth) + &"]}".repeat(depth);
        format!(r#"{{"type":"user","message":{{"role":"user","content":[{inner}]}}}}"#)
    };
    round_trip(&blocks(60));
    assert!(matches!(FromAgent::parse(&blocks(5_000)), Err(ParseError::TooDeep { .. })));
}

#[test]
fn what_is_not_json_is_an_error_with_its_position() {
    let messages: Vec<String> = [
        "",
        "hello",
        "{",
        r#"{"a"}"#,
        r#"{"a":}"#,
        r#"{"a":1,}"#,
        r#"{"a":01}"#,
        r#"{"a":1.}"#,
        r#"{"a":"\x"}"#,
        "{\"a\":\"\t\"}",
        "{\"a\":\"\n\"}",
        r#"{"a":[1 2]}"#,
        r#"{"a":1} {"#,
        r#"{"type":"user","message":{"content":"x"}"#,
        "[1]",
        "\"text\"",
    ]
    .iter()
    .map(|line| format!("{line:45} {}", FromAgent::parse(line).unwrap_err()))
    .collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn a_frame_over_several_lines_is_written_as_one() {
    let text =
        "{\r\n  \"type\": \"user\",\n  \"message\": {\n    \"content\": \"a\\nb\"\n  },\n \"x\": [1,\n2] }\n";
    let line = round_trip(text.trim_end());
    assert!(!line.contains('\n'), "{line}");
}

#[test]
fn unicode_line_ends_are_escaped_on_the_way_out() {
    let line = "{\"type\":\"prompt_suggestion\",\"suggestion\":\"a\u{2028}b\",\"x\":\"\u{2029}\"}";
    let written = round_trip(line);
    assert!(!written.contains(['\u{2028}', '\u{2029}']), "{written}");
    assert!(written.contains(r"\u2028"), "{written}");
}
