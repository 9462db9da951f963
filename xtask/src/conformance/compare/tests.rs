use std::path::Path;

use serde_json::{Value, json};

use super::rules::fits;
use super::*;

fn side(frames_out: &[Value]) -> Side {
    let recording =
        Recording { frames_out: frames_out.to_vec(), ending: Some("exit 0".to_owned()), has_stderr: false };
    Side {
        recordings: vec![recording],
        traces: Vec::new(),
        places: Places::new(Path::new("/home/ada"), Path::new("/proj")),
    }
}

fn differences(theirs: &[Value], ours: &[Value]) -> Vec<String> {
    let comparison = compare("simple", side(theirs), side(ours));
    comparison.findings.iter().map(|finding| format!("{} {}", finding.place(), finding.what.word())).collect()
}

fn text(session: &str, id: &str, text: &str) -> Value {
    json!({
        "type": "assistant", "session_id": session, "uuid": session,
        "message": { "id": id, "content": [{ "type": "text", "text": text }] }
    })
}

fn result(frames_out: &str) -> Value {
    json!({ "type": "result", "subtype": "success", "result": frames_out, "duration_ms": frames_out.len() })
}

fn status() -> Value {
    json!({ "type": "system", "subtype": "status", "status": "requesting" })
}

#[test]
fn the_same_conversation_twice_is_equal() {
    let frames_out = |session: &str, id: &str| [status(), text(session, id, "hello"), result("hello")];
    let theirs = frames_out("6f1d3c52-7f4e-4b1b-9a55-0c1f1f6f2a01", "msg_0007");
    let ours = frames_out("00000000-0000-4000-8000-000000000000", "msg_0001");
    assert_eq!(differences(&theirs, &ours), [""; 0]);
    assert!(compare("simple", side(&theirs), side(&ours)).is_well());
}

#[test]
fn two_recordings_of_nothing_are_not_well() {
    let nothing = Side::default;
    assert!(!compare("simple", nothing(), nothing()).is_well());
}

#[test]
fn another_text_of_the_model_differs() {
    assert_eq!(
        differences(
            &[text("s", "msg_1", "hello"), result("hello")],
            &[text("s", "msg_1", "hullo"), result("hello")]
        ),
        ["assistant/text message.content[].text differs"]
    );
}

#[test]
fn another_order_is_one_frame_too_few_and_one_too_many() {
    let theirs = [status(), text("s", "msg_1", "hello"), result("hello")];
    let ours = [text("s", "msg_1", "hello"), status(), result("hello")];
    assert_eq!(differences(&theirs, &ours), ["system/status missing here", "system/status only here"]);
}

#[test]
fn members_of_one_side_only_are_named_with_their_side() {
    let theirs = json!({ "type": "result", "usage": { "input_tokens": 1, "cache_read_input_tokens": 2 } });
    let ours = json!({ "type": "result", "usage": { "input_tokens": 1 }, "mood": "good" });
    assert_eq!(
        differences(&[theirs], &[ours]),
        ["result usage.cache_read_input_tokens missing here", "result mood only here"]
    );
}

#[test]
fn a_difference_that_is_meant_is_set_aside() {
    let theirs = json!({ "type": "result", "subtype": "success", "safety_stops": [] });
    let ours = json!({ "type": "result", "subtype": "success" });
    let comparison = compare("simple", side(&[theirs]), side(&[ours]));
    assert!(comparison.is_well());
    assert_eq!(comparison.known.len(), 1);
}

#[test]
fn frames_that_come_when_they_come_have_no_order() {
    let limit = json!({ "type": "rate_limit_event", "rate_limit_info": {} });
    let task = json!({ "type": "system", "subtype": "task_started", "task_id": "b1" });
    let theirs = [limit, task.clone(), status(), result("hello")];
    assert_eq!(differences(&theirs, &[status(), result("hello"), task]), [""; 0]);
    assert_eq!(differences(&theirs, &[status(), result("hello")]), ["system/task_started missing here"]);
}

#[test]
fn hooks_that_run_side_by_side_end_in_any_order() {
    let started = |id: &str| json!({ "type": "system", "subtype": "hook_started", "hook_id": id });
    let ended = |id: &str, output: &str| json!({ "type": "system", "subtype": "hook_response", "hook_id": id, "output": output });
    let theirs = [started("a"), started("b"), ended("a", "one"), ended("b", "two")];
    let ours = [started("c"), started("d"), ended("d", "two"), ended("c", "one")];
    assert_eq!(differences(&theirs, &ours), [""; 0]);
    let crossed = [started("c"), started("d"), ended("c", "two"), ended("d", "one")];
    let other = "system/hook_response output differs";
    assert_eq!(differences(&theirs, &crossed), [other, other]);
}

fn call(id: &str) -> Value {
    let block = json!({ "type": "tool_use", "id": id, "name": "Bash" });
    json!({ "type": "assistant", "message": { "id": "msg_1", "content": [block] } })
}

fn answer(id: &str, text: &str) -> Value {
    let block = json!({ "type": "tool_result", "tool_use_id": id, "content": text });
    json!({ "type": "user", "tool_use_result": { "stdout": text }, "message": { "content": [block] } })
}

#[test]
fn calls_side_by_side_are_answered_in_any_order() {
    let stop = json!({ "type": "stream_event", "event": { "type": "message_stop" } });
    let (a, b) = (|id| answer(id, "a"), |id| answer(id, "b"));
    let theirs = [call("toolu_3"), call("toolu_4"), stop.clone(), a("toolu_3"), b("toolu_4"), status()];
    let ours = [call("toolu_1"), a("toolu_1"), call("toolu_2"), b("toolu_2"), stop.clone(), status()];
    assert_eq!(differences(&theirs, &ours), [""; 0]);
    let late = [call("toolu_1"), call("toolu_2"), stop, b("toolu_2"), status(), a("toolu_1")];
    assert!(!differences(&theirs, &late).is_empty());
}

