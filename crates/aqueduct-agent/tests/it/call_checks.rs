//! What is checked before hooks run and before the host is asked, and what answers of hooks and host do to a call.

use serde_json::{Value, json};

use crate::host::{Host, Place, find, kinds, tool_results};

const ASK: &[&str] = &["--permission-prompt-tool", "stdio"];

/// A host that receives every call before it runs.
fn guarded(place: &Place, arguments: &[&str]) -> Host {
    let mut host = place.start(&[ASK, arguments].concat());
    let hooks = json!({ "PreToolUse": [{ "hookCallbackIds": ["before"] }] });
    host.ask(&json!({ "subtype": "initialize", "hooks": hooks }));
    host
}

/// The result of a call that sends no permission request.
fn rejected(host: &mut Host, tool: &str, input: &Value) -> Value {
    host.say(&format!("@tool {tool} {input}"));
    let frames = host.turn();
    assert!(
        kinds(&frames).iter().all(|kind| !kind.starts_with("control_request")),
        "{tool} {input}: {:?}",
        kinds(&frames)
    );
    let result = tool_results(&frames).remove(0);
    assert_eq!(result["is_error"], true, "{tool} {input}: {result}");
    let text = result["content"].as_str().unwrap();
    assert!(text.starts_with("<tool_use_error>") && text.ends_with("</tool_use_error>"), "{text}");
    find(&frames, "result").clone()
}

/// Lets a call pass its hook and its permission request.
fn allowed(host: &mut Host, tool: &str, input: &Value) -> Vec<Value> {
    host.say(&format!("@tool {tool} {input}"));
    let hook = host.request();
    assert_eq!(hook["request"]["subtype"], "hook_callback", "{hook}");
    host.answer(&hook, &json!({}));
    let request = host.request();
    assert_eq!(request["request"]["subtype"], "can_use_tool", "{request}");
    host.answer(&request, &json!({ "behavior": "allow", "updatedInput": request["request"]["input"] }));
    host.turn()
}

#[test]
fn a_call_that_cannot_work_reaches_neither_hooks_nor_host() {
    let place = Place::new();
    place.write("f.txt", "one\ntwo\ntwo\n");
    let path = place.project().join("f.txt");
    let mut host = guarded(&place, &["--disallowed-tools", "Read(secret.txt)"]);
    let edit = |old: &str, new: &str| json!({ "file_path": path, "old_string": old, "new_string": new });
    for (tool, input) in [
        ("Teleport", json!({})),
        ("bash", json!({ "command": "ls" })),
        ("Bash", json!({ "command": 7 })),
        ("Bash", json!({ "command": "ls", "unknown": 1 })),
        ("Edit", edit("none", "x")),
        ("Edit", edit("two", "x")),
        ("Edit", edit("one", "one")),
        ("Edit", edit("", "x")),
        ("Edit", json!({ "file_path": place.project().join("none"), "old_string": "a", "new_string": "b" })),
        ("Write", json!({ "file_path": place.project(), "content": "x" })),
        ("Write", json!({ "file_path": "/etc/hostname", "content": "x" })),
        ("Read", json!({ "file_path": place.project().join("a.zip") })),
        ("Skill", json!({ "skill": "none" })),
        ("ExitPlanMode", json!({ "plan": "x" })),
    ] {
        let result = rejected(&mut host, tool, &input);
        assert_eq!(result["permission_denials"], json!([]), "{tool} {input}");
    }
    // A file that a rule denies is a denial.
    let secret = json!({ "file_path": place.project().join("secret.txt") });
    let result = rejected(&mut host, "Read", &secret);
    assert_eq!(result["permission_denials"][0]["tool_name"], "Read");
    assert!(host.end().1.success());
}

#[test]
fn a_file_that_may_be_read_is_changed_without_having_been_read() {
    let place = Place::new();
    place.write("f.txt", "one\n");
    place.write("g.txt", "one\n");
    let mut host = guarded(&place, &[]);
    let edit =
        json!({ "file_path": place.project().join("f.txt"), "old_string": "one", "new_string": "two" });
    let frames = allowed(&mut host, "Edit", &edit);
    let result = frames.iter().find(|frame| frame["tool_use_result"].is_object()).unwrap();
    assert_eq!(result["tool_use_result"]["contentNotInModelContext"], true);
    allowed(&mut host, "Write", &json!({ "file_path": place.project().join("g.txt"), "content": "two\n" }));
    assert_eq!(
        (place.read("f.txt").unwrap(), place.read("g.txt").unwrap()),
        ("two\n".into(), "two\n".into())
    );
    assert!(host.end().1.success());
}

