//! How a turn and a process are stopped, and that nothing is left running.

use std::os::unix::process::ExitStatusExt as _;

use aqueduct_testing::{wait_for, wait_until};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::host::{Host, Place, find, kinds, tool_results};

const UUIDS: [&str; 3] = [
    "aaaaaaaa-0000-4000-8000-000000000001",
    "aaaaaaaa-0000-4000-8000-000000000002",
    "aaaaaaaa-0000-4000-8000-000000000003",
];

/// A command that writes its process id and then never exits.
const ENDLESS: &str = r#"@tool Bash {"command":"echo $$ > id; while :; do sleep 1000; done"}"#;

fn free(place: &Place) -> Host {
    place.start(&["--permission-mode", "bypassPermissions"])
}

/// Reads a file as soon as something is in it.
fn awaited(place: &Place, name: &str) -> String {
    let written = || place.read(name).filter(|text| text.ends_with('\n'));
    wait_for("the file is written", written).trim().to_owned()
}

/// Returns when a process has ended.
fn ended(id: &str) {
    let status = || std::fs::read_to_string(format!("/proc/{id}/stat"));
    wait_until("the process has ended", || !status().is_ok_and(|stat| !stat.contains(") Z")));
}

fn interrupt(id: &str) -> Value {
    json!({ "type": "control_request", "request_id": id, "request": { "subtype": "interrupt" } })
}

fn named(uuid: &str, text: &str) -> Value {
    json!({ "type": "user", "uuid": uuid, "message": { "role": "user", "content": text } })
}

fn is_delta(frame: &Value) -> bool {
    frame["event"]["type"] == "content_block_delta"
}

#[test]
fn sigint_closes_the_turn_and_ends_well() {
    let place = Place::new();
    let mut host = place.start(&["--include-partial-messages"]);
    host.say("@slow 100000 0.01");
    host.until(is_delta);
    host.signal(Signal::INT);
    let frames = host.turn();
    assert_eq!(frames.last().unwrap()["terminal_reason"], "aborted_streaming");
    assert!(host.next().is_none());
    assert_eq!(host.wait().code(), Some(0));
}

#[test]
fn sigint_ends_an_agent_that_rests() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say("@say hello");
    host.turn();
    host.signal(Signal::INT);
    assert!(host.next().is_none());
    assert_eq!(host.wait().code(), Some(0));
}

#[test]
fn sigint_in_a_tool_ends_the_tool() {
    let place = Place::new();
    let mut host = free(&place);
    host.say(ENDLESS);
    let id = awaited(&place, "id");
    host.signal(Signal::INT);
    let frames = host.turn();
    assert_eq!(frames.last().unwrap()["terminal_reason"], "aborted_tools");
    assert_eq!(host.wait().code(), Some(0));
    ended(&id);
}

#[test]
fn sigterm_ends_at_once_without_a_word() {
    let place = Place::new();
    let mut host = place.start(&["--include-partial-messages"]);
    host.say("@slow 100000 0.01");
    host.until(is_delta);
    host.signal(Signal::TERM);
    let rest: Vec<Value> = std::iter::from_fn(|| host.next()).collect();
    assert!(rest.iter().all(is_delta), "{rest:?}");
    let status = host.wait();
    assert_eq!((status.code(), status.signal()), (Some(143), None));
}

#[test]
fn sigterm_leaves_no_process_of_a_tool() {
    let place = Place::new();
    let mut host = free(&place);
    let background = r#"@tool Bash {"command":"trap '' TERM HUP; echo $$ > other; sleep 1000; sleep 1000","run_in_background":true}"#;
    host.say(&format!("{background}\n{ENDLESS}"));
    let ids = [awaited(&place, "id"), awaited(&place, "other")];
    host.signal(Signal::TERM);
    assert_eq!(host.wait().code(), Some(143));
    ids.iter().for_each(|id| ended(id));
}

