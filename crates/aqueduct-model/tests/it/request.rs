//! Tests of a request's JSON.

use aqueduct_model::{ModelMessage, ModelTool, Request, RequestRole, ThinkingMode};
use aqueduct_wire::json::Raw;
use proptest::prelude::*;
use serde_json::{Value, json};

fn message(role: RequestRole, content: &Value) -> ModelMessage {
    ModelMessage { role, content: Raw::from(content) }
}

fn user(content: Value) -> ModelMessage {
    message(RequestRole::User, &content)
}

fn assistant(content: Value) -> ModelMessage {
    message(RequestRole::Assistant, &content)
}

fn text(text: &str) -> Value {
    json!([{"type": "text", "text": text}])
}

fn body(request: &Request) -> Value {
    serde_json::from_str(&request.to_json()).expect("JSON")
}

/// Takes all marks out of a body, and counts them.
fn unmark(value: &mut Value) -> usize {
    match value {
        Value::Array(items) => items.iter_mut().map(unmark).sum(),
        Value::Object(members) => {
            let mark = members.remove("cache_control");
            assert!(mark.iter().all(|mark| *mark == json!({"type": "ephemeral"})));
            usize::from(mark.is_some()) + members.values_mut().map(unmark).sum::<usize>()
        }
        _ => 0,
    }
}

