//! Calls that run while their message still streams, and messages that break behind them.

use aqueduct_testing::wait_until;
use serde_json::{Value, json};

use crate::host::{Host, Place, find, kinds, lines, tool_results};

const PARTIAL: &str = "--include-partial-messages";
const SKIP: &str = "--dangerously-skip-permissions";

fn call(id: &str, command: &str) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "Bash", "input": { "command": command } })
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// A message of these blocks whose stream stops for good behind `deltas` deltas of eighty characters.
fn stalled(deltas: usize, blocks: &[Value]) -> String {
    format!("@delta 80\n@stall {deltas}\n@blocks {}", json!(blocks))
}

/// A message of these blocks whose connection breaks behind `deltas` deltas of eighty characters, once.
fn dropped(deltas: usize, blocks: &[Value]) -> String {
    format!("@delta 80\n@drop {deltas} 1\n@blocks {}\n@say the rest", json!(blocks))
}

fn interrupt(host: &mut Host) {
    host.send(
        &json!({ "type": "control_request", "request_id": "stop", "request": { "subtype": "interrupt" } }),
    );
}

/// The ids of the calls that have results, and whether these are errors.
fn results(frames: &[Value]) -> Vec<(String, bool)> {
    let of = |block: &Value| {
        (block["tool_use_id"].as_str().unwrap().to_owned(), block["is_error"].as_bool() == Some(true))
    };
    tool_results(frames).iter().map(of).collect()
}

#[test]
fn a_call_starts_before_its_block_is_closed() {
    let place = Place::new();
    let mut host = place.start(&[PARTIAL, SKIP]);
    let hooks = json!({ "PreToolUse": [{ "hookCallbackIds": ["before"] }] });
    host.ask(&json!({ "subtype": "initialize", "hooks": hooks }));
    host.say(&stalled(2, &[call("t1", "touch made"), text("never reported")]));
    let mut frames = host.until(|frame| frame["type"] == "control_request");
    host.answer(&frames.pop().unwrap(), &json!({}));
    assert!(!kinds(&frames).contains(&"stream_event/content_block_stop".to_owned()), "{:?}", kinds(&frames));
    // The stream never continues; the call does.
    let frames = host.until(|frame| frame["type"] == "user");
    assert_eq!(results(&frames), [("t1".to_owned(), false)]);
    assert!(place.read("made").is_some());
    interrupt(&mut host);
    assert_eq!(host.turn().pop().unwrap()["terminal_reason"], "aborted_streaming");
}

#[test]
fn every_call_has_a_result_when_a_stream_is_interrupted() {
    let place = Place::new();
    let session = "6a1f0c36-8d5a-4c0a-9f0e-0d9a8b7c6d5e";
    let mut host = place.start(&[PARTIAL, SKIP, "--session-id", session]);
    let running = call("t1", "touch began; sleep 1000");
    host.say(&stalled(3, &[running, call("t2", "touch never"), text("cut")]));
    wait_until("the call runs", || place.read("began").is_some());
    host.until(|frame| frame["event"]["delta"]["text"] == "cut");
    interrupt(&mut host);
    let frames = host.turn();
    assert_eq!(results(&frames), [("t1".to_owned(), true), ("t2".to_owned(), true)]);
    assert_eq!(frames.last().unwrap()["terminal_reason"], "aborted_streaming");
    assert!(place.read("never").is_none());
    let kept = lines(&place.transcript(session));
    let kept = kept.iter().filter(|line| line["message"]["content"][0]["type"] == "tool_result").count();
    assert_eq!(kept, 2);
    // The conversation is still valid for the model.
    host.say("@say next");
    assert_eq!(host.turn().pop().unwrap()["result"], "next");
}

#[test]
fn a_call_that_was_asked_about_when_the_user_interrupted_is_a_denial() {
    let place = Place::new();
    let mut host = place.start(&[PARTIAL, "--permission-prompt-tool", "stdio"]);
    host.say(&stalled(2, &[call("t1", "touch made"), text("cut")]));
    host.request();
    interrupt(&mut host);
    let frames = host.turn();
    assert_eq!(results(&frames), [("t1".to_owned(), true)]);
    assert_eq!(frames.last().unwrap()["permission_denials"][0]["tool_use_id"], "t1");
    assert!(frames.iter().any(|frame| frame["type"] == "control_cancel_request"));
}

#[test]
fn a_denial_that_ends_the_turn_ends_the_stream() {
    let place = Place::new();
    let mut host = place.start(&[PARTIAL, "--permission-prompt-tool", "stdio"]);
    host.say(&stalled(2, &[call("t1", "touch made"), text("cut")]));
    let request = host.request();
    host.answer(&request, &json!({ "behavior": "deny", "message": "no", "interrupt": true }));
    let frames = host.turn();
    assert_eq!(frames.last().unwrap()["terminal_reason"], "aborted_streaming");
    assert_eq!(results(&frames), [("t1".to_owned(), true)]);
}