#[test]
fn a_request_among_the_blocks_of_its_message_is_the_same_behind_them() {
    let request = |id: &str, tool: &str| {
        let request = json!({ "subtype": "can_use_tool", "tool_use_id": tool });
        json!({ "type": "control_request", "request_id": id, "request": request })
    };
    let theirs = [call("toolu_1"), call("toolu_2"), request("1", "toolu_1"), answer("toolu_1", "a")];
    let early = [call("toolu_1"), request("1", "toolu_1"), call("toolu_2"), answer("toolu_1", "a")];
    let late = [call("toolu_1"), call("toolu_2"), answer("toolu_1", "a"), request("1", "toolu_1")];
    assert_eq!(differences(&theirs, &early), [""; 0]);
    assert!(!differences(&theirs, &late).is_empty());
}

#[test]
fn ids_that_refer_to_another_thing_differ() {
    let theirs = [call("toolu_3"), call("toolu_4"), answer("toolu_3", "a"), answer("toolu_4", "b")];
    let same = [call("toolu_1"), call("toolu_2"), answer("toolu_1", "a"), answer("toolu_2", "b")];
    let crossed = [call("toolu_1"), call("toolu_2"), answer("toolu_2", "a"), answer("toolu_1", "b")];
    assert_eq!(differences(&theirs, &same), [""; 0]);
    assert_eq!(
        differences(&theirs, &crossed),
        [
            "user/tool_result tool_use_result.stdout differs",
            "user/tool_result tool_use_result.stdout differs"
        ]
    );
}

#[test]
fn deltas_are_compared_as_one_text_and_counted() {
    let delta = |text: &str| {
        json!({ "type": "stream_event", "event": {
            "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": text }
        } })
    };
    let kind = "stream_event/content_block_delta/text_delta";
    assert_eq!(
        differences(&[delta("hel"), delta("lo")], &[delta("hello")]),
        [format!("{kind} event.pieces differs")]
    );
    assert_eq!(differences(&[delta("one")], &[delta("two")]), [format!("{kind} event.delta.text differs")]);
    // What a tool answered is longer here than there.
    assert_eq!(differences(&[delta("after: "), delta("done")], &[delta("after: it is done")]), [""; 0]);
}

#[test]
fn what_programs_word_themselves_is_noted_only() {
    let denied = |words: &str| json!({ "type": "system", "subtype": "permission_denied", "message": words, "tool_name": "Bash" });
    let comparison = compare("simple", side(&[denied("No.")]), side(&[denied("Not allowed.")]));
    assert!(comparison.is_well());
    assert_eq!(comparison.wordings.len(), 1);
    assert_eq!(differences(&[denied("No.")], &[denied("")]), ["system/permission_denied message differs"]);
}

#[test]
fn the_end_of_the_process_counts() {
    let ended = |ending: &str, has_stderr| {
        let recording = Recording { frames_out: Vec::new(), ending: Some(ending.to_owned()), has_stderr };
        Side { recordings: vec![recording], traces: Vec::new(), places: Places::default() }
    };
    let comparison = compare("simple", ended("exit 1", true), ended("exit 0", false));
    let places: Vec<_> = comparison.findings.iter().map(Finding::place).collect();
    assert_eq!(places, ["exit code", "exit stderr"]);
}

#[test]
fn a_word_that_looks_like_an_id_is_none() {
    let init = |words: &[&str]| json!({ "type": "system", "subtype": "init", "capabilities": words });
    let theirs = [init(&["msg_lifecycle"]), text("s", "msg_0007", "hello")];
    let ours = [init(&["other"]), text("s", "msg_0001", "hello")];
    assert_eq!(differences(&theirs, &ours), [""; 0]);
}

#[test]
fn paths_are_named_by_what_they_are() {
    let frame = |path: &str| json!({ "type": "system", "subtype": "init", "cwd": path, "note": format!("in {path}/x") });
    let theirs = side(&[frame("/proj")]);
    let mut ours = side(&[frame("/tmp/other")]);
    ours.places = Places::new(Path::new("/home/ada"), Path::new("/tmp/other"));
    assert!(compare("simple", theirs, ours).is_well());
}

#[test]
fn a_recording_is_read() {
    let recording = Recording::parse(concat!(
        "{\"t\":0,\"dir\":\"in\",\"msg\":{\"type\":\"user\"}}\n",
        "{\"t\":1,\"dir\":\"out\",\"msg\":{\"type\":\"result\"}}\n",
        "{\"t\":1,\"dir\":\"out\",\"text\":\"not json\"}\n",
        "{\"t\":2,\"dir\":\"err\",\"text\":\"oops\"}\n",
        "{\"t\":3,\"dir\":\"note\",\"text\":\"exit 1\"}\n",
        "{\"t\":4,\"dir\":\"ou",
    ));
    assert_eq!(
        recording.frames_out,
        [json!({ "type": "result" }), json!({ "type": "text", "text": "not json" })]
    );
    assert_eq!(recording.ending.as_deref(), Some("exit 1"));
    assert!(recording.has_stderr);
}

#[test]
fn a_star_matches_anything() {
    assert!(fits("*", "") && fits("system/*", "system/init") && fits("*_ms", "duration_ms"));
    assert!(fits("a.*.c", "a.b.c") && !fits("a.*.c", "a.b") && !fits("system/*", "result"));
}