#[test]
fn an_answer_with_an_input_that_does_not_fit_runs_nothing() {
    let place = Place::new();
    let mut host = place.start(ASK);
    host.ask(&json!({ "subtype": "initialize" }));
    for (input, is_run, is_denied) in [
        (json!({ "command": 7 }), false, false),
        (Value::Null, false, true),
        (json!({}), true, false),
        (json!({ "command": "touch made", "unknown": 1 }), true, false),
    ] {
        host.say("@tool Bash {\"command\":\"touch made\",\"description\":\"d\"}");
        let request = host.request();
        host.answer(&request, &json!({ "behavior": "allow", "updatedInput": input }));
        let frames = host.turn();
        assert_eq!(tool_results(&frames)[0]["is_error"], !is_run, "{input}");
        let denials = find(&frames, "result")["permission_denials"].as_array().unwrap();
        assert_eq!(!denials.is_empty(), is_denied, "{input}");
        assert_eq!(place.read("made").is_some(), is_run, "{input}");
        let _ = std::fs::remove_file(place.project().join("made"));
    }
    assert!(host.end().1.success());
}

#[test]
fn the_host_is_asked_about_a_read_before_the_result_ahead_of_it() {
    let place = Place::new();
    let mut host = place.start(ASK);
    host.ask(&json!({ "subtype": "initialize" }));
    let calls = json!([
        ["Bash", { "command": "mkdir one", "description": "d" }], ["Read", { "file_path": "/etc/hostname" }],
    ]);
    host.say(&format!("@tools {calls}"));
    let frames = host.until(|frame| frame["type"] == "control_request");
    assert_eq!(kinds(&frames).iter().filter(|kind| kind.starts_with("assistant")).count(), 1);
    let first = frames.last().unwrap();
    host.answer(first, &json!({ "behavior": "allow", "updatedInput": first["request"]["input"] }));
    let frames = host.until(|frame| frame["type"] == "control_request");
    assert!(tool_results(&frames).is_empty(), "{:?}", kinds(&frames));
    let second = frames.last().unwrap();
    assert_eq!(second["request"]["tool_name"], "Read");
    host.answer(second, &json!({ "behavior": "deny", "message": "no" }));
    assert_eq!(tool_results(&host.turn()).len(), 2);
    assert!(host.end().1.success());
}

#[test]
fn a_result_is_sent_before_the_request_of_a_call_that_runs_alone() {
    let place = Place::new();
    let mut host = place.start(ASK);
    host.ask(&json!({ "subtype": "initialize" }));
    let call = |name: &str| json!(["Write", { "file_path": place.project().join(name), "content": "x" }]);
    host.say(&format!("@tools {}", json!([call("one"), call("two"), call("three")])));
    for results in [0, 1, 1] {
        let frames = host.until(|frame| frame["type"] == "control_request");
        assert_eq!(tool_results(&frames).len(), results, "{:?}", kinds(&frames));
        let request = frames.last().unwrap();
        host.answer(request, &json!({ "behavior": "allow", "updatedInput": request["request"]["input"] }));
    }
    assert_eq!(tool_results(&host.turn()).len(), 1);
    assert!(host.end().1.success());
}

#[test]
fn a_denial_that_ends_the_turn_asks_about_no_other_call() {
    let place = Place::new();
    let mut host = place.start(ASK);
    host.ask(&json!({ "subtype": "initialize" }));
    let call = |name: &str| json!(["Bash", { "command": format!("mkdir {name}"), "description": "d" }]);
    host.say(&format!("@tools {}", json!([call("one"), call("two")])));
    let request = host.request();
    host.answer(&request, &json!({ "behavior": "deny", "message": "no", "interrupt": true }));
    let frames = host.turn();
    assert!(kinds(&frames).iter().all(|kind| !kind.starts_with("control_request")), "{:?}", kinds(&frames));
    assert_eq!(tool_results(&frames).len(), 2);
    host.end();
}

#[test]
fn a_failed_call_is_not_the_end_of_the_turn_whatever_a_hook_wants() {
    let place = Place::new();
    let stop = json!({ "continue": false, "stopReason": "enough" });
    let command = format!("echo '{stop}'");
    place.hook(&json!({ "PostToolUseFailure": [{ "hooks": [{ "type": "command", "command": command }] }] }));
    let mut host = place.start(&["--dangerously-skip-permissions"]);
    host.say("@tool Bash {\"command\":\"exit 3\",\"description\":\"d\"}\n@say done");
    assert_eq!(find(&host.turn(), "result")["result"], "done");
    assert!(host.end().1.success());
}

#[test]
fn a_guard_without_a_verdict_is_reported_once() {
    let place = Place::new();
    let hook = json!({ "type": "command", "command": "echo '{\"decision\":\"maybe\"}'" });
    place.hook(&json!({ "PreToolUse": [{ "hooks": [hook] }] }));
    let mut host = place.start(&["--dangerously-skip-permissions", "--include-hook-events"]);
    for expected in [1, 0] {
        host.say("@tool Bash {\"command\":\"true\",\"description\":\"d\"}\n@say done");
        let frames = host.turn();
        let notes: Vec<_> = frames.iter().filter(|frame| frame["subtype"] == "informational").collect();
        assert_eq!(notes.len(), expected);
        for note in notes {
            assert_eq!(note["tag"], "hook_no_verdict");
            assert_eq!(note["hook_no_verdict"]["hook_event"], "PreToolUse");
            assert_eq!(note["hook_no_verdict"]["timed_out"], false);
        }
        let response = frames.iter().find(|frame| frame["subtype"] == "hook_response").unwrap();
        assert_eq!(response["outcome"], "error");
    }
    assert!(host.end().1.success());
}