#[test]
fn calls_that_only_read_run_side_by_side_and_others_alone() {
    let place = Place::new();
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    let outside = |id: &str| json!({ "type": "tool_use", "id": id, "name": "Read", "input": { "file_path": format!("/nowhere/{id}") } });
    host.say(&format!(
        "@blocks {}",
        json!([outside("t1"), outside("t2"), call("t3", "touch a"), call("t4", "touch b")])
    ));
    let (first, second) = (host.request(), host.request());
    let allow = json!({ "behavior": "allow" });
    // Both are asked about before one is answered; the answers may come in any order.
    host.answer(&second, &allow);
    let frames = host.until(|frame| frame["type"] == "user");
    assert_eq!(results(&frames), [("t2".to_owned(), true)]);
    host.answer(&first, &allow);
    for id in ["t3", "t4"] {
        let frames = host.until(|frame| frame["type"] == "control_request");
        let request = frames.last().unwrap();
        assert_eq!(request["request"]["tool_use_id"], id);
        host.answer(request, &allow);
    }
    assert_eq!(host.turn().pop().unwrap()["num_turns"], 5);
}

#[test]
fn an_answer_that_breaks_behind_a_call_is_continued_with_its_result() {
    let place = Place::new();
    let mut host = place.start(&[PARTIAL, SKIP]);
    host.say(&dropped(3, &[text("one"), call("t1", "touch made"), text("lost")]));
    let frames = host.turn();
    let reported: Vec<&Value> = frames
        .iter()
        .filter(|frame| frame["isApiErrorMessage"] == true || frame["is_api_error_message"] == true)
        .collect();
    assert_eq!(reported.len(), 1, "{:?}", kinds(&frames));
    assert_eq!(reported[0]["message"]["stop_reason"], "tool_use");
    assert_eq!(results(&frames), [("t1".to_owned(), false)]);
    let result = frames.last().unwrap();
    assert_eq!((&result["result"], &result["is_error"]), (&json!("the rest"), &json!(false)));
    let abandoned = frames.iter().find(|frame| frame["abandoned_blocks"].is_object()).unwrap();
    assert_eq!(abandoned["abandoned_blocks"]["from_block_index"], 2);
}

#[test]
fn an_answer_that_breaks_behind_its_words_is_continued() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say(&dropped(2, &[text("one"), text("lost")]));
    let frames = host.turn();
    let messages: Vec<&Value> = frames
        .iter()
        .filter(|frame| frame["type"] == "assistant")
        .map(|frame| &frame["message"]["content"][0]["text"])
        .collect();
    assert_eq!(messages, ["one", "the rest"]);
    assert_eq!(find(&frames, "user")["isSynthetic"], true);
    assert_eq!(frames.last().unwrap()["is_error"], false);
}

#[test]
fn an_answer_that_always_breaks_fails_in_the_end() {
    let place = Place::new();
    let mut host = place.start(&[]);
    let broken =
        "@drop 2\n@blocks [{\"type\":\"text\",\"text\":\"one\"},{\"type\":\"text\",\"text\":\"two\"}]\n";
    host.say(&broken.repeat(5));
    let frames = host.turn();
    let result = frames.last().unwrap();
    assert_eq!((&result["terminal_reason"], &result["is_error"]), (&json!("api_error"), &json!(true)));
    assert_eq!(frames.iter().filter(|frame| frame["isSynthetic"] == true).count(), 3);
}

#[test]
fn a_permission_request_that_fails_is_not_the_users_rejection() {
    let place = Place::new();
    for answer in [
        json!({ "subtype": "error", "error": "kaputt" }),
        json!({ "subtype": "success", "response": { "behavior": "maybe" } }),
        json!({ "subtype": "success", "response": { "behavior": "deny" } }),
        json!({ "subtype": "success", "response": { "behavior": "allow", "updatedInput": "text" } }),
    ] {
        let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
        host.say("@tool Bash {\"command\":\"touch made\"}");
        let request = host.request();
        let mut response = answer.clone();
        response["request_id"] = request["request_id"].clone();
        host.send(&json!({ "type": "control_response", "response": response }));
        let frames = host.turn();
        let meta = &find(&frames, "user")["tool_result_meta"][0];
        assert_eq!(meta["permission_decision"]["source"], "config", "{answer}");
        assert_eq!(meta["non_execution_kind"], "permission-rule", "{answer}");
        assert_eq!(frames.last().unwrap()["permission_denials"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn a_stop_hook_that_blocks_sends_a_notification() {
    let place = Place::new();
    let command = "test -e stopped || { touch stopped; echo more >&2; exit 2; }";
    place.hook(&json!({ "Stop": [{ "hooks": [{ "type": "command", "command": command }] }] }));
    place.trust();
    let mut host = place.start(&[]);
    host.say("@say one\n@say two");
    let frames = host.turn();
    let note = frames.iter().find(|frame| frame["subtype"] == "notification").expect("a notification");
    assert_eq!((&note["key"], &note["priority"]), (&json!("stop-hook-error"), &json!("immediate")));
}

#[test]
fn the_rate_limits_of_a_key_are_not_reported_to_hosts() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say("@limits allowed_warning five_hour 1893456000\n@say x");
    let frames = host.turn();
    assert!(frames.iter().all(|frame| frame["type"] != "rate_limit_event"), "{frames:#?}");
}
