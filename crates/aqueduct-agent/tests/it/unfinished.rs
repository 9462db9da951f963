//! Answers that are none, failures in words that hosts know, and prompts that ask nothing.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::api::{message, raw_model};
use crate::host::{Host, Place, find, kinds, tool_results};

fn last(frames: &[Value]) -> &Value {
    frames.last().unwrap()
}

fn synthetic(frames: &[Value]) -> Vec<&Value> {
    frames.iter().filter(|frame| frame["isSynthetic"] == true).collect()
}

#[test]
fn an_answer_that_is_too_long_is_continued() {
    let place = Place::new();
    let mut host = place.start(&[]);
    for reason in ["max_tokens", "model_context_window_exceeded"] {
        host.say(&format!("@stop {reason}\n@say first half\n@say second half"));
        let frames = host.turn();
        assert_eq!(synthetic(&frames).len(), 1, "{reason}: {frames:#?}");
        let result = last(&frames);
        assert_eq!((&result["result"], &result["num_turns"]), (&json!("second half"), &json!(2)), "{reason}");
    }
}

#[test]
fn an_answer_that_never_ends_fails_after_three_continuations() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say(&"@stop max_tokens\n@say part\n".repeat(8));
    let frames = host.turn();
    assert_eq!(synthetic(&frames).len(), 3);
    let result = last(&frames);
    assert_eq!((&result["is_error"], &result["terminal_reason"]), (&json!(true), &json!("api_error")));
    assert_eq!(result["stop_reason"], "stop_sequence");
    let reported = frames.iter().find(|frame| frame["is_api_error_message"] == true).unwrap();
    assert_eq!(reported["error"], "max_output_tokens");
    host.say("@say served");
    assert_eq!(last(&host.turn())["result"], "served");
}

#[test]
fn a_refusal_is_continued_once() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say("@stop refusal\n@say I can\n@say the rest");
    let frames = host.turn();
    assert_eq!(last(&frames)["result"], "the rest");
    assert!(synthetic(&frames)[0]["refused_message_id"].is_string(), "{frames:#?}");

    host.say(&"@stop refusal\n@say I can\n".repeat(4));
    let frames = host.turn();
    let result = last(&frames);
    assert_eq!((&result["is_error"], &result["stop_reason"]), (&json!(true), &json!("refusal")));
    assert_eq!(
        frames.iter().filter(|frame| frame["subtype"] == "model_refusal_no_fallback").count(),
        1,
        "{frames:#?}"
    );
    assert_eq!(frames.iter().filter(|frame| frame["error"] == "invalid_request").count(), 1);
}

#[test]
fn a_call_that_is_announced_and_missing_is_asked_for() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say(&"@stop tool_use\n@say I call it\n".repeat(8));
    let frames = host.turn();
    let asked = synthetic(&frames);
    assert_eq!(asked.len(), 2);
    let reported = frames.iter().find(|frame| frame["type"] == "assistant").unwrap();
    assert_eq!(asked[0]["retracted_message_uuids"], json!([reported["uuid"]]));
    assert_eq!(last(&frames)["terminal_reason"], "malformed_tool_use_exhausted");
    assert_eq!(last(&frames)["is_error"], true);
}

fn raw(place: &Place, bodies: Vec<String>) -> (Host, std::thread::JoinHandle<Vec<Value>>) {
    let (address, serving) = raw_model(bodies);
    let mut command = place.command(&[
        "-p",
        "--verbose",
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        "--dangerously-skip-permissions",
    ]);
    command.env("ANTHROPIC_BASE_URL", address).env("ANTHROPIC_API_KEY", "none");
    (Host::start(command), serving)
}

fn text(text: &str) -> String {
    let delta = json!({ "type": "text_delta", "text": text });
    message(&json!({ "type": "text", "text": "" }), &[delta], "end_turn")
}

#[test]
fn an_empty_answer_is_asked_for_again_and_not_shown() {
    let place = Place::new();
    let (mut host, serving) = raw(&place, vec![text(" \n"), text("visible")]);
    host.say("hello");
    let frames = host.turn();
    assert_eq!(kinds(&frames), ["system/init", "user/text", "assistant/text", "result/success"]);
    assert_eq!(last(&frames)["result"], "visible");
    drop(host);
    assert_eq!(serving.join().unwrap().len(), 2);
}

