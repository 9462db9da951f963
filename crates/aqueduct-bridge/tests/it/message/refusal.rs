//! The error for an invalid message, and what is accepted.

use aqueduct_bridge::message::{BridgeMessage, ClientMessage};
use aqueduct_wire::json::MAX_DEPTH;

use super::fixtures::CLIENT;

/// Code, member and text of the refusal.
fn refused(text: &str) -> String {
    let refusal = ClientMessage::parse(text).expect_err(text);
    let BridgeMessage::Error(error) = refusal.to_message() else { panic!("a refusal is an error") };
    let member = error.member.as_deref().unwrap_or("-");
    format!("{} {member}: {}", error.code, error.message)
}

#[test]
fn a_refusal_names_what_is_wrong() {
    let cases = [
        ("", "invalid_json -: not JSON: expected a value at byte 0"),
        ("{", "invalid_json -: not JSON: expected a member name in quotes at byte 1"),
        (r#"{"type":"ping"} x"#, "invalid_json -: not JSON: expected the end of the line at byte 16"),
        ("[]", "invalid_json -: a message is a JSON object with a member `type`"),
        ("\"ping\"", "invalid_json -: a message is a JSON object with a member `type`"),
        ("{}", "unknown_message type: the message has no member `type`, or it is not a string"),
        (r#"{"type":7}"#, "unknown_message type: the message has no member `type`, or it is not a string"),
        (
            r#"{"type":"dance"}"#,
            "unknown_message type: unknown message type `dance`; docs/bridge-api.md lists them",
        ),
        (r#"{"type":"input"}"#, "invalid_message text: `text` is missing"),
        (r#"{"type":"input","text":null}"#, "invalid_message text: `text` must be a string, and is null"),
        (
            r#"{"type":"input","text":["a"]}"#,
            "invalid_message text: `text` must be a string, and is an array",
        ),
        (
            r#"{"type":"input","text":"a","images":[{"mediaType":"image/png","data":"aa"},{"mediaType":"image/png","data":1}]}"#,
            "invalid_message images[1].data: `images[1].data` must be a string, and is a number",
        ),
        (
            r#"{"type":"input","text":"a","blocks":[{"type":"song"}]}"#,
            "invalid_message blocks[0].type: `blocks[0].type` must be one of text, thinking, redacted_thinking, \
             tool_use, tool_result, image, document, server_tool_use, web_search_tool_result, \
             web_fetch_tool_result, code_execution_tool_result, advisor_tool_result, mcp_tool_use, \
             mcp_tool_result, container_upload, search_result, tool_reference, fallback",
        ),
        (
            r#"{"type":"input","text":"a","priority":"soon"}"#,
            "invalid_message priority: `priority` must be one of queue, steer, interrupt, and is `soon`",
        ),
        (
            r#"{"type":"input","x":"\ud800","text":7}"#,
            "invalid_message text: `text` must be a string, and is a number",
        ),
        (
            r#"{"type":"get_history","sessionId":"s","limit":-1}"#,
            "invalid_message limit: `limit` must be a whole number, not negative and in plain digits, and is a number",
        ),
        (
            r#"{"type":"get_history","sessionId":"s","limit":1.5}"#,
            "invalid_message limit: `limit` must be a whole number, not negative and in plain digits, and is a number",
        ),
        (
            r#"{"type":"start","projectPath":"/proj","budgetUsd":"much"}"#,
            "invalid_message budgetUsd: `budgetUsd` must be a number, and is a string",
        ),
        (
            r#"{"type":"answer","toolUseId":"t","answers":{"Which?":{"a":1}}}"#,
            "invalid_message answers.Which?: `answers.Which?` must be a string or an array, and is an object",
        ),
        (
            r#"{"type":"subscribe_push","endpoint":"https://push.example.org","keys":{"auth":"a"}}"#,
            "invalid_message keys.p256dh: `keys.p256dh` is missing",
        ),
        (
            r#"{"type":"input","text":" ","images":[]}"#,
            "invalid_message text: `text` is empty, and there are neither images nor blocks",
        ),
        (
            r#"{"type":"answer","toolUseId":"t"}"#,
            "invalid_message answers: `answers` is missing, and so are `result` and `content`",
        ),
        (
            r#"{"type":"approve_always","id":"p","destination":"policySettings"}"#,
            "invalid_message destination: `destination` must be session, localSettings, projectSettings or userSettings",
        ),
        (
            r#"{"type":"set_budget","sessionId":"s","budgetUsd":-0.0}"#,
            "invalid_message budgetUsd: `budgetUsd` must be more than 0",
        ),
        (
            r#"{"type":"start","projectPath":"/proj","budgetUsd":1e999}"#,
            "invalid_message budgetUsd: `budgetUsd` must be more than 0",
        ),
        (
            r#"{"type":"approve_always","id":"p","updates":[{"type":"addRules"}]}"#,
            "invalid_message updates[0].rules: `updates[0].rules` is missing",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(refused(text), expected, "{text}");
    }
}

#[test]
fn a_refusal_repeats_the_ids_of_the_request() {
    let text = r#"{"type":"input","requestId":"r-1","clientMessageId":"c-1"}"#;
    let BridgeMessage::Error(error) = ClientMessage::parse(text).unwrap_err().to_message() else { panic!() };
    assert_eq!(error.request_id.as_deref(), Some("r-1"));
    assert_eq!(error.client_message_id.as_deref(), Some("c-1"));

    let text = r#"{"requestId":"r-2","type":"no such type"}"#;
    assert_eq!(ClientMessage::parse(text).unwrap_err().request_id.as_deref(), Some("r-2"));
}

#[test]
fn nesting_is_bounded() {
    let deep = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!(r#"{{"type":"ping","x":{open}{close}}}"#)
    };
    assert!(ClientMessage::parse(&deep(MAX_DEPTH - 1)).is_ok());
    assert!(refused(&deep(MAX_DEPTH)).starts_with("invalid_json"));
    assert!(refused(&deep(100_000)).starts_with("invalid_json"));
}

#[test]
fn unknown_members_are_ignored() {
    for line in CLIENT.lines() {
        let more = line.replacen('{', r#"{"x_new":{"type":"start","text":[1]},"#, 1);
        let message = ClientMessage::parse(&more).unwrap_or_else(|refusal| panic!("{refusal}: {more}"));
        assert_eq!(message.tag(), ClientMessage::parse(line).unwrap().tag());
    }
}

#[test]
fn null_counts_as_absent() {
    let text =
        r#"{"type":"input","text":"a","sessionId":null,"images":null,"priority":null,"requestId":null}"#;
    let ClientMessage::Input(input) = ClientMessage::parse(text).unwrap() else { panic!() };
    assert_eq!((input.session_id, input.images, input.priority), (None, None, None));
}

#[test]
fn a_permission_mode_that_only_the_agent_knows_is_passed_on() {
    let text = r#"{"type":"set_permission_mode","mode":"brand-new"}"#;
    let ClientMessage::SetPermissionMode(set) = ClientMessage::parse(text).unwrap() else { panic!() };
    assert_eq!(set.mode.as_str(), "brand-new");
}

#[test]
fn the_type_may_be_anywhere_and_the_last_counts() {
    let text = r#"{"text":"a","type":"ping","sessionId":"s","type":"input"}"#;
    assert!(matches!(ClientMessage::parse(text).unwrap(), ClientMessage::Input(_)));
}

#[test]
fn every_member_of_another_shape_is_refused_by_name() {
    // Any value of a shape that no member of that name takes.
    for line in CLIENT.lines() {
        let message: serde_json::Value = serde_json::from_str(line).unwrap();
        for (name, value) in message.as_object().unwrap() {
            let any = ["type", "updatedInput", "content"].contains(&name.as_str());
            if any {
                continue;
            }
            let mut wrong = message.clone();
            wrong[name] = if value.is_object() { 7.into() } else { serde_json::json!({ "no": 1 }) };
            let refusal = ClientMessage::parse(&wrong.to_string()).err();
            let member = refusal.and_then(|refusal| refusal.member);
            let named = member.as_deref().is_some_and(|member| member.starts_with(name.as_str()));
            assert!(named, "{name} in {line} gave {member:?}");
        }
    }
}