#[test]
fn sigterm_ends_an_agent_whose_host_does_not_read() {
    let place = Place::new();
    let mut host = place.start(&["--include-partial-messages"]);
    host.say("@flood 100000000 1000");
    host.until(is_delta);
    let pipe = host.stop_reading();
    // The pipe is full when the writer waits in its write.
    let waits = || {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", host.id())).unwrap();
        tasks.flatten().any(|task| {
            std::fs::read_to_string(task.path().join("wchan")).is_ok_and(|place| place.contains("pipe_write"))
                || std::fs::read_to_string(task.path().join("syscall"))
                    .is_ok_and(|call| call.starts_with("1 0x1 "))
        })
    };
    wait_until("the writer waits", waits);
    host.signal(Signal::TERM);
    assert_eq!(host.wait().code(), Some(143));
    drop(pipe);
}

#[test]
fn an_agent_whose_output_is_closed_ends_with_its_tools() {
    let place = Place::new();
    let mut host = free(&place);
    host.say(ENDLESS);
    let id = awaited(&place, "id");
    drop(host.stop_reading());
    assert_eq!(host.wait().code(), Some(1));
    ended(&id);
}

#[test]
fn stdin_that_closes_lets_a_tool_finish() {
    let place = Place::new();
    let mut host = free(&place);
    host.say(
        "@tool Bash {\"command\":\"echo here > begun; while ! [ -e go ]; do sleep 0.01; done; echo over\"}",
    );
    awaited(&place, "begun");
    host.close();
    std::fs::write(place.project().join("go"), "").unwrap();
    let (frames, status) = host.end();
    assert_eq!(find(&frames, "result")["result"], "after: over");
    assert!(status.success());
}

#[test]
fn stdin_that_closes_is_a_no_to_open_requests() {
    let place = Place::new();
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    host.say("@tool Bash {\"command\":\"touch made\"}\n@tool Bash {\"command\":\"touch other\"}\n@say done");
    host.request();
    let (frames, status) = host.end();
    let results = tool_results(&frames);
    assert!(results.len() == 2 && results.iter().all(|result| result["is_error"] == true), "{results:?}");
    assert_eq!(find(&frames, "result")["result"], "done");
    assert!(!kinds(&frames).iter().any(|kind| kind.starts_with("control")), "{:?}", kinds(&frames));
    assert!(status.success() && !place.project().join("made").exists());
}