#[test]
fn a_call_whose_input_is_no_json_keeps_what_the_model_sent() {
    let place = Place::new();
    let call = json!({ "type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {} });
    let half = json!({ "type": "input_json_delta", "partial_json": "{\"command\":\"ec" });
    let (mut host, serving) = raw(&place, vec![message(&call, &[half], "tool_use"), text("done")]);
    host.say("hello");
    let frames = host.turn();
    let input = &find(&frames, "assistant")["message"]["content"][0]["input"];
    assert_eq!(*input, json!({ "__unparsedToolInput": { "raw": "{\"command\":\"ec", "len": 14 } }));
    assert_eq!(tool_results(&frames)[0]["is_error"], true);
    drop(host);
    serving.join().unwrap();
}

#[test]
fn failures_begin_as_hosts_expect() {
    let place = Place::new();
    for (status, begins, error) in [
        (403, "Failed to authenticate. API Error: 403", "authentication_failed"),
        (404, "There's an issue with the selected model (", "model_not_found"),
        (413, "Request too large", "invalid_request"),
    ] {
        let mut host = place.start(&[]);
        host.say(&format!("@fail {status} 9 never"));
        let frames = host.turn();
        let result = last(&frames);
        assert!(result["result"].as_str().unwrap().starts_with(begins), "{status}: {result}");
        assert_eq!(find(&frames, "assistant")["error"], error, "{status}");
        let reason = if status == 413 { "image_error" } else { "api_error" };
        assert_eq!(result["terminal_reason"], reason);
    }
}

#[test]
fn a_model_that_does_not_exist_is_replaced() {
    let place = Place::new();
    let mut host = place.start(&["--model", "claude-opus-4-1", "--fallback-model", "claude-sonnet-4-5"]);
    host.say("@fail 404 1 served");
    let frames = host.turn();
    assert_eq!(last(&frames)["result"], "served");
    let switch = frames.iter().find(|frame| frame["subtype"] == "model_fallback").unwrap();
    assert_eq!(switch["trigger"], "model_not_found");
}

#[test]
fn a_blank_prompt_asks_nothing() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.send(&json!({ "type": "user", "message": { "role": "user", "content": "  \n " } }));
    let frames = host.turn();
    assert_eq!(kinds(&frames), ["system/init", "system/informational", "result/success"]);
    assert_eq!(last(&frames)["num_turns"], 0);
}

#[test]
fn text_on_stdin_belongs_to_the_prompt() {
    let place = Place::new();
    let mut command = place.command(&["-p", "look at this:"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"@say from stdin\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "from stdin");
}

#[test]
fn no_limit_of_turns_is_no_limit() {
    let place = Place::new();
    let mut host = place.start(&["--max-turns", "0"]);
    host.say("@tool Read {\"file_path\":\"none\"}\n@say done");
    assert_eq!(last(&host.turn())["result"], "done");
}

#[test]
fn commands_have_other_names() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say("@say something");
    let before = last(&host.turn())["session_id"].clone();
    host.say("/usage");
    let frames = host.turn();
    assert_eq!(find(&frames, "assistant")["local_command_run"]["command"], "usage");
    assert_eq!(last(&frames)["local_command"], "usage");
    host.say("/new");
    let frames = host.turn();
    assert_eq!(last(&frames)["local_command"], "new");
    assert_ne!(last(&frames)["session_id"], before);
}

#[test]
fn a_prompt_with_an_id_receives_the_usage_of_its_first_call() {
    let place = Place::new();
    let mut host = place.start(&[]);
    let uuid = "6f1d3c52-7f4e-4b1b-9a55-0c1f1f6f2a77";
    host.send(&json!({ "type": "user", "uuid": uuid, "message": { "role": "user", "content": "@say hi" } }));
    let frames = host.turn();
    let result = last(&frames);
    for member in
        ["request_sent_wall_ms", "first_request_input_tokens", "first_request_cache_read_input_tokens"]
    {
        assert!(result[member].is_number(), "{member}: {result}");
    }
    host.say("@say without");
    assert!(last(&host.turn()).get("request_sent_wall_ms").is_none());
}
