//! Tool calls: their inputs while they are written, their states, their results.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aqueduct_client::Event;
use aqueduct_client::view::{CallState, RESULT_BYTES, View, ViewState};
use aqueduct_wire::FromAgent;
use serde_json::json;

use super::picture::picture;
use super::talk::{Talk, push, text, tool};

#[test]
fn an_input_is_there_while_it_is_written() {
    let mut talk = Talk::new();
    talk.init().start(None, "m1");
    let call = tool("t1", "Write", json!({ "file_path": "/proj/a.md", "content": "one two three" }));
    talk.block(None, "m1", 0, &call);
    let mut view = View::new();
    let mut seen = Vec::new();
    for frame in talk.frames(true) {
        push(&mut view, frame);
        if let Some(call) = view.run().call("t1") {
            seen.push((call.state(), call.input().as_str().to_owned()));
        }
    }
    let writing: Vec<&str> = seen
        .iter()
        .filter(|(state, _)| *state == CallState::Writing)
        .map(|(_, input)| input.as_str())
        .collect();
    assert_eq!(writing[0], "{}");
    assert!(writing.contains(&r#"{"content":"one two t"}"#), "{writing:#?}");
    assert!(writing.iter().all(|input| serde_json::from_str::<serde_json::Value>(input).is_ok()));
    let (state, input) = seen.last().unwrap();
    assert_eq!(*state, CallState::Running);
    assert_eq!(input, r#"{"content":"one two three","file_path":"/proj/a.md"}"#);
}

#[test]
fn a_call_waits_runs_and_is_done() {
    let mut talk = Talk::new();
    talk.init().message(None, "m1", &[tool("t1", "Bash", json!({ "command": "make" }))]);
    let mut view = talk.view(true);
    assert_eq!(
        (view.run().call("t1").unwrap().state(), view.state()),
        (CallState::Running, ViewState::Running)
    );

    let mut asked = Talk::new();
    asked.ask("r1", "t1", "Bash", json!({ "command": "make" }));
    asked.push_to(&mut view, true);
    assert_eq!(
        (view.run().call("t1").unwrap().state(), view.state()),
        (CallState::Waiting, ViewState::Waiting)
    );

    // The host's answer is not a frame of the agent, but an event of the session.
    view.push(&Event::Answered { id: "r1".to_owned() });
    assert_eq!(
        (view.run().call("t1").unwrap().state(), view.state()),
        (CallState::Running, ViewState::Running)
    );

    let mut done = Talk::new();
    done.answer_with(None, "t1", "made", false, json!({ "stdout": "made", "stderr": "" }));
    done.push_to(&mut view, true);
    let call = view.run().call("t1").unwrap();
    let result = call.result().unwrap();
    assert_eq!((call.state(), result.text.as_str(), result.is_error), (CallState::Done, "made", false));
    assert_eq!(result.structured.as_ref().unwrap().as_str(), r#"{"stderr":"","stdout":"made"}"#);
}

#[test]
fn agents_that_report_their_state_need_no_event_for_an_answer() {
    let mut talk = Talk::new();
    talk.state("running").init().message(None, "m1", &[tool("t1", "Bash", json!({}))]);
    talk.ask("r1", "t1", "Bash", json!({})).state("requires_action");
    let mut view = talk.view(false);
    assert_eq!(view.state(), ViewState::Waiting);
    Talk::new().state("running").push_to(&mut view, false);
    assert_eq!(
        (view.state(), view.run().call("t1").unwrap().state()),
        (ViewState::Running, CallState::Running)
    );
}

#[test]
fn a_question_that_is_taken_back_is_not_waited_for() {
    let mut talk = Talk::new();
    talk.init().message(None, "m1", &[tool("t1", "Bash", json!({}))]).ask("r1", "t1", "Bash", json!({}));
    talk.frame(json!({ "type": "control_cancel_request", "request_id": "r1" }));
    let view = talk.view(true);
    assert_eq!(
        (view.state(), view.run().call("t1").unwrap().state()),
        (ViewState::Running, CallState::Running)
    );
}

#[test]
fn waiting_for_a_permission_is_not_running() {
    let began = Instant::now();
    let at = |seconds| began + Duration::from_secs(seconds);
    let mut view = View::new();
    let mut talk = Talk::new();
    talk.init().message(None, "m1", &[tool("t1", "Bash", json!({}))]).ask("r1", "t1", "Bash", json!({}));
    for frame in talk.frames(false) {
        view.push_at(&FromAgent::parse(&frame.to_string()).unwrap(), at(0));
    }
    view.push_at(&Event::Answered { id: "r1".to_owned() }, at(60));
    assert_eq!(view.run().call("t1").unwrap().elapsed(at(63)), Duration::from_secs(3));
    let mut done = Talk::new();
    done.answer(None, "t1", "made", false);
    for frame in done.frames(false) {
        view.push_at(&FromAgent::parse(&frame.to_string()).unwrap(), at(65));
    }
    assert_eq!(view.run().call("t1").unwrap().elapsed(at(99)), Duration::from_secs(5));
}

#[test]
fn calls_that_end_out_of_order_keep_their_places() {
    let mut talk = Talk::new();
    let calls = [
        text("Both at once."),
        tool("t1", "Bash", json!({ "command": "sleep 1" })),
        tool("t2", "Read", json!({ "file_path": "/proj/none" })),
    ];
    talk.init().message(None, "m1", &calls);
    talk.answer(None, "t2", "no such file", true).answer(None, "t1", "", false);
    talk.message(None, "m2", &[text("Well.")]).result(0.5, json!({}));
    insta::assert_snapshot!(picture(&talk.view(true)), @r#"
    text "Both at once."
    calls Bash {"command":"sleep 1"} Done -> ""
    calls Read {"file_path":"/proj/none"} Failed -> "no such file"
    text "Well."
    tokens 42 in, 24 out
    cost 0.500
    state Idle
    session Some("s"), model Some("example-model"), mode Some(Default)
    session's cost 0.500, tokens 52 in, 30 out
    "#);
}

#[test]
fn a_tool_may_answer_before_its_message_ends() {
    let mut talk = Talk::new();
    talk.init().start(None, "m1");
    talk.block(None, "m1", 0, &tool("t1", "Bash", json!({ "command": "true" })));
    talk.deltas(None, 1, &tool("t2", "Bash", json!({ "command": "false" })), 1);
    talk.answer(None, "t1", "quick", false);
    let view = talk.view(true);
    let states: Vec<CallState> = view.run().calls(None).map(|call| call.state()).collect();
    assert_eq!(states, [CallState::Done, CallState::Writing]);
}

#[test]
fn long_results_are_cut_and_marked() {
    let mut talk = Talk::new();
    let long = "ä".repeat(RESULT_BYTES);
    talk.init().message(None, "m1", &[tool("t1", "Read", json!({}))]);
    talk.answer_with(None, "t1", &long, false, json!({ "content": long }));
    let view = talk.view(true);
    let result = view.run().call("t1").unwrap().result().unwrap();
    assert_eq!((result.text.len(), result.length), (RESULT_BYTES, 2 * RESULT_BYTES));
    assert!(result.structured.is_none());
}

#[test]
fn tools_on_the_models_side_are_calls_too() {
    let mut talk = Talk::new();
    talk.init();
    let call =
        json!({ "type": "server_tool_use", "id": "s1", "name": "web_search", "input": { "query": "rust" } });
    let found =
        json!({ "type": "web_search_tool_result", "tool_use_id": "s1", "content": [{ "title": "Rust" }] });
    talk.whole(None, "m1", &call, json!({}));
    talk.whole(None, "m1", &found, json!({}));
    talk.whole(None, "m1", &json!({ "type": "text", "text": "Found." }), json!({}));
    insta::assert_snapshot!(super::picture::run(talk.view(false).run()), @r#"
    calls web_search {"query":"rust"} Done -> "" [{"title":"Rust"}]
    text "Found."
    tokens 10 in, 1 out
    "#);
}

#[test]
fn what_never_came_is_abandoned_at_the_end() {
    let mut talk = Talk::new();
    talk.init().message(None, "m1", &[tool("t1", "Bash", json!({ "command": "make" }))]);
    talk.result(1.0, json!({ "subtype": "error_max_budget_usd", "is_error": true }));
    assert_eq!(talk.view(true).run().call("t1").unwrap().state(), CallState::Abandoned);
}

#[test]
fn events_are_as_good_as_frames() {
    let mut talk = Talk::new();
    talk.init().message(None, "m1", &[text("Hello")]).result(0.1, json!({}));
    let mut view = View::new();
    for frame in talk.frames(true) {
        let line = frame.to_string();
        let kept = FromAgent::parse_kept(&line).unwrap().into_owned();
        view.push(&Event::Frame(Arc::new(kept)));
    }
    assert_eq!(picture(&view), picture(&talk.view(true)));
}