#[test]
fn a_request_in_full() {
    let request = Request {
        model: "claude-opus-5-5[1m]".into(),
        max_tokens: 32_000,
        system: vec!["Who you are.".into(), "Where\nyou are.".into()],
        messages: vec![
            user(json!("Look at \"this\"")),
            ModelMessage {
                role: RequestRole::Assistant,
                content: Raw::parse(r#"[{"type":"thinking","thinking":"Hm","signature":"c2ln","n":1e2}, {"type":"tool_use","id":"t1","name":"Read","input":{ }}]"#)
                    .unwrap(),
            },
            user(json!([{"type": "tool_result", "tool_use_id": "t1", "content": "x"}])),
            assistant(text("Fine.")),
            user(json!([{"type": "image", "source": {"type": "base64", "data": "AA=="}}, {"type": "text", "text": "And?"}])),
        ],
        tools: vec![
            ModelTool::Local {
                name: "Read".into(),
                description: "Reads a file.".into(),
                schema: Raw::parse(r#"{"type":"object"}"#).unwrap(),
            },
            ModelTool::Server(Raw::parse(r#"{"type":"web_search_20250305","name":"web_search"}"#).unwrap()),
        ],
        thinking: ThinkingMode::Budget(10_000),
        thinking_display: Some("summarized".into()),
        effort: Some("high".into()),
        task_budget: Some(50_000),
        is_fast: false,
        betas: vec!["not-in-the-body".into()],
        user: Some("someone".into()),
    };
    insta::assert_snapshot!(request.to_json().replace("},", "},\n").replace("],", "],\n"));
    insta::assert_snapshot!("count", request.to_count_json().replace("},", "},\n").replace("],", "],\n"));
}

#[test]
fn a_request_with_little_in_it() {
    let request =
        Request { model: "m".into(), max_tokens: 1, messages: vec![user(text("hi"))], ..Request::default() };
    let mark = r#","cache_control":{"type":"ephemeral"}"#;
    let expected = format!(
        r#"{{"model":"m","max_tokens":1,"messages":[{{"role":"user","content":[{{"text":"hi","type":"text"{mark}}}]}}],"stream":true}}"#
    );
    assert_eq!(request.to_json(), expected);
}

#[test]
fn thinking_leaves_room_for_the_answer() {
    let request = |thinking| Request { max_tokens: 4000, thinking, ..Request::default() };
    assert_eq!(body(&request(ThinkingMode::Off)).get("thinking"), None);
    assert_eq!(body(&request(ThinkingMode::Disabled))["thinking"], json!({"type": "disabled"}));
    assert_eq!(body(&request(ThinkingMode::Adaptive))["thinking"], json!({"type": "adaptive"}));
    let budget = |tokens| body(&request(ThinkingMode::Budget(tokens)))["thinking"].clone();
    assert_eq!(budget(2000), json!({"type": "enabled", "budget_tokens": 2000}));
    assert_eq!(budget(9000), json!({"type": "enabled", "budget_tokens": 3999}));
}

#[test]
fn the_last_two_user_messages_are_marked() {
    let messages =
        vec![user(text("a")), assistant(text("b")), user(text("c")), assistant(text("d")), user(json!("e"))];
    let body = body(&Request { messages, ..Request::default() });
    let marked: Vec<bool> =
        (0..5).map(|index| body["messages"][index]["content"][0].get("cache_control").is_some()).collect();
    assert_eq!(marked, [false, false, true, false, true]);
}

#[test]
fn marks_of_the_user_stay_and_count() {
    let own = json!([{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}]);
    let tool = ModelTool::Server(Raw::from(&json!({"name": "t"})));
    for count in 0..7 {
        let mut messages: Vec<ModelMessage> = (0..count).map(|_| user(own.clone())).collect();
        messages.push(user(text("last")));
        let request =
            Request { messages, system: vec!["s".into()], tools: vec![tool.clone()], ..Request::default() };
        let mut body = body(&request);
        assert_eq!(body["messages"][count]["content"][0].get("cache_control").is_some(), count < 4);
        assert_eq!(unmark(&mut body), (count + 3).min(4).max(count));
    }
}

#[test]
fn what_can_not_be_marked_is_left_alone() {
    for content in [json!([]), json!(""), json!(null)] {
        let mut body = body(&Request { messages: vec![user(content.clone())], ..Request::default() });
        assert_eq!(unmark(&mut body), 0);
        assert_eq!(body["messages"][0]["content"], content);
    }
    let spaced = Raw::parse("[ { } ]").unwrap();
    let body = body(&Request {
        messages: vec![ModelMessage { role: RequestRole::User, content: spaced }],
        ..Request::default()
    });
    assert_eq!(body["messages"][0]["content"], json!([{"cache_control": {"type": "ephemeral"}}]));
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i32>().prop_map(|number| json!(number)),
        any::<String>().prop_map(|text| json!(text)),
        Just(json!("}]\"cache_control\"")),
        Just(json!({})),
        Just(json!([])),
    ]
}

fn content() -> impl Strategy<Value = Value> {
    let block =
        (leaf(), leaf()).prop_map(|(text, input)| json!({"type": "text", "text": text, "input": input}));
    prop_oneof![
        any::<String>().prop_map(|text| json!(text)),
        prop::collection::vec(block, 0..4).prop_map(Value::Array)
    ]
}

proptest! {
    #[test]
    fn marks_change_nothing_else(
        messages in prop::collection::vec((any::<bool>(), content()), 0..6),
        system in prop::collection::vec(any::<String>(), 0..3),
    ) {
        let request = Request {
            system: system.clone(),
            messages: messages
                .iter()
                .map(|(user, content)| message(if *user { RequestRole::User } else { RequestRole::Assistant }, content))
                .collect(),
            ..Request::default()
        };
        let mut body = body(&request);
        prop_assert!(unmark(&mut body) <= 4);
        for (index, (_, content)) in messages.iter().enumerate() {
            let mut sent = body["messages"][index]["content"].take();
            if content.is_string() && sent.is_array() {
                sent = sent[0]["text"].take();
            }
            prop_assert_eq!(&sent, content);
        }
        for (index, part) in system.iter().enumerate() {
            prop_assert_eq!(body["system"][index]["text"].as_str(), Some(part.as_str()));
        }
    }
}

#[test]
fn fast_mode_is_in_the_body() {
    let request = Request { is_fast: true, ..Request::default() };
    assert!(request.to_json().contains(r#","speed":"fast""#));
    assert!(!Request::default().to_json().contains("speed"));
}