#[test]
fn an_interrupt_ends_a_tool_and_the_turn() {
    let place = Place::new();
    let mut host = free(&place);
    host.say(&format!("{ENDLESS}\n@say never"));
    let id = awaited(&place, "id");
    host.send(&interrupt("i"));
    let frames = host.turn();
    insta::assert_snapshot!(kinds(&frames).join("\n"), @r"
    system/init
    assistant/tool_use
    control_response/success
    user/tool_result
    user/text
    result/error_during_execution
    ");
    ended(&id);
    assert_eq!(tool_results(&frames)[0]["is_error"], true);
    assert_eq!(frames.last().unwrap()["terminal_reason"], "aborted_tools");
    let notice = frames.iter().rfind(|frame| frame["type"] == "user").unwrap();
    assert_eq!(notice["message"]["content"][0]["text"], "[Request interrupted by user for tool use]");
    host.say("@say alive");
    assert_eq!(host.turn().last().unwrap()["result"], "alive");
}

#[test]
fn an_interrupt_skips_the_calls_behind_it() {
    let place = Place::new();
    let mut host = free(&place);
    let endless = json!(["Bash", { "command": "echo $$ > id; sleep 1000" }]);
    host.say(&format!("@tools {}", json!([endless, ["Bash", { "command": "touch made" }]])));
    awaited(&place, "id");
    host.send(&interrupt("i"));
    let frames = host.turn();
    let results = tool_results(&frames);
    assert!(results.len() == 2 && results.iter().all(|result| result["is_error"] == true), "{results:?}");
    let cut_off = results[0]["content"].as_str().unwrap();
    assert!(cut_off.starts_with(DECLINED) && cut_off != REJECTED, "{cut_off}");
    assert_eq!(results[1]["content"], REJECTED);
    assert!(!place.project().join("made").exists());
}

/// How hosts recognise a call that the user declined, and the whole text for a call that did not start.
const DECLINED: &str = "The user doesn't want to proceed with this tool use.";
const REJECTED: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the \
     new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to \
     proceed.";

#[test]
fn an_interrupt_takes_an_open_request_back_first() {
    let place = Place::new();
    let mut host = place.start(&["--permission-prompt-tool", "stdio"]);
    host.say("@tool Bash {\"command\":\"touch made\"}");
    let request = host.request();
    host.send(&interrupt("i"));
    let frames = host.turn();
    insta::assert_snapshot!(kinds(&frames).join("\n"), @r"
    control_cancel_request
    control_response/success
    user/tool_result
    user/text
    result/error_during_execution
    ");
    assert_eq!(frames[0]["request_id"], request["request_id"]);
    assert_eq!(tool_results(&frames)[0]["content"], REJECTED);
    // A late answer has no effect.
    host.answer(&request, &json!({ "behavior": "allow", "updatedInput": { "command": "touch made" } }));
    host.say("@say alive");
    assert_eq!(host.turn().last().unwrap()["result"], "alive");
    assert!(!place.project().join("made").exists());
}

#[test]
fn two_interrupts_have_two_answers_and_one_result() {
    let place = Place::new();
    let mut host = place.start(&["--include-partial-messages"]);
    host.say("@slow 100000 0.01");
    host.until(is_delta);
    host.send(&interrupt("one"));
    host.send(&interrupt("two"));
    host.say("@say alive");
    let frames = host.until(|frame| frame["result"] == "alive");
    let answers = frames.iter().filter(|frame| frame["type"] == "control_response").count();
    let results = frames.iter().filter(|frame| frame["type"] == "result").count();
    assert_eq!((answers, results), (2, 2));
}

#[test]
fn an_interrupt_of_nothing_is_answered() {
    let place = Place::new();
    let mut host = place.start(&[]);
    let answer = host.ask(&json!({ "subtype": "interrupt" }));
    assert_eq!((&answer["subtype"], &answer["response"]["still_queued"]), (&json!("success"), &json!([])));
    host.say("@say alive");
    assert_eq!(host.turn().last().unwrap()["result"], "alive");
}

#[test]
fn an_interrupt_ends_the_wait_before_a_retry() {
    let place = Place::new();
    let mut host = place.start(&[]);
    host.say("@retry-after 59\n@fail 529 5 late");
    host.until(|frame| frame["subtype"] == "api_retry");
    host.send(&interrupt("i"));
    let frames = host.turn();
    assert_eq!(frames.last().unwrap()["terminal_reason"], "aborted_streaming");
}

#[test]
fn an_urgent_prompt_pushes_the_turn_aside() {
    let place = Place::new();
    let mut host = place.start(&["--include-partial-messages"]);
    host.say("@slow 100000 0.01");
    host.until(is_delta);
    host.say("@say waiting");
    host.send(&json!({ "type": "user", "priority": "now", "message": { "role": "user", "content": "@say urgent" } }));
    let frames = host.turn();
    let result = frames.last().unwrap();
    assert_eq!((&result["subtype"], &result["is_error"]), (&json!("success"), &json!(false)));
    assert_eq!(result["terminal_reason"], "aborted_streaming");
    assert!(!frames.iter().any(|frame| frame["type"] == "user"), "no client interrupted it: {frames:#?}");
    assert_eq!(host.turn().last().unwrap()["result"], "urgent");
    assert_eq!(host.turn().last().unwrap()["result"], "waiting");
}

#[test]
fn a_prompt_that_waits_can_be_taken_back() {
    let place = Place::new();
    let mut host = place.start(&["--include-partial-messages"]);
    host.send(&named(UUIDS[0], "@slow 100000 0.01"));
    host.until(is_delta);
    host.send(&named(UUIDS[1], "@say never"));
    host.until(|frame| frame["state"] == "queued");
    let answer = host.ask(&json!({ "subtype": "cancel_async_message", "message_uuid": UUIDS[1] }));
    assert_eq!(answer["response"]["cancelled"], true);
    let answer = host.ask(&json!({ "subtype": "cancel_async_message", "message_uuid": UUIDS[1] }));
    assert_eq!(answer["response"]["cancelled"], false);
    host.send(&interrupt("i"));
    assert_eq!(host.turn().last().unwrap()["user_message_uuids"], json!([UUIDS[0]]));
    let (frames, _) = host.end();
    assert!(frames.iter().all(|frame| frame["type"] == "command_lifecycle"), "{frames:?}");
}

#[test]
fn an_interrupt_lists_what_waits_or_drops_it() {
    let place = Place::new();
    let mut host = place.start(&["--include-partial-messages"]);
    host.say("@slow 100000 0.01");
    host.until(is_delta);
    host.send(&named(UUIDS[0], "@slow 100000 0.01"));
    host.until(|frame| frame["state"] == "queued");
    let answer = host.ask(&json!({ "subtype": "interrupt" }));
    assert_eq!(answer["response"]["still_queued"], json!([UUIDS[0]]));
    host.turn();
    host.until(is_delta);
    host.send(&named(UUIDS[1], "@say never"));
    host.until(|frame| frame["state"] == "queued");
    let answer = host.ask(&json!({ "subtype": "interrupt", "cancel_queued": true }));
    assert_eq!(answer["response"]["cancelled"], json!([UUIDS[1]]));
    host.turn();
    let (frames, _) = host.end();
    assert!(!kinds(&frames).iter().any(|kind| kind.starts_with("result")), "{:?}", kinds(&frames));
}

#[test]
fn end_session_stops_the_turn_and_ends_well() {
    let place = Place::new();
    let mut host = free(&place);
    host.say(ENDLESS);
    let id = awaited(&place, "id");
    host.say("@say never");
    let answer = host.ask(&json!({ "subtype": "end_session" }));
    assert_eq!(answer["subtype"], "success");
    let rest: Vec<Value> = std::iter::from_fn(|| host.next()).collect();
    assert_eq!(rest.iter().filter(|frame| frame["type"] == "result").count(), 1, "{:?}", kinds(&rest));
    assert_eq!(host.wait().code(), Some(0));
    ended(&id);
}

#[test]
fn prompts_that_wait_for_a_stream_share_a_turn() {
    let place = Place::new();
    let mut host = place.start(&["--include-partial-messages"]);
    host.say("@slow 40 0.005");
    host.until(is_delta);
    host.send(&named(UUIDS[0], "first"));
    host.send(&named(UUIDS[1], "@say both"));
    host.turn();
    let frames = host.turn();
    let result = frames.last().unwrap();
    assert_eq!(
        (&result["result"], &result["user_message_uuids"]),
        (&json!("both"), &json!([UUIDS[0], UUIDS[1]]))
    );
}

#[test]
fn a_prompt_that_comes_while_a_tool_runs_joins_the_turn() {
    let place = Place::new();
    let mut host = free(&place);
    host.send(&named(
        UUIDS[0],
        "@tool Bash {\"command\":\"echo here > begun; while ! [ -e go ]; do sleep 0.01; done\"}",
    ));
    awaited(&place, "begun");
    host.send(&named(UUIDS[1], "@say joined"));
    host.until(|frame| frame["state"] == "queued" && frame["command_uuid"] == UUIDS[1]);
    std::fs::write(place.project().join("go"), "").unwrap();
    let frames = host.turn();
    let result = frames.last().unwrap();
    assert_eq!(result["user_message_uuids"], json!([UUIDS[0], UUIDS[1]]));
    assert_eq!(result["result"], "joined");
    assert!(!kinds(&frames).contains(&"system/init".to_owned()), "{:?}", kinds(&frames));
}
